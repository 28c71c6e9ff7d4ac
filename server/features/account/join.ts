import { usualLimits } from '#contract/allowances/rules.ts'
import type { User } from '#contract/account/user.ts'
import type { Needs } from '#server/feature.ts'
import { asksForAgreement } from '#server/features/instance/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { Call, Fail } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import { createDevices, type DevicesDeps } from './devices.ts'
import { confirmationsOfEmail } from './email-addresses.ts'
import { endOwnSession, openedFor } from './entering.ts'
import { addPerson, type NewPerson, takeOverGuest } from './queries.ts'
import { refuse, refuseUnusable } from './refuse-unusable.ts'
import { countUse } from './registration-links.ts'
import { addSession } from './sessions.ts'

export const registrations: LimitRule = {
  name: 'registration',
  count: usualLimits.registrations,
  seconds: 600,
  by: 'address',
  isRaisable: true,
}

export type JoinDeps = DevicesDeps &
  Pick<Needs, 'config' | 'database' | 'hashing' | 'events' | 'personalData' | 'instance'>

type JoiningCall = Pick<
  Call,
  | 'db'
  | 'viewer'
  | 'address'
  | 'random'
  | 'userAgent'
  | 'limitOf'
  | 'setSession'
  | 'device'
  | 'setDevice'
  | 'afterCommit'
> & {
  input: { registrationToken?: string | undefined; agrees?: boolean | undefined }
  fail: Fail<
    | 'RegistrationClosed'
    | 'RegistrationNeedsApproval'
    | 'RegistrationNeedsLink'
    | 'RegistrationLinkRefused'
    | 'AgreementRequired'
    | 'NetworkRefused'
    | 'EmailRefused'
    | 'EmailTaken'
    | 'UsernameTaken'
    | 'NameReserved'
    | 'PasswordTooShort'
    | 'PasswordTooCommon'
  >
}

/** Makes the function that registers a person by the rules of the instance and opens a session. */
export function createJoin(deps: JoinDeps) {
  const { config, database, hashing, events, personalData, instance } = deps
  const devices = createDevices(deps)

  /** A guest keeps the personal data of the guest account (S16). `alongWith` runs in the transaction that adds the person. */
  return async function join(
    call: JoiningCall,
    password: string,
    person: Omit<NewPerson, 'secret'>,
    alongWith: (tx: Db, personId: string) => Promise<void> = async () => {},
  ): Promise<User> {
    const { viewer, random, userAgent, fail } = call
    const settings = instance.settings()
    const { registration } = settings
    const { registrationToken: linkToken = '' } = call.input
    if (registration === 'closed') fail('RegistrationClosed')
    if (registration === 'approval') fail('RegistrationNeedsApproval')
    if (registration === 'invitation' && linkToken === '') fail('RegistrationNeedsLink')
    const agrees = asksForAgreement(settings)
    if (agrees && call.input.agrees !== true) fail('AgreementRequired')
    await refuseUnusable(call, { database, config, instance }, person, password)
    const secret = await hashing.hash(password)
    const { id, token } = await database.transaction(async (tx) => {
      if (registration === 'invitation' && !(await countUse(tx, linkToken))) fail('RegistrationLinkRefused')
      const added = await addPerson(tx, random, { ...person, secret, agrees })
      if (added === 'EmailTaken') return refuse(fail, 'EmailTaken', 'email')
      if (added === 'UsernameTaken') return refuse(fail, 'UsernameTaken', 'username')
      await alongWith(tx, added.id)
      if (viewer.kind === 'guest') await takeOverGuest(tx, viewer.id, added.id, personalData)
      else await endOwnSession(tx, viewer)
      if (await mayGetConfirmation(call, person.email))
        await events.emitWithin('confirmationDue', tx, added.id)
      return {
        id: added.id,
        token: await addSession(tx, random, { userId: added.id, kind: 'user', userAgent }),
      }
    })
    const user = await openedFor(call, id, 'user', token)
    devices.remember(call, { id, secret })
    return user
  }
}

/** Counts a mail to the address. Over the limit the registration goes on, without the mail. */
async function mayGetConfirmation({ limitOf }: Pick<Call, 'limitOf'>, email: string): Promise<boolean> {
  try {
    await limitOf(email, confirmationsOfEmail)
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}
