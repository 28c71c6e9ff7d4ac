import type { Creator } from '#contract/creators/creator.ts'
import { generatedCreators } from './generated-creators.ts'
import { highlyRecommendedCreators } from './samples/highly-recommended.ts'
import { koenigCreators } from './samples/koenig.ts'
import { moreCreators } from './samples/more.ts'
import { mostCreativeCreators } from './samples/most-creative.ts'
import { multilingualCreators } from './samples/multilingual.ts'
import { recentlyAddedCreators } from './samples/recently-added.ts'

/** The 25 creators whose profiles were written by hand. */
export const sampleCreators: Creator[] = [
  ...koenigCreators,
  ...recentlyAddedCreators,
  ...multilingualCreators,
  ...highlyRecommendedCreators,
  ...mostCreativeCreators,
  ...moreCreators,
]

/** All creators of the profiles. They are part of the page: no request fetches them. */
export const allCreators: Creator[] = [...sampleCreators, ...generatedCreators]

/** The order of the 'More' list. */
export const byName = (one: Creator, other: Creator) => collator.compare(one.name, other.name)

const collator = new Intl.Collator('en')
