export { DetailsProvider, useDetails, type Details } from './DetailsProvider.tsx'
export { FollowButton } from './FollowButton.tsx'
export { useLoadedPosts } from './loaded-posts.ts'
export { forgetMarks, useMarks } from './marks.ts'
