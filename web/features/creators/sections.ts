import type { CreatorCategory } from '#contract/creators/creator.ts'

export const sections = [
  { category: 'könig', title: 'König' },
  { category: 'recently_added', title: 'Recently Added' },
  { category: 'multilingual', title: 'Multilingual' },
  { category: 'highly_recommended', title: 'Very Highly Recommended' },
  { category: 'most_creative', title: 'Most Creative' },
] as const satisfies { category: CreatorCategory; title: string }[]
