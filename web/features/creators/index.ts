export { CreatorCover } from '#web/features/creators/CreatorCover.tsx'
export { allCreators, byName } from '#web/features/creators/sample-creators.ts'
