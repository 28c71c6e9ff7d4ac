/**
 * The trigrams of a text: each three letters that follow each other in a word, as a number of 16 bits. When a database finds one
 * text within another, in any case of the letters, the outer text has all trigrams of the inner one. This must be so in every
 * locale, because the locale decides which letters are the same. So case and marks do not count here: in Turkish the lower case
 * of `I` is `ı`, and in Lithuanian that of `Ì` is an `i` with two marks.
 */
export function trigramsOf(text: string): number[] {
  const found = new Set<number>()
  let [first, second, length] = [0, 0, 0]
  for (let index = 0; index < text.length; index++) {
    const letter = letterOf(text.charCodeAt(index))
    if (letter === mark) continue
    length = letter === noLetter ? 0 : length + 1
    if (length >= 3) found.add(numberOf(first, second, letter))
    ;[first, second] = [second, letter]
  }
  return [...found]
}

const [unknown, noLetter, mark] = [0, 1, 2]
/** The folded letter of each code unit that was in a text, or one of the three values above. */
const letters = new Uint16Array(2 ** 16)

function letterOf(unit: number): number {
  if (letters[unit] === unknown) letters[unit] = folded(String.fromCharCode(unit))
  return letters[unit]!
}

/** A character of two code units, such as an emoji, ends a word: neither half is a letter. */
function folded(letter: string): number {
  if (/\p{M}/u.test(letter)) return mark
  if (!/[\p{L}\p{N}]/u.test(letter)) return noLetter
  // A database with a later version of Unicode may know the other case of a letter that has none here.
  if (/[\p{Lu}\p{Ll}\p{Lt}]/u.test(letter) && letter.toLowerCase() === letter.toUpperCase()) return noLetter
  const bare = letter.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')
  // A syllable of Hangul is several letters in this form. It has no case, and stays as it is.
  const one = bare.length === 1 ? bare : letter
  return (sameLetters[one] ?? one).charCodeAt(0)
}

/** Other lower cases of a letter. */
const sameLetters: Record<string, string> = { ı: 'i', ς: 'σ' }

/** A number from -32,768 to 32,767. Different trigrams may have the same number. */
function numberOf(first: number, second: number, third: number): number {
  const mixed = Math.imul(Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b) ^ third, 0xc2b2ae35)
  return mixed >> 16
}
