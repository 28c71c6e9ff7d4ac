import { isDay } from '#contract/days.ts'
import { withTitle } from '#contract/text-form.ts'
import type { Findings } from './findings.ts'
import { hasClass, readHtml } from './html.ts'
import { resolvePath } from './markdown.ts'
import { NotUnderstood } from './refused.ts'
import { type SourceFile, stemOf } from './source.ts'

export const isAppleEntry = (path: string): boolean => /(?:^|\/)Entries\/[^/]+\.html$/.test(path)

/**
 * An export of Apple Journal: `index.html`, `Entries/*.html` and `Resources/`. Apple describes it nowhere; the names of the
 * classes are those of exported files (obsidianmd/obsidian-importer, pull request 491). An entry counts once, each of its
 * pictures once, and what else stands in its grid of attachments, such as places, once for the whole import.
 */
export async function readAppleJournal(files: readonly SourceFile[], findings: Findings): Promise<void> {
  for (const file of files) {
    const place = file.path
    await findings.attemptFile(place, async () => {
      const { text, parts, attachments } = readHtml(await file.text(), { partOf })
      for (const name of attachments) findings.skipAttachment(place, name, resolvePath(name, place))
      if (parts.get('places')) findings.leaveOut('place', place)
      const header = parts.get('day') ?? ''
      const day = dayInName(stemOf(place)) ?? dayInHeader(header)
      if (!day)
        throw new NotUnderstood(`Its date is written in a way that is not known: ${header.slice(0, 100)}`)
      const title = parts.get('title') ?? ''
      const body = withTitle(parts.get('prompt') ?? '', text)
      findings.addForeign({ kind: 'day', of: 'diary', day, time: null, text: withTitle(title, body), place })
    })
  }
}

function partOf(_name: string, attributes: Record<string, string>): string | undefined {
  if (hasClass(attributes, 'pageHeader')) return 'day'
  if (hasClass(attributes, 'title')) return 'title'
  if (hasClass(attributes, 'reflectionPrompt')) return 'prompt'
  return hasClass(attributes, 'assetGrid') ? 'places' : undefined
}

/** Names of newer exports begin with the day, or have it behind a word. */
function dayInName(name: string): string | undefined {
  const day = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/.exec(name)?.[0]
  return day && isDay(day) ? day : undefined
}

const months = 'january february march april may june july august september october november december'.split(
  ' ',
)

/** 'Sunday, 3 November 2024' or 'Sunday, November 3, 2024'. */
function dayInHeader(header: string): string | undefined {
  const words: string[] =
    header
      .toLowerCase()
      .slice(0, 100)
      .match(/[a-z]+|\d+/g) ?? []
  const month = months.findIndex((name) => words.includes(name)) + 1
  const year = words.find((word) => /^\d{4}$/.test(word))
  const date = words.find((word) => /^\d{1,2}$/.test(word))
  const day = `${year}-${String(month).padStart(2, '0')}-${date?.padStart(2, '0')}`
  return isDay(day) ? day : undefined
}
