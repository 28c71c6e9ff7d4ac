import { fullNameOf } from '#contract/account/display-name.ts'
import { demoAccount } from '#contract/account/rules.ts'
import { type ErrorCode, errors } from '#contract/errors.ts'
import type { Config } from '#server/config.ts'
import { type Instance, refusesEmail, refusesNetworkOf } from '#server/features/instance/index.ts'
import type { Database } from '#server/platform/database/pool.ts'
import type { Fail } from '#server/platform/http/endpoints/handle.ts'
import { refusalOfPassword } from './passwords.ts'
import type { NewPerson } from './queries.ts'
import { isReservedName } from './reserved-names.ts'

type PasswordRefusal = 'PasswordTooShort' | 'PasswordTooCommon'

interface Registration {
  input: object
  address: string
  fail: Fail<'NetworkRefused' | 'EmailRefused' | 'EmailTaken' | 'NameReserved' | PasswordRefusal>
}

interface Place {
  database: Database
  config: Config
  instance: Pick<Instance, 'settings'>
}

/**
 * Refuses a new person whom admins refuse, with a reserved address or name, or a weak password. What is taken is found out
 * later, under a lock.
 */
export async function refuseUnusable(
  { input, address, fail }: Registration,
  { database, config, instance }: Place,
  person: Omit<NewPerson, 'secret'>,
  password: string,
): Promise<void> {
  refuseByLists({ address, fail }, instance, person.email)
  if (isReservedEmail(person.email)) refuse(fail, 'EmailTaken', 'email')
  if (await isReservedName(database, fullNameOf(person)))
    refuse(fail, 'NameReserved', 'name' in input ? 'name' : 'firstName')
  if (await isReservedName(database, person.username ?? '')) refuse(fail, 'NameReserved', 'username')
  await refuseWeak(
    { fail, config, mayModerate: false },
    password,
    'passcode' in input ? 'passcode' : 'password',
  )
}

/** Refuses a sign-up by what admins have listed, before anything is read of the accounts that exist. */
export function refuseByLists(
  { address, fail }: { address: string; fail: Fail<'NetworkRefused' | 'EmailRefused'> },
  instance: Pick<Instance, 'settings'>,
  email: string,
): void {
  const settings = instance.settings()
  if (refusesNetworkOf(settings, address)) fail('NetworkRefused')
  if (refusesEmail(settings, email)) refuse(fail, 'EmailRefused', 'email')
}

interface PasswordOf {
  fail: Fail<PasswordRefusal>
  config: Config
  mayModerate: boolean
}

export async function refuseWeak({ fail, config, mayModerate }: PasswordOf, password: string, field: string) {
  const refusal = await refusalOfPassword(password, config, { mayModerate })
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
