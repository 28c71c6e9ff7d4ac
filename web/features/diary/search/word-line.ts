import { quotes } from '#contract/search/query.ts'
import { type TextWord, wordsOf } from '#contract/search/words.ts'

// The search of the own diary looks for words as the search of the site folds them. Each text becomes a line of its words,
// in which the search is one `indexOf`.

/** The words of a text on one line, with a space before each word and one at the end. */
export interface WordLine {
  line: string
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
  return { line: `${pieces.join('')} `, places }
}

interface PlacedWord extends TextWord {
  /** Where the word stands in the line. */
  at: number
}

/** The words from a place on. Letters of a script without spaces that touch each other have no space between them. */
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

const neededMax = 16

/**
 * What a line needs for a query: the phrases in quotes, and the other words, each of which may be the beginning of a word.
 * A quote that nobody has closed yet may end in a beginning too.
 */
export function needlesOf(query: string): string[] {
  const parts = query.split(quotes)
  const needles = parts.flatMap((part, index) => {
    const isQuoted = index % 2 === 1
    if (isQuoted) return needleOf(part, index === parts.length - 1)
    return part.split(/\s+/u).flatMap((piece) => needleOf(piece, true))
  })
  return [...new Set(needles)].slice(0, neededMax)
}

/** A letter of a script without spaces may stand anywhere in a run of them, so the needle has no space beside it. */
function needleOf(typed: string, isBeginning: boolean): string | [] {
  const words = [...wordsOf(typed)]
  const [first, last] = [words.at(0), words.at(-1)]
  if (first === undefined || last === undefined) return []
  const { line } = wordLineOf(typed)
  return line.slice(first.isUnit ? 1 : 0, isBeginning || last.isUnit ? -1 : undefined)
}

export interface Span {
  from: number
  to: number
  /** The index of the needle. */
  needle: number
}

/** The words of a text that match, in order, without overlaps: at most `max` for each needle. */
export function spansOf(text: string, { line, places }: WordLine, needles: string[], max: number): Span[] {
  const hits = needles
    .flatMap((needle, index) => hitsOf(line, needle, max).map((hit) => ({ ...hit, needle: index })))
    .toSorted((one, other) => one.from - other.from || other.to - one.to)
  const spans: Span[] = []
  let end = 0
  for (const hit of hits) {
    if (hit.from < end) continue
    end = hit.to
    spans.push({ ...spanOf(text, places, hit), needle: hit.needle })
  }
  return spans
}

type Hit = Pick<Span, 'from' | 'to'>

/** Where a needle stands in the line, without the spaces at its ends. */
function hitsOf(line: string, needle: string, max: number): Hit[] {
  const hits: Hit[] = []
  const word = needle.trim()
  const lead = needle.startsWith(' ') ? 1 : 0
  for (let at = line.indexOf(needle); at !== -1 && hits.length < max; at = line.indexOf(needle, at + 1))
    hits.push({ from: at + lead, to: at + lead + word.length })
  return hits
}

/** The whole words of the text that a part of the line stands for. */
function spanOf(text: string, places: readonly number[], hit: Hit): Hit {
  let place = 0
  while (places[place + 2] !== undefined && places[place + 2]! <= hit.from) place += 2
  let span: Hit | undefined
  for (const { word, at, from, to } of placedWords(text, places[place + 1], places[place])) {
    if (at >= hit.to) break
    if (at + word.length > hit.from) span = { from: span?.from ?? from, to }
  }
  return span!
}
