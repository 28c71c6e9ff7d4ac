import { splitName } from '#contract/account/display-name.ts'
import { createFirstAdmin } from '#contract/account/setup/endpoints.ts'
import type { Needs } from '#server/feature.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { everyone } from '#server/platform/http/endpoints/policy.ts'
import { addPerson, findUser, lockEmail } from './queries.ts'
import { refuse, refuseWeak } from './refuse-unusable.ts'
import { addSession, endSession, sessionSeconds } from './sessions.ts'
import { redeemSetupCode } from './setup-code.ts'

export type Deps = Pick<Needs, 'config' | 'database' | 'hashing'>

const guesses: LimitRule = { name: 'set-up', count: 10, seconds: 600, by: 'address' }
/** Of all addresses together: each guess costs the hash of a passcode. */
const allGuesses: LimitRule = { name: 'set-up-of-all', count: 300, seconds: 600, by: 'person' }

/** The call by which the holder of the set-up code makes the first admin account. */
export function setupRoutes({ config, database, hashing }: Deps): Route[] {
  return [
    handle(
      createFirstAdmin,
      everyone,
      {
        limits: [guesses],
        answersSecret: true,
        withoutTransaction:
          'the handler opens a transaction after it has hashed the password, which takes long',
      },
      async (call) => {
        const { input, viewer, random, userAgent, audit, fail } = call
        const { code, name, email, passcode } = input
        await call.limitOf('all', allGuesses)
        await refuseWeak({ fail, config, mayModerate: true }, passcode, 'passcode')
        // Before the code is compared, so that the time of the answer does not show whether it is right.
        const secret = await hashing.hash(passcode)
        const made = await database.transaction(async (tx) => {
          // First: a start with ADMIN_EMAIL locks the address before the code as well.
          await lockEmail(tx, email)
          if (!(await redeemSetupCode(tx, code))) return undefined
          const added = await addPerson(tx, random, { ...splitName(name), email, secret, isAdmin: true })
          if (typeof added === 'string') return refuse(fail, 'EmailTaken', 'email')
          const { id } = added
          await audit('admin-granted', { actorId: id, subjectId: id, details: { by: 'set-up code' } }, tx)
          if (viewer.kind !== 'visitor') await endSession(tx, viewer.session.tokenHash)
          return { id, token: await addSession(tx, random, { userId: id, kind: 'admin', userAgent }) }
        })
        if (made === undefined) {
          await call.auditRefusal('setup-refused')
          return fail('SetupRefused')
        }
        call.setSession(made.token, sessionSeconds.admin.whole)
        return (await findUser(call.db, made.id)) ?? fail('SignInRequired')
      },
    ),
  ]
}
