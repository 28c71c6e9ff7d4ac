import { wordsOf } from '#contract/search/words.ts'
import { linesOf, quoted } from './lines.ts'

export const watchedLinesMax = 500
export const watchedCharactersMax = 10_000
/** The words of the longest phrase, so that a long text is compared quickly. */
export const watchedPhraseMax = 8
/** How many of the watched words in a text are named. */
export const namedWordsMax = 20

export function watchedLineError(line: string): string | undefined {
  const count = [...wordsOf(line)].length
  if (count === 0) return `${quoted(line)} has no word.`
  return count > watchedPhraseMax ? `${quoted(line)} has more than ${watchedPhraseMax} words.` : undefined
}

/** So few that they take some milliseconds. */
const wordsAtOnce = 2000

/** A word of a phrase, and the words that may follow it. */
interface Step {
  next: Map<string, Step>
  /** The lines of the list that end with this word. */
  lines: string[]
}

const newStep = (): Step => ({ next: new Map(), lines: [] })

/**
 * Returns the watched words and phrases in a text, at most `max`, as they stand in the list. It works in steps of some
 * milliseconds, between which the caller can do other work.
 */
export type FindWatched = (text: string, max: number) => Generator<undefined, string[]>

// Signs that nobody sees, such as a zero-width space: they would split a word for the program alone.
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/**
 * Reads a list of watched words and phrases, one a line. They are compared as the search compares words, also without the
 * invisible signs of the text.
 */
export function readWatchedWords(list: string): FindWatched {
  const first = newStep()
  for (const line of linesOf(list)) {
    let step = first
    for (const { word } of wordsOf(line)) {
      const next = step.next.get(word) ?? newStep()
      step.next.set(word, next)
      step = next
    }
    step.lines.push(line)
  }
  return function* (text, max) {
    const found = new Set<string>()
    if (first.next.size === 0) return []
    for (const form of new Set([text, text.replaceAll(invisible, '')])) {
      // The phrases that the last words of the text have begun.
      let begun: Step[] = []
      for (const { word, position } of wordsOf(form)) {
        begun = [first, ...begun].flatMap(({ next }) => next.get(word) ?? [])
        for (const { lines } of begun) for (const line of lines) found.add(line)
        if (found.size >= max) break
        if (position % wordsAtOnce === 0) yield
      }
    }
    return [...found].slice(0, max)
  }
}
