import { cut } from '#contract/text.ts'

const maxLength = 80

/** The first line of a text, as a list shows it. */
export const firstLineOf = (text: string): string => cut(text.trim().split('\n', 1)[0]!, maxLength)
