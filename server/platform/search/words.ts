import { unspacedScripts } from '#contract/search/query.ts'

/** A word as the index of the search stores it, and where it stands in the text. */
export interface FoundWord {
  /** Without marks and case. */
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

// Marks that readers leave out when they type: accents, and the vowel points of Hebrew and Arabic. A voiced kana is another
// letter, and so is a vowel sign of an Indic script.
const leftOut =
  /(?![\u3099\u309a])(?=\p{M})[\p{sc=Zinh}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}]/gu
const others: Record<string, string> = { ß: 'ss', ς: 'σ', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i' }
const otherLetters = new RegExp(`[${Object.keys(others).join('')}\u00ad\u200c\u200d\u0640]`, 'gu')

/** A word without marks and case: 'É' and 'e' are the same, and so are all forms of a letter. */
export function folded(word: string): string {
  if (/^[\0-\x7f]*$/.test(word)) return word.toLowerCase()
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(leftOut, '')
    .replaceAll(otherLetters, (letter) => others[letter] ?? '')
    .replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')
    .normalize('NFC')
}

/** The words of a text in order. In a script without spaces every letter is a word. */
export function* wordsOf(text: string): Generator<FoundWord & { isUnit: boolean }> {
  let position = 0
  for (const match of text.matchAll(wordOrUnit)) {
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
// Postgres stores no higher position. Later words are counted from 1 again, so that neighbours stay neighbours.
const maxPosition = 16_000
/** Beginnings of these lengths are words of the index, so that a short one, which many words have, is found as quickly as a word. */
export const shortBeginnings = [2, 3, 4]

/** How a beginning of a word, a pair of letters and a fact about the text are stored: no word begins with these signs. */
export const beginningSign = '~'
const factSign = '='

/** A fact about a text that a search can require, such as `form verse`. */
export const factWord = (name: string, value: string): string =>
  `${factSign}${name} ${[...wordsOf(value)].map(({ word }) => word).join(' ')}`

/**
 * The words of a text for a column of the type `tsvector`: its words, their short beginnings, the pairs of letters of scripts
 * without spaces, and facts. Words before `titleEnd` weigh more.
 */
export function vectorOf(text: string, titleEnd: number, facts: readonly string[]): string {
  const positions = new Map<string, string[]>()
  const bare = new Set(facts)
  let bytes = 0
  const add = (word: string, { position, from }: FoundWord) => {
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
  let last: (FoundWord & { isUnit: boolean }) | undefined
  for (const found of wordsOf(text)) {
    if (bytes > maxBytes) break
    if (!positions.has(found.word) && !found.isUnit) beginningsOf(found.word).forEach(addBare)
    add(found.word, found)
    if (found.isUnit && last?.isUnit && last.to === found.from) add(last.word + found.word, last)
    last = found
  }
  const words = Array.from(positions, ([word, at]) => `'${word}':${at.join(',')}`)
  return [...words, ...Array.from(bare, (word) => `'${word}'`)].join(' ')
}

/** Postgres stores no more positions of a word. */
const maxPositions = 255
/** Postgres refuses words of more than 1,048,575 bytes. Words behind these bytes are not found. */
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
