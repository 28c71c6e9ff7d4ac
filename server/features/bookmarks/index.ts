import type { Feature } from '#server/feature.ts'
import { purgeBookmarks } from './purge.ts'
import { bookmarkRoutes } from './routes.ts'

export const feature = {
  purges: { 'bookmarks of posts that are gone': ({ database }, signal) => purgeBookmarks(database, signal) },
  start: () => ({ routes: bookmarkRoutes() }),
} satisfies Feature
