import { bidi, type Run, type Shape } from './shape.ts'
import { wrap } from './wrap.ts'

/** A line as it stands on paper, from left to right. */
export interface SetLine {
  runs: Run[]
  /** In thousandths of the type size. */
  width: number
  /** Begins at the right edge. */
  isRtl: boolean
  placeholders: number
}

/** A text with the spaces that every font has. */
export const plain = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\t', '    ')
    .replace(/[\u1680\u2000-\u200a\u205f\u3000]/g, ' ')
    .replaceAll('\u202f', '\u00a0')

/** The lines of a plain text; the width is in thousandths of the type size. */
export function setText(text: string, width: number, shape: Shape): SetLine[] {
  const measure = (part: string) =>
    wordsOf(part).reduce((sum, word) => sum + shape(word, rtl.test(word)).width, 0)
  return text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).flatMap((paragraph) => {
    const lines = wrap(paragraph, width, measure)
    return rtl.test(paragraph)
      ? turned(paragraph, lines, shape)
      : lines.map((line) =>
          setLine(
            wordsOf(line.trimEnd()).map((word) => shape(word, false)),
            false,
          ),
        )
  })
}

/** Letters and marks that make a line run from right to left, in part or in whole. */
const rtl =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const wordsOf = (text: string) => text.match(/\s|\S+/g) ?? []

const setLine = (shaped: ReturnType<Shape>[], isRtl: boolean): SetLine => ({
  runs: shaped.flatMap(({ runs }) => runs),
  width: shaped.reduce((sum, { width }) => sum + width, 0),
  isRtl,
  placeholders: shaped.reduce((sum, { placeholders }) => sum + placeholders, 0),
})

/** Brings the words of each line into the order of the paper. */
function turned(paragraph: string, lines: string[], shape: Shape): SetLine[] {
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
}

/** Words, and within them what runs in one direction. */
function partsOf(line: string, levelAt: (i: number) => number): Part[] {
  const parts: Part[] = []
  for (let i = 0; i < line.length; i++) {
    const level = levelAt(i)
    const last = parts.at(-1)
    const goesOn = last && last.level === level && /\s/.test(last.text) === /\s/.test(line[i]!)
    if (goesOn) last.text += line[i]
    else parts.push({ text: line[i]!, level })
  }
  return parts
}

/** Rule L2 of the bidirectional algorithm: from the highest level down, what lies deeper is turned around. */
function inOrder(parts: Part[]): Part[] {
  const ordered = [...parts]
  const highest = Math.max(...parts.map(({ level }) => level))
  for (let depth = highest; depth > 0; depth--) {
    for (let i = 0; i < ordered.length; i++) {
      let end = i
      while (end < ordered.length && ordered[end]!.level >= depth) end++
      ordered.splice(i, end - i, ...ordered.slice(i, end).reverse())
      i = end
    }
  }
  return ordered
}
