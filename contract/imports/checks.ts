import { hasRefusedCharacters, hasTooManyMarks, isBlank, marksMax } from '#contract/text.ts'

/** Why a text cannot be stored. */
export function textRefusal(text: string): string | undefined {
  if (isBlank(text)) return 'There is no text.'
  if (hasRefusedCharacters(text)) return 'This text holds characters that cannot be kept.'
  if (hasTooManyMarks(text)) return `This text has more than ${marksMax} combining marks in a row.`
  return undefined
}

/** The bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) continue
    // The two units of a surrogate pair take four bytes together.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2
  }
  return bytes
}
