import type { Feature } from '#server/feature.ts'
import type { Call } from '#server/platform/http/endpoints/handle.ts'
import { listDaysOfPerson } from './authors.ts'
import { feedEventLoaders } from './events.ts'
import { movePendingPosts, removeAuthor, removeDecider } from './queries.ts'
import { startPublishingDuePosts, type Deps as DueDeps } from './due-posts.ts'
import { ownRoutes } from './own-routes.ts'
import { readingRoutes } from './reading-routes.ts'
import { reviewRoutes } from './review-routes.ts'
import { type Deps as FeedDeps, feedRoutes } from './routes.ts'
import { type Deps as ScheduledDeps, scheduledRoutes } from './scheduled-routes.ts'
import { purgeTakenBack } from './taken-back.ts'
import { withPremiumSwitch } from './policy.ts'

export {
  authorHasPage,
  carriesName,
  hasPage,
  isApproved,
  isPublished,
  isPublishedById,
  mayHavePage,
  nameOnPage,
} from './authors.ts'
export { carryOut, sentenceOf } from './carry-out.ts'
export { findAuthorOfPost, lockErasablePost, eraseLockedPost } from './erasing.ts'
export { type FeedCursor, feedCursorOf, readFeedCursor } from './cursor.ts'
export { createFeedDays } from './feed-days.ts'
export { watchForPosts } from './has-posts.ts'
export { type Article, findArticle, findLastDayBefore, linkFields, linkOf } from './neighbours.ts'
export { endOfPage } from './page-bytes.ts'
export {
  countFeedDaysAnew,
  countPosts,
  countPostsOf,
  digestOf,
  findPostToReport,
  findPublicPost,
  countWaitingPosts,
  findReviewQueue,
  publishedPerDay,
  publicPostFields,
} from './queries.ts'
export { addMissingTrigrams } from './trigrams.ts'
export { addMissingWords, addMissingWordsSince, savePostWords } from './words.ts'
export { mayPublish, withPremiumSwitch } from './policy.ts'
export { posts, scheduledPosts, takenBackPosts } from './schema.ts'

export const feature = {
  personalData: {
    // Pending posts are moved or deleted. Published posts stay, without a link to their author, and decisions without the name
    // of the admin (S15, S16). Like a decision, the removal locks posts before inboxes.
    move: movePendingPosts,
    async remove(db, personId, { afterCommit, events }) {
      await removeDecider(db, personId)
      const days = await removeAuthor(db, personId)
      afterCommit(() => days.forEach((day) => events.emit('feedDayChanged', day)))
    },
  },
  inboxLoaders: () => feedEventLoaders,
  purges: { 'posts that were taken back': ({ database }, signal) => purgeTakenBack(database, signal) },
  start(given: FeedDeps & ScheduledDeps & DueDeps) {
    const deps = { ...given, config: withPremiumSwitch(given.config, given.instance) }
    const { events } = deps
    const changeDaysOf = async ({ db, afterCommit }: Pick<Call, 'db' | 'afterCommit'>, personId: string) => {
      const days = await listDaysOfPerson(db, personId)
      afterCommit(() => {
        days.forEach((day) => events.emit('feedDayChanged', day))
        events.emit('postsChanged')
      })
    }
    events.on('pageSwitched', (call) => changeDaysOf(call, call.viewer.id))
    events.on('hiddenTextsChanged', changeDaysOf)
    return {
      routes: [
        ...feedRoutes(deps),
        ...readingRoutes(),
        ...ownRoutes(deps),
        ...scheduledRoutes(deps),
        ...reviewRoutes(deps),
      ],
      serve: ({ app }) => startPublishingDuePosts(app, deps),
    }
  },
} satisfies Feature
