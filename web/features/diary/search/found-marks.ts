import type { MarkedText } from '#contract/search/endpoints.ts'
import { needlesOf, spansOf, wordLineOf } from './word-line.ts'
import { soughtBy } from './sought.ts'

/** More marks than anybody reads. */
const marksMax = 200

/** What in a text matches the words that the person has just looked for. */
export function marksOfSought(owner: string, text: string): MarkedText['marks'] {
  const needles = needlesOf(soughtBy(owner))
  return needles.length === 0 ? [] : spansOf(text, wordLineOf(text), needles, marksMax)
}
