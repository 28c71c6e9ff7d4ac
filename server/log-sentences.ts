import type { DestinationStream } from 'pino'

/** A log line of pino. `describeError` has made its error. */
type Entry = { level: number; time: string; msg: string; err?: DescribedError } & Fields
type DescribedError = { type: string; stack?: string[]; cause?: DescribedError } & Fields
type Fields = Record<string, unknown>

/** Writes the JSON lines of the log as sentences for a person at a terminal. */
export const asSentences = (destination: Pick<DestinationStream, 'write'>): DestinationStream => ({
  write: (line) => destination.write(sentencesOf(JSON.parse(line) as Entry)),
})

function sentencesOf({ level, time, msg, err, ...fields }: Entry): string {
  const first = `${clockOf(time)} ${prefixes[level] ?? ''}${msg}${listOf(fields)}`
  return [first, ...(err ? linesOf(err, '') : [])].map((line) => `${escapeControls(line)}\n`).join('')
}

const prefixes: Record<number, string> = { 20: 'Debug: ', 40: 'Warning: ', 50: 'Error: ', 60: 'Fatal: ' }

function linesOf({ type, stack = [], cause, ...details }: DescribedError, prefix: string): string[] {
  const first = `  ${prefix}${type}${listOf(details)}`
  return [first, ...stack, ...(cause ? linesOf(cause, 'caused by ') : [])]
}

/** The other fields of a line, such as ` (route: /api/feed, status: 200)`. */
function listOf(fields: Fields): string {
  const named = Object.entries(fields).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return named.length === 0 ? '' : ` (${named.join(', ')})`
}

/** Date and time in the zone of the machine. */
const clockOf = (time: string) => new Date(time).toLocaleString('sv')

/**
 * Escapes what could forge a line or change a terminal (S49): controls, line separators and characters that turn the
 * direction of a text. They are in the categories C and Z of Unicode.
 */
const escapeControls = (line: string) =>
  line.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`)
