import type { MarkedText } from '#contract/search/endpoints.ts'
import { findTerms, type Span, type TextQuery } from '#server/platform/search/query.ts'

const lineLength = 100
/** How much of a long line may stand before its match. */
const leadLength = 30
const marksMax = 8
/** A line with more of the words is looked for in this much of a text, once a line has one of them. */
const examinedLength = 20_000

/** A short text with the places that match. */
export const marked = (text: string, query: TextQuery): MarkedText => ({
  text,
  marks: findTerms(text, query, marksMax).map(({ from, to }) => ({ from, to })),
})

/** The line of a text with most of the words, or its first line, cut to 100 characters around the match. */
export function matchingLine(text: string, query: TextQuery): MarkedText {
  const { line, spans } = bestLine(text, query)
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

function bestLine(text: string, query: TextQuery): { line: string; spans: Span[] } {
  const lines = text.split('\n')
  let best: { line: string; spans: Span[] } | undefined
  let [most, examined] = [0, 0]
  for (const line of lines) {
    const spans = findTerms(line, query, marksMax)
    const count = new Set(spans.map(({ term }) => term)).size
    if (count > most) [best, most] = [{ line, spans }, count]
    examined += line.length
    if (most === query.terms.length || (most > 0 && examined > examinedLength)) break
  }
  // The match is in the title, or goes over the end of a line.
  return best ?? { line: lines.find((line) => line.trim() !== '') ?? '', spans: [] }
}

/** Where the shown part of a line begins: at its start, or at a word before a match that would else be cut off. */
function startIn(line: string, match: Span | undefined): number {
  if (match === undefined || match.to <= lineLength) return line.length - line.trimStart().length
  const word = line.indexOf(' ', match.from - leadLength) + 1
  return word > 0 && word < match.from ? word : match.from
}
