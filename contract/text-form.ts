import { isBlank, lengthInCodePoints } from '#contract/text.ts'

export const titleMaxLength = 80
const verseLineLength = 60

export interface TextForm {
  /** The first line, when a blank line follows it. */
  title: string | null
  /** The text below the title, or all of it. */
  body: string
  isVerse: boolean
}

/** Splits a text into title and body. Only the blank lines around a title are dropped. */
export function formOf(text: string): TextForm {
  const [title, body] = titleAndBody(text)
  return { title, body, isVerse: isVerse(body) }
}

/** Joins a title and a body in the way that `formOf` splits them. */
export const withTitle = (title: string, body: string) =>
  isBlank(title) ? body : isBlank(body) ? title : `${title}\n\n${body}`

const isTooLongForTitle = (line: string) => lengthInCodePoints(line.trim()) > titleMaxLength

function titleAndBody(text: string): [title: string | null, body: string] {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => !isBlank(line))
  const next = lines.findIndex((line, index) => index > first && !isBlank(line))
  const isSetApart = first >= 0 && next > first + 1
  if (!isSetApart || isTooLongForTitle(lines[first]!)) return [null, text]
  return [lines[first]!.trim(), lines.slice(next).join('\n')]
}

/** Most lines are short, and most of them follow each other without a blank line, as the lines of a stanza do. */
function isVerse(text: string): boolean {
  const lines = text.split('\n').map((line) => (isBlank(line) ? null : line.trim()))
  const written = lines.filter((line) => line !== null)
  const short = written.filter((line) => lengthInCodePoints(line) < verseLineLength)
  const followed = lines.filter((line, index) => line !== null && lines[index + 1] != null)
  return short.length * 2 > written.length && followed.length > 0 && followed.length * 2 >= written.length - 1
}
