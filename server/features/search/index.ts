import type { Config } from '#server/config.ts'
import type { Feature } from '#server/feature.ts'
import { indexPosts } from '#server/features/feed/index.ts'
import { indexRooms } from '#server/features/rooms/index.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { schedule } from '#server/platform/schedule.ts'
import { searchRoutes } from './routes.ts'

const everyMs = 60 * 1000
const twoDaysMs = 2 * 86_400_000

export const feature = {
  start: ({ config, database, clock }: { config: Config; database: Database; clock: Clock }) => ({
    routes: searchRoutes({ config }),
    serve({ app }) {
      // All days once, then the days on which a process of the version before may still publish.
      let since: string | undefined
      schedule(app, 'words of older texts', everyMs, async (signal) => {
        const started = new Date(clock.now().getTime() - twoDaysMs).toISOString()
        await indexPosts(database, signal, {
          sinceDay: since?.slice(0, 10),
          onFailure: (err, postId) => app.log.error({ err, postId }, 'the words of a post were not stored'),
        })
        await indexRooms(database, signal, since)
        since = started
      })
    },
  }),
} satisfies Feature
