export { OwnPostMenu } from './own-post-menu-part.tsx'
export { OwnPostRow } from './OwnPostRow.tsx'
export { TextDifference } from './text-difference-part.tsx'
export { useIsOwnPost } from './use-is-own-post.ts'
