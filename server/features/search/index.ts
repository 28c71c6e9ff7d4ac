import type { Feature, Needs } from '#server/feature.ts'
import { addMissingTrigrams, addMissingWords, addMissingWordsSince } from '#server/features/feed/index.ts'
import { addMissingRoomWords } from '#server/features/rooms/index.ts'
import { ifAvailable } from '#server/platform/database/unavailable.ts'
import { schedule } from '#server/platform/schedule.ts'
import { searchRoutes } from './routes.ts'

const newEveryMs = 1000
const olderEveryMs = 60 * 1000
/** A search compares posts without trigrams. So many wait together that a statement stores those of several posts. */
const trigramsEveryMs = 10 * 1000
const twoDaysMs = 2 * 86_400_000
/** How long the end of the server waits for the words of new posts. The next start stores the rest. */
const endWithinMs = 1000

export type Deps = Pick<Needs, 'config' | 'database' | 'clock' | 'events'>

export const feature = {
  start: ({ config, database, clock, events }: Deps) => ({
    routes: searchRoutes({ config }),
    serve({ app }) {
      const onFailure = (err: unknown, postId: string) =>
        app.log.error({ err, postId }, 'the words of a post were not stored')

      const newPosts = new Set<string>()
      events.on('postsPublished', (ids) => ids.forEach((id) => newPosts.add(id)))
      // A post stays in the set until its words are stored: the next run tries again what this one did not reach.
      const indexNewPosts = (signal: AbortSignal) =>
        ifAvailable(() =>
          addMissingWords(database, signal, {
            ids: [...newPosts],
            onFailure,
            afterBatch: (ids) => ids.forEach((id) => newPosts.delete(id)),
          }),
        )
      schedule(app, 'words of new posts', newEveryMs, indexNewPosts)
      app.addHook('onClose', () => indexNewPosts(AbortSignal.timeout(endWithinMs)))

      // The first run looks at all days. Later runs look at the last two days, because another process may have published a
      // post and ended before it stored the words.
      let since: string | undefined
      schedule(app, 'words of older texts', olderEveryMs, (signal) =>
        ifAvailable(async () => {
          const twoDaysAgo = new Date(clock.now().getTime() - twoDaysMs).toISOString()
          await addMissingWordsSince(database, signal, { sinceDay: since?.slice(0, 10), onFailure })
          await addMissingRoomWords(database, signal, since)
          since = twoDaysAgo
        }),
      )

      schedule(app, 'trigrams of posts', trigramsEveryMs, (signal) =>
        ifAvailable(() => addMissingTrigrams(database, signal)),
      )
    },
  }),
} satisfies Feature
