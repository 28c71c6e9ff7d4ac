import type { DomainEvents } from '#server/domain-events.ts'
import type { Feature } from '#server/feature.ts'
import { purgeAttempts, unlinkAccount } from './queries.ts'
import { type Deps, openidRoutes } from './routes.ts'

export { createProvider } from './provider.ts'

/** Who sets a new passcode may have lost the account: nobody enters it by an old link (S23). */
export const unlinkByNewPassword = (events: DomainEvents) =>
  events.on('passwordChanged', async (db, personId) => void (await unlinkAccount(db, personId)))

export const feature = {
  // Foreign keys delete the link and the attempts of an account (S15).
  purges: { openidAttempts: ({ database }, signal) => purgeAttempts(database, signal) },
  start: (deps: Deps) => {
    unlinkByNewPassword(deps.events)
    return { routes: openidRoutes(deps) }
  },
} satisfies Feature
