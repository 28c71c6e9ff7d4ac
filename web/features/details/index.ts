export { DetailsProvider, useDetails } from './DetailsProvider.tsx'
export { FollowButton } from './FollowButton.tsx'
export { useLoadedPosts } from './loaded-posts.ts'
export { forgetMarks, useMarks } from './marks.ts'
