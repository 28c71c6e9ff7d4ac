import type { Creator } from '#contract/creators/creator.ts'
import creators from './content/creators.json'
import { generatedCreators } from './generated-creators.ts'
import { type WrittenCreator, writtenCreator } from './written-creator.ts'

/** The 25 creators whose profiles were written by hand. A test checks the fields of the file. */
export const sampleCreators: Creator[] = (creators as WrittenCreator[]).map(writtenCreator)

/** All creators of the profiles. They are part of the page: no request fetches them. */
export const allCreators: Creator[] = [...sampleCreators, ...generatedCreators]

/** The order of the 'More' list. */
export const byName = (one: Creator, other: Creator) => collator.compare(one.name, other.name)

const collator = new Intl.Collator('en')
