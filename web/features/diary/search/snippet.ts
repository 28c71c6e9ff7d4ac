import type { MarkedText } from '#contract/search/endpoints.ts'
import { type Span, spansOf, type WordLine } from './word-line.ts'

/** In a text with more matches the snippet may not have the most words of the query. */
const matchesMax = 24
const snippetLength = 180
/** How much of the text may stand before a match. */
const leadLength = 40

/** The part of a text around its first match, or around a later one that has more of the needles beside it. */
export function snippetOf(text: string, words: WordLine, needles: string[]): MarkedText {
  const spans = spansOf(text, words, needles, Math.ceil(matchesMax / needles.length))
  const countFrom = (first: Span) =>
    new Set(
      spans
        .filter(({ from, to }) => from >= first.from && to <= first.from + snippetLength - leadLength)
        .map(({ needle }) => needle),
    ).size
  const best = spans.reduce((one, other) => (countFrom(other) > countFrom(one) ? other : one))
  const start = startBefore(text, best)
  const head = Array.from(text.slice(start, start + 2 * snippetLength))
    .slice(0, snippetLength)
    .join('')
  const before = text.slice(0, start).trim() === '' ? '' : '…'
  const end = start + head.length
  const shift = before.length - start
  return {
    text: before + head + (end < text.trimEnd().length ? '…' : ''),
    marks: spans
      .filter(({ from, to }) => from >= start && to <= end)
      .map(({ from, to }) => ({ from: from + shift, to: to + shift })),
  }
}

/** The beginning of the text or of a word before the match. Where no word begins near it, the match itself. */
function startBefore(text: string, { from }: Span): number {
  if (from <= leadLength) return 0
  const space = text.slice(from - leadLength, from).search(/\s/u)
  return space === -1 ? from : from - leadLength + space + 1
}
