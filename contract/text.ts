// Rules for texts that people type (S28). Texts are stored as typed; NFC is used only to count and to compare them.

/** U+0000 and lone surrogates, which a database cannot keep. */
export const hasRefusedCharacters = (text: string) =>
  text.includes('\0') || (/[\ud800-\udfff]/.test(text) && /\p{Cs}/u.test(text))

export const withLf = (text: string) => text.replaceAll('\r\n', '\n')

/**
 * Whether a text shows nothing: white space, characters without width, controls, fillers and blank symbols.
 * Unicode has no property for the last line of this list.
 */
export const isBlank = (text: string) =>
  !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Noncharacter_Code_Point}\u070f\u2800\ufff9-\ufffc\u{13430}-\u{1343f}\u{13441}\u{13442}\u{16fe4}\u{1d159}]/u.test(
    text,
  )

/** The bound of UAX #15 (stream-safe). */
export const marksMax = 30
/** By code point: 0 before the first question, then 1 for no mark and 2 for a mark. Asking a pattern each time takes ten times as long. */
let marks: Uint8Array | undefined
const isMark = (point: number) =>
  ((marks ??= new Uint8Array(0x110000))[point] ||= /\p{M}/u.test(String.fromCodePoint(point)) ? 2 : 1) === 2

/**
 * More than `marksMax` combining marks in a row. No script in use has so many,
 * and the time to normalise them grows with their square. The check itself is linear (S51).
 */
export function hasTooManyMarks(text: string): boolean {
  if (text.length <= marksMax) return false
  let inRow = 0
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at)!
    if (point > 0xffff) at++
    inRow = isMark(point) ? inRow + 1 : 0
    if (inRow > marksMax) return true
  }
  return false
}

/** The text in NFC. A text with too many marks, stored before that rule existed, stays as it is. */
export const nfc = (text: string) => (hasTooManyMarks(text) ? text : text.normalize('NFC'))

export const lengthInCodePoints = (text: string) => nfc(text).replace(/[\u{10000}-\u{10FFFF}]/gu, '_').length

// The longest spelling of one character of NFC, in UTF-16 units.
const longestCharacter = 6

/** Has every code point that NFC writes as several, and some others. A text without them is no longer in NFC than as typed. */
const growing = /[\u0344\u0958-\u0fb9\u2adc\ufb1d-\ufb4e\ud834]/
/** Parts of a text, of which each can be normalised alone: none begins with a character that NFC joins with the one before. */
const parts = /[^]{1,10000}[\p{M}\u1160-\u11ff\u{16d67}]*/gu

/** Whether a text has at most `max` characters. No more of it is normalised than is needed, because that takes long (S51). */
export function fits(text: string, max: number): boolean {
  if (text.length > longestCharacter * max) return false
  if (text.length <= max && !growing.test(text)) return true
  let length = 0
  for (const [part] of text.matchAll(parts)) {
    length += lengthInCodePoints(part)
    if (length > max) return false
  }
  return true
}

/**
 * A preview: at most `max` code points of the text, with its line breaks.
 * Only a text that was cut ends in '…', which is not counted in `max`.
 */
export function cut(text: string, max: number): string {
  // `max` code points never take more than 2 * max units: the rest of a long text is not read.
  const head = Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join('')
  return head.length === text.length ? text : `${head}…`
}

export const countWords = (text: string) => text.match(/\S+/g)?.length ?? 0
