export { leaveArticle, openArticle, useIsOverFeed } from './article.ts'
/** Fetches the dialog when a person wants to write. */
export const loadCreatePostDialog = async () => (await import('./CreatePostDialog.tsx')).CreatePostDialog
export { changePath, draftPath } from './paths.ts'
export { DayAndTimeFields, LocalTime, PublishTimeFields, zoneSentence } from './PublishTime.tsx'
export { PostState } from './PostState.tsx'
export { scheduledNotice, usePublishTime } from './use-publish-time.ts'
