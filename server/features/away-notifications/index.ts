import type { Feature, Needs } from '#server/feature.ts'
import { ifAvailable } from '#server/platform/database/unavailable.ts'
import { schedule } from '#server/platform/schedule.ts'
import { purgeCausedMails } from './choices.ts'
import { awayNotificationRoutes } from './routes.ts'
import { type Deps, mailRefused, tellNext } from './tell.ts'
import { addUnsubscribe } from './unsubscribe.ts'

export { createAwayNotificationLetters } from './letters.ts'

const everyMs = 1000

export const feature = {
  // Foreign keys delete the choices of an account (S15).
  purges: { 'causes of away notifications': ({ database }, signal) => purgeCausedMails(database, signal) },
  start(deps: Deps & Pick<Needs, 'events'>) {
    deps.events.on('pushRefused', (db, refused) => mailRefused(deps, db, refused))
    return {
      routes: awayNotificationRoutes(deps),
      serve(server) {
        addUnsubscribe(server, deps)
        schedule(server.app, 'away notifications', everyMs, (signal) =>
          ifAvailable(async () => {
            while (!signal.aborted && (await tellNext(deps)));
          }),
        )
      },
    }
  },
} satisfies Feature
