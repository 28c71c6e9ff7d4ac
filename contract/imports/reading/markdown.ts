import { readFrontMatter } from '#contract/archive/front-matter.ts'
import { isDay } from '#contract/days.ts'
import { withTitle } from '#contract/text-form.ts'
import type { ImportedEntry } from '../entry.ts'
import type { Findings } from './findings.ts'
import { readHtml } from './html.ts'
import { instantOf, instantText, type LocalTime, localTime, timeOf, writtenTime } from './local-time.ts'
import { headingOf } from './markdown-text.ts'
import { tagsReadMax } from './refused.ts'
import { extensionOf, hasExtension, type SourceFile, stemOf } from './source.ts'
import { listOf, textOf } from './values.ts'

export const isTextFile = (path: string): boolean =>
  hasExtension(path, 'md', 'markdown', 'mdown', 'txt', 'text', 'html', 'htm')

type Fields = Readonly<Record<string, unknown>>

/**
 * A folder or ZIP of Markdown, plain text or HTML files, as Obsidian, Jekyll, Diarly and Journey write them. A file counts
 * once. A date in the front matter or the name makes it a day of the diary; a post of Jekyll becomes a draft, and a text
 * without a date a document. Markdown stays as it was typed.
 */
export async function readMarkdown(files: readonly SourceFile[], findings: Findings): Promise<void> {
  for (const file of files) {
    const place = file.path
    await findings.attemptFile(place, async () => {
      const whole = await file.text()
      const isHtml = hasExtension(place, 'html', 'htm')
      const { fields, text } = isHtml ? readPage(whole, place, findings) : readFrontMatter(whole)
      findings.addForeign(entryOf(place, fields, text.trim(), findings))
    })
  }
}

function readPage(html: string, place: string, findings: Findings): { fields: Fields; text: string } {
  const { text, parts, attachments } = readHtml(html, {
    partOf: (name) => (name === 'h1' ? 'title' : undefined),
  })
  for (const name of attachments) findings.skipAttachment(place, name, resolvePath(name, place))
  return { fields: { title: parts.get('title') ?? '' }, text }
}

function entryOf(place: string, fields: Fields, text: string, findings: Findings): ImportedEntry {
  const date = dateIn(fields)
  const title = textOf(fields['title']).trim()
  if (isPost(place, fields)) {
    const createdAt = instantText(date) ?? instantText(`${writtenDay(place, date)?.day} 00:00`)
    const [category = null, ...more] = namesIn(fields, 'categories', 'category')
    return {
      kind: 'draft',
      title,
      text,
      createdAt,
      category,
      tags: [...more, ...namesIn(fields, 'tags', 'tag')].slice(0, tagsReadMax),
      place,
    }
  }
  if (Object.keys(fields).some((name) => !understoodFields.has(name.toLowerCase())))
    findings.leaveOut('front matter', place)
  const when = zoned(date, fields) ?? writtenDay(place, date)
  if (when) return { kind: 'day', of: 'diary', ...when, text: titled(title, text), place }
  const name = title || headingOf(text) || stemOf(place)
  return {
    kind: 'document',
    source: sources[extensionOf(place)] ?? 'Markdown',
    title: name,
    text,
    createdAt: null,
    place,
  }
}

const sources: Record<string, string> = { txt: 'Text file', text: 'Text file', html: 'HTML', htm: 'HTML' }

/** Jekyll keeps posts in these folders, and other programs name the layout. */
const isPost = (place: string, { layout }: Fields) =>
  /(?:^|\/)_(?:posts|drafts)\//.test(place) || layout === 'post'

/** A title in the front matter is the first line of the day, unless the text begins with it. */
const titled = (title: string, text: string) => {
  const first = headingOf(text) || text.split('\n', 1)[0]!.trim()
  return first === title ? text : withTitle(title, text)
}

const dateNames = [
  'date',
  'day',
  'created',
  'created_at',
  'createdat',
  'creation date',
  'creationdate',
  'date created',
]
const zoneNames = ['timezone', 'time_zone', 'tz']
const understoodFields = new Set([...dateNames, ...zoneNames, 'title', 'layout'])

const valueOf = (fields: Fields, names: readonly string[]) =>
  Object.entries(fields).find(
    ([name, value]) => names.includes(name.toLowerCase()) && typeof value === 'string',
  )?.[1]

const dateIn = (fields: Fields) => textOf(valueOf(fields, dateNames)).trim()

/** An instant in UTC beside the name of a zone. */
function zoned(date: string, fields: Fields): LocalTime | undefined {
  const zone = textOf(valueOf(fields, zoneNames))
  const instant = zone !== '' && /Z$/i.test(date) ? instantOf(date) : undefined
  const local = instant && localTime(instant, zone)
  return local && isDay(local.day) ? local : undefined
}

const writtenDay = (place: string, date: string) => writtenTime(date) ?? dayInPath(place)

/**
 * The day in a path: `2024-03-01.md`, `2024-03-01 08-30 Walk.md`, `2024_03_01.md`, `20240301.md` or `2024/03/01.md`. A time
 * stands behind a space, a `T` or an underscore.
 */
function dayInPath(path: string): LocalTime | undefined {
  const [, folders] = /(?:^|\/)(\d{4}\/\d{2}\/\d{2})(?:\.[a-z]+|[ _-][^/]*)$/i.exec(path) ?? []
  if (folders && isDay(folders.replaceAll('/', '-'))) return { day: folders.replaceAll('/', '-'), time: null }
  const name = stemOf(path)
  const match =
    /(?<!\d)(\d{4})([-_.])(\d{2})\2(\d{2})(?!\d)/.exec(name) ?? /^(\d{4})()(\d{2})(\d{2})(?!\d)/.exec(name)
  if (!match) return undefined
  const day = `${match[1]}-${match[3]}-${match[4]}`
  if (!isDay(day)) return undefined
  const rest = name.slice(match.index + match[0].length)
  const [, hours, minutes] = /^[T _](\d{2})[-:.h]?(\d{2})(?![\d])/.exec(rest) ?? []
  return { day, time: hours ? timeOf(`${hours}:${minutes}`) : null }
}

/** Names in a list, or in a text with spaces or commas, as Jekyll allows both. */
function namesIn(fields: Fields, ...names: string[]): string[] {
  return names.flatMap((name) => {
    const value = fields[name]
    return typeof value === 'string'
      ? value.split(/[,\s]+/).filter(Boolean)
      : listOf(value).map(textOf).filter(Boolean)
  })
}

/** The path in the import that a relative address of a file leads to. */
export function resolvePath(address: string, from: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const part of address.replace(/[?#].*$/s, '').split('/', 50)) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return decoded(parts.join('/'))
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
