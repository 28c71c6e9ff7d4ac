export { OwnPostMenu } from './own-post-menu-part.tsx'
export { TakenBackPosts } from './TakenBackPosts.tsx'
export { TextDifference } from './text-difference-part.tsx'
export { useIsOwnPost } from './use-is-own-post.ts'
