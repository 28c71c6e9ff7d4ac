import { fullNameOf } from '#contract/account/display-name.ts'
import { demoAccount } from '#contract/account/rules.ts'
import { type ErrorCode, errors } from '#contract/errors.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/platform/database/pool.ts'
import type { Fail } from '#server/platform/http/endpoints/handle.ts'
import { refusalOfPassword } from './passwords.ts'
import type { NewPerson } from './queries.ts'
import { isReservedName } from './reserved-names.ts'

type PasswordRefusal = 'PasswordTooShort' | 'PasswordTooCommon'

interface Registration {
  input: object
  fail: Fail<'EmailTaken' | 'NameReserved' | PasswordRefusal>
}

interface Place {
  database: Database
  config: Config
}

/** Refuses a new person with a reserved address or name, or a weak password. What is taken is found out later, under a lock. */
export async function refuseUnusable(
  { input, fail }: Registration,
  { database, config }: Place,
  person: Omit<NewPerson, 'secret'>,
  password: string,
): Promise<void> {
  if (isReservedEmail(person.email)) refuse(fail, 'EmailTaken', 'email')
  if (await isReservedName(database, fullNameOf(person)))
    refuse(fail, 'NameReserved', 'name' in input ? 'name' : 'firstName')
  if (await isReservedName(database, person.username ?? '')) refuse(fail, 'NameReserved', 'username')
  await refuseWeak({ fail, config, isAdmin: false }, password, 'passcode' in input ? 'passcode' : 'password')
}

interface PasswordOf {
  fail: Fail<PasswordRefusal>
  config: Config
  isAdmin: boolean
}

export async function refuseWeak({ fail, config, isAdmin }: PasswordOf, password: string, field: string) {
  const refusal = await refusalOfPassword(password, config, { isAdmin })
  if (refusal !== undefined) refuse(fail, refusal.code, field, refusal.error)
}

/** In demo mode everybody knows the password of this address, so nobody else registers with it (S18). */
export const isReservedEmail = (email: string) => email === demoAccount.email

/** Refuses one field, with the sentence beside it. */
export function refuse<Code extends ErrorCode>(
  fail: Fail<Code>,
  code: Code,
  field: string,
  error: string = errors[code].error,
): never {
  return fail(code, { error, fields: { [field]: error } })
}
