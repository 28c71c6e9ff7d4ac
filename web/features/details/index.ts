export { DetailsProvider, useDetails, type Details } from './DetailsProvider.tsx'
export { Facts } from './Facts.tsx'
export { useLoadedPosts } from './loaded-posts.ts'
