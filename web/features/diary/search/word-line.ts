import { quotes } from '#contract/search/query.ts'
import { type TextWord, wordsOf } from '#contract/search/words.ts'

// The search of the own diary and the search of the site fold words by the same rules. A text becomes one line of folded
// words, in which `indexOf` finds a needle.

/**
 * The folded words of a text on one line, with a space before each word and one at the end. Letters of a script without
 * spaces that follow each other have no space between them.
 */
export interface WordLine {
  folded: string
  /** Where every `wordsBetweenPlaces`-th word stands: in the line, then in the text, and so on. */
  places: readonly number[]
}

const wordsBetweenPlaces = 64

export function wordLineOf(text: string): WordLine {
  const places: number[] = []
  const pieces: string[] = []
  let [length, count] = [0, 0]
  for (const { word, at, from } of placedWords(text)) {
    if (count++ % wordsBetweenPlaces === 0) places.push(at, from)
    pieces.push(at > length ? ` ${word}` : word)
    length = at + word.length
  }
  return { folded: `${pieces.join('')} `, places }
}

interface PlacedWord extends TextWord {
  /** Where the word stands in the line. */
  at: number
}

/** The words of a text from an index on, with their places in the line. The first one stands there at `at`. */
function* placedWords(text: string, from = 0, at = 1): Generator<PlacedWord> {
  let last: PlacedWord | undefined
  for (const found of wordsOf(text.slice(from))) {
    const word = { ...found, from: found.from + from, to: found.to + from, at }
    if (last !== undefined) {
      const touches = last.isUnit && word.isUnit && last.to === word.from
      word.at = last.at + last.word.length + (touches ? 0 : 1)
    }
    yield word
    last = word
  }
}

/** Further words of a query are left out. */
const needlesMax = 16

/**
 * Answers the needles of a query. A text matches when its line contains all of them. A phrase in quotes is one needle, and
 * so is each word outside of quotes. A space at the beginning of a needle means that a word begins there, a space at its end
 * that a word ends there. Words outside of quotes, and a quote that is not closed yet, have no space at the end: their last
 * word may be the beginning of a longer one.
 */
export function needlesOf(query: string): string[] {
  const parts = query.split(quotes)
  const needles = parts.flatMap((part, index) => {
    const isQuoted = index % 2 === 1
    if (isQuoted) return needleOf(part, index === parts.length - 1)
    return part.split(/\s+/u).flatMap((piece) => needleOf(piece, true))
  })
  return [...new Set(needles)].slice(0, needlesMax)
}

/**
 * The needle of a phrase or a word. A letter of a script without spaces may stand anywhere in a run of such letters, so a
 * needle has no space beside it.
 */
function needleOf(typed: string, isBeginning: boolean): string | [] {
  const words = [...wordsOf(typed)]
  const [first, last] = [words.at(0), words.at(-1)]
  if (first === undefined || last === undefined) return []
  const { folded } = wordLineOf(typed)
  return folded.slice(first.isUnit ? 1 : 0, isBeginning || last.isUnit ? -1 : undefined)
}

/** In the text, in UTF-16 units. */
interface TextRange {
  from: number
  to: number
}

/** In the line of folded words. */
interface FoldedRange {
  from: number
  to: number
}

export interface Span extends TextRange {
  /** The index of the needle. */
  needle: number
}

/** The words of a text that match, in order, without overlaps: at most `max` for each needle. */
export function spansOf(text: string, { folded, places }: WordLine, needles: string[], max: number): Span[] {
  const ranges = needles
    .flatMap((needle, index) =>
      foldedRangesOf(folded, needle, max).map((range) => ({ ...range, needle: index })),
    )
    .toSorted((one, other) => one.from - other.from || other.to - one.to)
  const spans: Span[] = []
  let end = 0
  for (const range of ranges) {
    if (range.from < end) continue
    end = range.to
    spans.push({ ...textRangeOf(text, places, range), needle: range.needle })
  }
  return spans
}

/** Where a needle stands in the line, without the spaces at its ends. */
function foldedRangesOf(folded: string, needle: string, max: number): FoldedRange[] {
  const ranges: FoldedRange[] = []
  const { length } = needle.trim()
  const lead = needle.startsWith(' ') ? 1 : 0
  for (let at = folded.indexOf(needle); at !== -1 && ranges.length < max; at = folded.indexOf(needle, at + 1))
    ranges.push({ from: at + lead, to: at + lead + length })
  return ranges
}

/** The whole words of the text that a part of the line stands for. */
function textRangeOf(text: string, places: readonly number[], folded: FoldedRange): TextRange {
  let place = 0
  while (places[place + 2] !== undefined && places[place + 2]! <= folded.from) place += 2
  let range: TextRange | undefined
  for (const { word, at, from, to } of placedWords(text, places[place + 1], places[place])) {
    if (at >= folded.to) break
    if (at + word.length > folded.from) range = { from: range?.from ?? from, to }
  }
  return range!
}
