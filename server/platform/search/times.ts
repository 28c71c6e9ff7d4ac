import { filterWord } from './words.ts'

/**
 * A time is a word of the index in several lengths: the spans of 2^10 seconds (17 minutes), of eight times as much, and so on up
 * to 8.5 years, so that a few words name any stretch of time.
 */
const spanBits = [10, 13, 16, 19, 22, 25, 28]
const spansMax = 8

const spanOf = (at: string, bits: number) => Math.floor(Date.parse(at) / 1000 / 2 ** bits)
const spanWord = (bits: number, span: number) => filterWord(`time ${bits}`, String(span))

export const timeWordsOf = (at: string): string[] => spanBits.map((bits) => spanWord(bits, spanOf(at, bits)))

/** Words of which each text from this stretch of time has one. None when the stretch is too long. */
export function timeWordsBetween(from: string, to: string): string[] {
  const bits = spanBits.find((each) => spanOf(to, each) - spanOf(from, each) < spansMax)
  if (bits === undefined) return []
  const first = spanOf(from, bits)
  return Array.from({ length: spanOf(to, bits) - first + 1 }, (_, n) => spanWord(bits, first + n))
}
