import { isBlank } from '#contract/text.ts'

const shownMax = 80

/** The first line with letters in it, shortened. */
export function firstLineOf(text: string): string {
  const line = text.split('\n').find((each) => !isBlank(each)) ?? ''
  const letters = [...line.trim()]
  if (letters.length <= shownMax) return letters.join('')
  const wholeWords = letters
    .slice(0, shownMax)
    .join('')
    .replace(/\s+\S*$/, '')
  return `${wholeWords}…`
}
