import { setImmediate as pause } from 'node:timers/promises'
import { type TextWord, wordsOf } from '#contract/search/words.ts'

// Postgres stores positions up to 16,383. After `maxPosition` the count begins at 1 again, so a phrase in the rest of the text
// is found too.
const maxPosition = 16_000
/** Beginnings of these lengths are words of the index, so that a short one, which many words have, is found as quickly as a word. */
export const shortBeginnings = [2, 3, 4]

/** The sign before a stored beginning of a word. No word begins with this sign. Pairs of letters have no sign. */
export const beginningSign = '~'
const filterSign = '='

/** A filter word stands for a property of a text, such as `form verse`. A search with this filter requires the word. */
export const filterWord = (name: string, value: string): string =>
  `${filterSign}${name} ${[...wordsOf(value)].map(({ word }) => word).join(' ')}`

/**
 * The words of a text for a column of the type `tsvector`: its words, their short beginnings, the pairs of letters of scripts
 * without spaces, and filter words. Words before `titleEnd` weigh more. Other requests run meanwhile (S51).
 */
export async function vectorOf(text: string, titleEnd: number, filters: readonly string[]): Promise<string> {
  const positions = new Map<string, string[]>()
  const bare = new Set(filters)
  let bytes = 0
  const add = (word: string, { position, from }: TextWord) => {
    const at = `${((position - 1) % maxPosition) + 1}${from < titleEnd ? 'A' : ''}`
    const known = positions.get(word)
    if (known !== undefined && known.length >= maxPositions) return
    bytes += bytesOfPosition
    if (known !== undefined) return void known.push(at)
    positions.set(word, [at])
    bytes += bytesOf(word)
  }
  const addBare = (word: string) => {
    if (!bare.has(word)) bytes += bytesOf(word)
    bare.add(word)
  }
  let last: TextWord | undefined
  for (const found of wordsOf(text)) {
    if (bytes > maxBytes) break
    if (!positions.has(found.word) && !found.isUnit) beginningsOf(found.word).forEach(addBare)
    add(found.word, found)
    if (found.isUnit && last?.isUnit && last.to === found.from) add(last.word + found.word, last)
    last = found
    if (found.position % wordsAtOnce === 0) await pause()
  }
  const words = Array.from(positions, ([word, at]) => `'${word}':${at.join(',')}`)
  return [...words, ...Array.from(bare, (word) => `'${word}'`)].join(' ')
}

/** So few that they take some milliseconds. */
const wordsAtOnce = 2000
/** Postgres stores no more positions of a word. */
const maxPositions = 255
/**
 * Postgres refuses a `tsvector` of more than 1,048,575 bytes. `vectorOf` stops soon after this smaller number: later words of
 * the text are not found.
 */
const maxBytes = 800_000
/** Postgres stores a position in two bytes, and with a word how many positions it has. */
const bytesOfPosition = 2
const bytesOf = (word: string) => Buffer.byteLength(word) + 4

function beginningsOf(word: string): string[] {
  const letters = Array.from(word.slice(0, 8))
  return shortBeginnings.flatMap((length) =>
    letters.length >= length ? [beginningSign + letters.slice(0, length).join('')] : [],
  )
}
