export { feedEventLoaders } from './events.ts'
export { carriesName, dropDaysOfPerson, hasPage, isPublished, nameOnPage } from './authors.ts'
export { feedPersonalData } from './personal-data.ts'
export { createFeedDays } from './feed-days.ts'
export {
  countFeedDaysAnew,
  countPosts,
  countPostsOf,
  digestOf,
  findPostToReport,
  findPublicPost,
  findReviewQueue,
  publishedPerDay,
  publicPostFields,
} from './queries.ts'
export { feedRoutes } from './routes.ts'
export { posts } from './schema.ts'
export { reviewRoutes } from './review-routes.ts'
