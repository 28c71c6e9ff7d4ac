import { lengthInCodePoints } from '#contract/text.ts'

export const lengthClasses = ['short', 'medium', 'long'] as const
/** How long a text is: a page at most, some pages, or more. */
export type LengthClass = (typeof lengthClasses)[number]

const characters = { short: 1000, medium: 6000 }

export function lengthClassOf(text: string): LengthClass {
  const length = lengthInCodePoints(text)
  return length <= characters.short ? 'short' : length <= characters.medium ? 'medium' : 'long'
}
