// Rules for what people type (S28). NFC is for counting and comparing only; stored is what was typed.

/** U+0000 and lone surrogates, which a database cannot keep. */
export const hasRefusedCharacters = (text: string) => text.includes('\0') || /\p{Cs}/u.test(text)

export const withLf = (text: string) => text.replaceAll('\r\n', '\n')

/** Nothing to see: only white space and characters without width. */
export const isBlank = (text: string) => !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u.test(text)

export const lengthInCodePoints = (text: string) =>
  text.normalize('NFC').replace(/[\u{10000}-\u{10FFFF}]/gu, '_').length

/**
 * A preview: at most `max` code points of the text, with its line breaks.
 * Only a text that was cut ends in '…', which comes on top of `max`.
 */
export function cut(text: string, max: number): string {
  // `max` code points never take more than 2 * max units: the rest of a long text is not looked at.
  const head = Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join('')
  return head.length === text.length ? text : `${head}…`
}

export const countWords = (text: string) => text.match(/\S+/g)?.length ?? 0
