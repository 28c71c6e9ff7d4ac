import type { Creator } from '#contract/creators/creator.ts'
import { generatedCreators } from '#web/features/creators/generated-creators.ts'
import { highlyRecommendedCreators } from '#web/features/creators/samples/highly-recommended.ts'
import { koenigCreators } from '#web/features/creators/samples/koenig.ts'
import { moreCreators } from '#web/features/creators/samples/more.ts'
import { mostCreativeCreators } from '#web/features/creators/samples/most-creative.ts'
import { multilingualCreators } from '#web/features/creators/samples/multilingual.ts'
import { recentlyAddedCreators } from '#web/features/creators/samples/recently-added.ts'

/** The 25 that were written by hand. */
export const sampleCreators: Creator[] = [
  ...koenigCreators,
  ...recentlyAddedCreators,
  ...multilingualCreators,
  ...highlyRecommendedCreators,
  ...mostCreativeCreators,
  ...moreCreators,
]

/** Everybody on the creator profiles: built in, never fetched. */
export const allCreators: Creator[] = [...sampleCreators, ...generatedCreators]

/** The order of the 'More' list. */
export const byName = (one: Creator, other: Creator) => collator.compare(one.name, other.name)

const collator = new Intl.Collator('en')
