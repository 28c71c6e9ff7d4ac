import { parse, stringify } from 'yaml'

/** What stands above the text of a file. */
type FrontMatter = Readonly<Record<string, unknown>>

/** Longer front matter is not read: no file of ours has it, and parsing it would block the page. */
const longest = 16 * 1024

/** A Markdown file: the fields as YAML between two lines of `---`, and then the text as it is. */
export const writeFrontMatter = (fields: FrontMatter, text: string): string =>
  `---\n${stringify(fields, { lineWidth: 0 })}---\n${text}`

/**
 * The fields and the text of a Markdown file. A file without front matter, or with front matter that is no YAML, is a text
 * as a whole.
 */
export function readFrontMatter(file: string): { fields: FrontMatter; text: string } {
  const whole = { fields: {}, text: file }
  const opening = /^\ufeff?---[ \t]*\r?\n/.exec(file)
  if (opening === null) return whole
  const rest = file.slice(opening[0].length)
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(rest.slice(0, longest))
  if (closing === null) return whole
  const fields = mapIn(rest.slice(0, closing.index))
  return fields === undefined ? whole : { fields, text: rest.slice(closing.index + closing[0].length) }
}

function mapIn(yaml: string): FrontMatter | undefined {
  try {
    // The check for unique keys takes the square of their number.
    const value: unknown = parse(yaml, { logLevel: 'error', uniqueKeys: false }) ?? {}
    return typeof value === 'object' && !Array.isArray(value) ? (value as FrontMatter) : undefined
  } catch {
    return undefined
  }
}
