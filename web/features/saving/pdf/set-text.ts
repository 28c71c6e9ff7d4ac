import { bidi, type Run, type Shape } from './shape.ts'
import { wrap } from './wrap.ts'

/** A line in the order of the paper, from left to right. */
export interface SetLine {
  runs: Run[]
  /** In thousandths of the type size. */
  width: number
  /** Whether the line begins at the right edge. */
  isRtl: boolean
  placeholders: number
}

/** Replaces special spaces by those that every font has. */
export const withPlainSpaces = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\t', '    ')
    .replace(/[\u1680\u2000-\u200a\u205f\u3000]/g, ' ')
    .replaceAll('\u202f', '\u00a0')

/** The lines of a plain text; the width is in thousandths of the type size. */
export function breakIntoLines(text: string, width: number, shape: Shape): SetLine[] {
  const measure = (part: string) =>
    wordsOf(part).reduce((sum, word) => sum + shape(word, rtl.test(word)).width, 0)
  return text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).flatMap((paragraph) => {
    const lines = wrap(paragraph, width, measure)
    return rtl.test(paragraph)
      ? bidiLines(paragraph, lines, shape)
      : lines.map((line) =>
          setLine(
            wordsOf(line.trimEnd()).map((word) => shape(word, false)),
            false,
          ),
        )
  })
}

/** Letters and marks that are written from right to left. */
const rtl =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const wordsOf = (text: string) => text.match(/\s|\S+/g) ?? []

const setLine = (shaped: ReturnType<Shape>[], isRtl: boolean): SetLine => ({
  runs: shaped.flatMap(({ runs }) => runs),
  width: shaped.reduce((sum, { width }) => sum + width, 0),
  isRtl,
  placeholders: shaped.reduce((sum, { placeholders }) => sum + placeholders, 0),
})

/** Orders the words of each line as they are on paper. */
function bidiLines(paragraph: string, lines: string[], shape: Shape): SetLine[] {
  const { levels, paragraphs } = bidi.getEmbeddingLevels(paragraph)
  const base = paragraphs[0]?.level ?? 0
  let from = 0
  return lines.map((line) => {
    const parts = partsOf(line.trimEnd(), (i) => levels[from + i]!)
    from += line.length
    return setLine(
      inOrder(parts).map(({ text, level }) => shape(text, level % 2 === 1)),
      base % 2 === 1,
    )
  })
}

interface Part {
  text: string
  level: number
  isSpace: boolean
}

/** Words and spaces. A word of two directions is in several parts. */
function partsOf(line: string, levelAt: (i: number) => number): Part[] {
  const parts: Part[] = []
  for (let i = 0; i < line.length; i++) {
    const [level, isSpace] = [levelAt(i), /\s/.test(line[i]!)]
    const last = parts.at(-1)
    if (last?.level === level && last.isSpace === isSpace) last.text += line[i]
    else parts.push({ text: line[i]!, level, isSpace })
  }
  return parts
}

/** Rule L2 of the bidirectional algorithm: from the highest level down, the parts of that level or more are reversed. */
function inOrder(parts: Part[]): Part[] {
  const ordered = [...parts]
  const highest = parts.reduce((most, { level }) => Math.max(most, level), 0)
  for (let depth = highest; depth > 0; depth--) {
    for (let from = 0; from < ordered.length; from++) {
      let end = from
      while (end < ordered.length && ordered[end]!.level >= depth) end++
      reverse(ordered, from, end)
      from = end
    }
  }
  return ordered
}

/** In place: a line of characters without width has up to 100,000 parts, too many for the arguments of `splice`. */
function reverse(parts: Part[], from: number, end: number) {
  for (let [left, right] = [from, end - 1]; left < right; left++, right--)
    [parts[left], parts[right]] = [parts[right]!, parts[left]!]
}
