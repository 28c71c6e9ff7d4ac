import type { MarkedText } from '#contract/search/endpoints.ts'
import { needlesOf, spansOf, wordLineOf } from './word-line.ts'
import { typedQueryOf } from './query.ts'

/** More marks than anybody reads. */
const marksMax = 200

/** The marks in a text of a person for the query that this person has typed. */
export function marksOfQuery(owner: string, text: string): MarkedText['marks'] {
  const needles = needlesOf(typedQueryOf(owner))
  return needles.length === 0 ? [] : spansOf(text, wordLineOf(text), needles, marksMax)
}
