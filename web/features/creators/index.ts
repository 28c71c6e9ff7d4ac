import { failedPage, part } from '#web/ui/part.tsx'

export { AuthorCover, CreatorCover } from './CreatorCover.tsx'
export { CreatorAvatar } from './CreatorAvatar.tsx'
export { withPortfolio } from './portfolios.ts'
export { SampleBadge } from './SampleBadge.tsx'
export { allCreators } from './sample-creators.ts'
export { VerifiedBadge } from './VerifiedBadge.tsx'

export const CreatorsPage = part(
  async () => (await import('./CreatorsPage.tsx')).CreatorsPage,
  failedPage,
  null,
)
