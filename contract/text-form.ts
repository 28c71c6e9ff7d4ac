import { isBlank, lengthInCodePoints } from '#contract/text.ts'

export const titleMaxLength = 80
const verseLineLength = 60
const longVerseLineLength = 200

export interface TextForm {
  /** The first line, when a blank line follows it. */
  title: string | null
  /** The text below the title, or all of it. */
  body: string
  isVerse: boolean
}

/** Splits a text into title and body. Only the blank lines around a title are dropped. `chosen` is the form that the author chose. */
export function formOf(text: string, chosen?: 'verse' | 'prose' | null): TextForm {
  const [title, body] = titleAndBody(text)
  return { title, body, isVerse: chosen ? chosen === 'verse' : isVerse(body) }
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

/**
 * Most lines follow each other without a blank line, as the lines of a stanza do, and most of them are short, or they stand
 * in stanzas of which none has a line as long as a paragraph.
 */
function isVerse(text: string): boolean {
  const lines = text.split('\n').map((line) => (isBlank(line) ? '' : line.trim()))
  const written = lines.filter((line) => line)
  const followed = lines.filter((line, at) => line && lines[at + 1])
  const countShorter = (max: number) => written.filter((line) => lengthInCodePoints(line) < max).length
  const stanzas = lines.filter((line, at) => line && lines[at + 1] && !lines[at - 1])
  const width = Math.max(...lines.map((line) => line.length))
  // Prose that was broken at a fixed width: the first word of each line had no room on the line above.
  const isBroken = (line: string, at: number) =>
    line && lines[at + 1] && line.length + lines[at + 1]!.split(' ', 1)[0]!.length < width
  // Prose is seldom broken at more than 80 columns, and its paragraphs are often longer than a quatrain.
  const isInShortStanzas = () => width > 80 && !/^(.+\n){4}./m.test(lines.join('\n'))
  return (
    followed.length > 0 &&
    followed.length * 2 >= written.length - 1 &&
    (countShorter(verseLineLength) * 2 > written.length ||
      (stanzas.length > 1 &&
        countShorter(longVerseLineLength) === written.length &&
        (lines.some(isBroken) || isInShortStanzas())))
  )
}
