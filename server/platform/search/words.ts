import { setImmediate as pause } from 'node:timers/promises'
import { unspacedScripts } from '#contract/search/query.ts'

/** A word of a text as the index of the search stores it, and where the word stands in the text. */
export interface TextWord {
  /** As `folded` returns the word. */
  word: string
  from: number
  to: number
  /** The number of the word in the text. Words that follow each other have numbers that follow each other. */
  position: number
}

// In a script without spaces a letter with its marks is a unit of its own.
const unit = String.raw`[${unspacedScripts}\u30fc][\p{M}\uff9e\uff9f]*`
const spaced = String.raw`(?:(?![${unspacedScripts}])[\p{L}\p{N}])(?:(?![${unspacedScripts}])[\p{L}\p{N}\p{M}\u00ad\u200c\u200d])*`
const wordOrUnit = new RegExp(`(${unit})|${spaced}`, 'gu')

// Marks that readers leave out when they type: accents, and the vowel points of Hebrew and Arabic.
const leftOut =
  /(?![\u3099\u309a])(?=\p{M})[\p{sc=Zinh}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}]/gu
// Letters that NFKD does not split, and signs without a sound, which are removed.
const replacements: Record<string, string> = {
  ß: 'ss',
  ς: 'σ',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
}
const replacedOrRemoved = new RegExp(`[${Object.keys(replacements).join('')}\u00ad\u200c\u200d\u0640]`, 'gu')

/**
 * A word in lower case, without accents and vowel points, and with the usual form of each letter: 'É' becomes 'e', and 'ﬁ'
 * becomes 'fi'. The marks of voiced kana and the vowel signs of Indic scripts stay: a letter with such a mark is another letter.
 */
export function folded(word: string): string {
  if (/^[\0-\x7f]*$/.test(word)) return word.toLowerCase()
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(leftOut, '')
    .replaceAll(replacedOrRemoved, (letter) => replacements[letter] ?? '')
    .replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')
    .normalize('NFC')
}

/** The words of a text in order. In a script without spaces every letter is a word. */
export function* wordsOf(text: string): Generator<TextWord & { isUnit: boolean }> {
  let position = 0
  for (const match of text.matchAll(wordOrUnit)) {
    if (match[0].length > maxTypedLength) continue
    const word = folded(match[0])
    if (word === '' || word.length > maxLength) continue
    position++
    yield {
      word,
      from: match.index,
      to: match.index + match[0].length,
      position,
      isUnit: match[1] !== undefined,
    }
  }
}

/** Longer words are no words that a person searches for. */
const maxLength = 64
/** A word of this length has several marks at each letter. A longer one is not folded, which may take long. */
const maxTypedLength = 4 * maxLength
// Postgres stores positions up to 16,383. After `maxPosition` the count begins at 1 again, so a phrase in the rest of the text
// is found too.
const maxPosition = 16_000
/** Beginnings of these lengths are words of the index, so that a short one, which many words have, is found as quickly as a word. */
export const shortBeginnings = [2, 3, 4]

/** The sign before a stored beginning of a word. No word begins with this sign. Pairs of letters have no sign. */
export const beginningSign = '~'
/** The sign before a filter word. */
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
  let last: (TextWord & { isUnit: boolean }) | undefined
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
