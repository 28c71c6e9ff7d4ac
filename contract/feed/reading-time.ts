const wordsPerMinute = 200
const charactersPerMinute = 400

/** A character of a script without spaces between words. The last two lengthen the vowel before them. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\u30fc\uff70]/gu
const word = /[\p{L}\p{N}]\S*/gu

/** How many minutes it takes to read a text, rounded. A script without spaces is counted in characters, every other in words. */
export function readingMinutes(text: string): number {
  const characters = text.match(unspaced)?.length ?? 0
  const words = text.replace(unspaced, ' ').match(word)?.length ?? 0
  return Math.round(words / wordsPerMinute + characters / charactersPerMinute)
}
