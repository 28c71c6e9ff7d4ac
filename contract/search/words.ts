import { unspacedScripts } from '#contract/search/query.ts'

/** A word of a text as the index of the search stores it, and where the word stands in the text. */
export interface TextWord {
  /** As `folded` returns the word. */
  word: string
  from: number
  to: number
  /** The number of the word in the text. Words that follow each other have numbers that follow each other. */
  position: number
  /** Whether it is a letter of a script without spaces. */
  isUnit: boolean
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

/** The words of a text in order, as the search finds them. In a script without spaces every letter is a word. */
export function* wordsOf(text: string): Generator<TextWord> {
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
