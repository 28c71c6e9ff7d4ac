import type { MarkedText } from '#contract/search/endpoints.ts'
import { findTerms, type Span, type TextQuery } from '#server/platform/search/query.ts'

const lineLength = 100
/** How much of a long line may stand before its match. */
const leadLength = 30
/** The words are looked for in this much of a text, so that a long text costs no more than a few milliseconds (S51). */
const examinedLength = 5000
const soughtLength = 8

/** A short text with the places that match. */
export const marked = (text: string, query: TextQuery): MarkedText => ({
  text,
  marks: findTerms(text, query).map(({ from, to }) => ({ from, to })),
})

/** A line of the examined part of a text with most of the words, or its first line, cut to 100 characters around the match. */
export const matchingLine = (text: string, query: TextQuery): MarkedText => cut(bestLine(text, query))

/** The first line of a text, cut to 100 characters. */
export const firstLine = (text: string): MarkedText => cut({ line: firstLineOf(text), spans: [] })

interface Line {
  line: string
  spans: Span[]
}

function cut({ line, spans }: Line): MarkedText {
  const start = startIn(line, spans[0])
  const head = Array.from(line.slice(start, start + 2 * lineLength))
    .slice(0, lineLength)
    .join('')
  const end = start + head.length
  const before = line.slice(0, start).trim() === '' ? '' : '…'
  return {
    text: before + head + (end < line.trimEnd().length ? '…' : ''),
    marks: spans
      .filter(({ from, to }) => from >= start && to <= end)
      .map(({ from, to }) => ({ from: from - start + before.length, to: to - start + before.length })),
  }
}

function bestLine(text: string, query: TextQuery): Line {
  let best: Line | undefined
  let most = 0
  for (const line of examinedPart(text, query).split('\n')) {
    const spans = findTerms(line, query)
    const count = new Set(spans.map(({ term }) => term)).size
    if (count > most) [best, most] = [{ line, spans }, count]
    if (most === query.terms.length) break
  }
  // The match is in the title, goes over the end of a line, or stands where the text is not examined.
  return best ?? { line: firstLineOf(text), spans: [] }
}

/** The beginning of a text, or the lines from the longest word on when it first stands behind the beginning. */
function examinedPart(text: string, { terms }: TextQuery): string {
  const words = terms.flatMap((term) => term.words.map(({ word }) => word))
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one))
  // Words have no sign with a meaning in a pattern. A few letters are found quickly in any text.
  const at = text.search(new RegExp(longest.slice(0, soughtLength), 'iu'))
  const start = at < examinedLength ? 0 : text.lastIndexOf('\n', at) + 1
  return text.slice(start, start + examinedLength)
}

const firstLineOf = (text: string) => text.split('\n').find((line) => line.trim() !== '') ?? ''

/** Where the shown part of a line begins: at its start, or at a word before a match that would else be cut off. */
function startIn(line: string, match: Span | undefined): number {
  if (match === undefined || match.to <= lineLength) return line.length - line.trimStart().length
  const word = line.indexOf(' ', match.from - leadLength) + 1
  return word > 0 && word < match.from ? word : match.from
}
