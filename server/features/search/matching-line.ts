import type { MarkedText } from '#contract/search/endpoints.ts'
import { findTerms, type TextQuery } from '#server/platform/search/query.ts'

const lineLength = 100
/** How much of a long line may stand before its match. */
const leadLength = 30
const marksMax = 8

/** A short text with the places that match. */
export const marked = (text: string, query: TextQuery): MarkedText => ({
  text,
  marks: findTerms(text, query, marksMax),
})

/** The line of a text with the first match, or its first line, cut to 100 characters around the match. */
export function matchingLine(text: string, query: TextQuery): MarkedText {
  const spans = findTerms(text, query, marksMax)
  const at = spans[0]?.from ?? text.length - text.trimStart().length
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  const line = text.slice(start, end === -1 ? text.length : end)
  const skipped = startIn(line, at - start, Math.max(0, ...spans.slice(0, 1).map(({ to }) => to - start)))
  const head = Array.from(line.slice(skipped, skipped + 2 * lineLength))
    .slice(0, lineLength)
    .join('')
  const [before, after] = [skipped > 0 ? '…' : '', skipped + head.length < line.length ? '…' : '']
  const from = start + skipped
  return {
    text: before + head + after,
    marks: spans
      .filter((span) => span.from >= from && span.to <= from + head.length)
      .map((span) => ({ from: span.from - from + before.length, to: span.to - from + before.length })),
  }
}

/** Where the shown part of a line begins: at its start, or at a word before a match that would else be cut off. */
function startIn(line: string, from: number, to: number): number {
  if (to <= lineLength) return line.length - line.trimStart().length
  const word = line.indexOf(' ', from - leadLength) + 1
  return word > 0 && word < from ? word : from
}
