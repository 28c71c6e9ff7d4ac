import { AnyText } from '#contract/schemas.ts'
import { cut } from '#contract/text.ts'

/** The lines of a list that an admin writes. White space around them and blank lines do not count. */
export const linesOf = (list: string): string[] =>
  list
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const quoted = (line: string) => `‘${cut(line, 60)}’`

interface LinesRules {
  maxLines: number
  maxCharacters: number
  errorOf?: (line: string) => string | undefined
}

/** A list of an admin, one thing a line. */
export const Lines = ({ maxLines, maxCharacters, errorOf }: LinesRules) =>
  AnyText(maxCharacters).check(({ value, issues }) => {
    const lines = linesOf(value)
    const message =
      lines.length > maxLines
        ? `Please write at most ${maxLines} lines.`
        : lines.map((line) => errorOf?.(line)).find((error) => error !== undefined)
    if (message !== undefined) issues.push({ code: 'custom', input: value, message })
  })
