import { richText } from './day-one-rich-text.ts'
import type { Findings } from './findings.ts'
import type { FileOf, JsonReader } from './json-reader.ts'
import { checkedDay, instantOf, localTime } from './local-time.ts'
import { withoutEscapes } from './markdown-text.ts'
import { NotUnderstood } from './refused.ts'
import { type Fields, fieldsOf, hasValue, listOf, textOf } from './values.ts'

/** Lists of files that an entry has. What else stands about a file is often missing or wrong, and is not read. */
const attachmentLists = ['photos', 'videos', 'audios', 'pdfAttachments']

/**
 * A journal in the JSON of Day One: `{"metadata", "entries"}`, one file for each journal. `creationDate` is in UTC, and the
 * day of an entry is that of its `timeZone`. An entry counts once, and each picture or recording that it names once.
 */
export function dayOneReader(path: string, findings: Findings, fileOf: FileOf): JsonReader {
  let count = 0
  return {
    add(read) {
      const place = `${path}, entry ${++count}`
      findings.attempt(place, () => addEntry(fieldsOf(read()), place, fileOf, findings))
    },
  }
}

function addEntry(entry: Fields, place: string, fileOf: FileOf, findings: Findings) {
  const written = textOfEntry(entry)
  const { day, time } = whenOf(entry, place, findings)
  const names = new Set(written.attachments)
  for (const list of attachmentLists) {
    for (const attachment of listOf(entry[list]).map(fieldsOf)) {
      const { identifier, md5 } = attachment
      const name = textOf(identifier) || textOf(md5) || 'without a name'
      names.delete(name)
      findings.skipAttachment(place, name, fileOf(`${list.replace('Attachments', 's')}/${textOf(md5)}`))
    }
  }
  for (const name of names) findings.skipAttachment(place, name)
  if (hasValue(entry['location'])) findings.leaveOut('place', place)
  if (hasValue(entry['weather'])) findings.leaveOut('weather', place)
  if (hasValue(entry['tags'])) findings.leaveOut('tags', place)
  findings.addForeign({ kind: 'day', of: 'diary', day, time, text: written.text, place })
}

function whenOf(entry: Fields, place: string, findings: Findings) {
  const instant = instantOf(entry['creationDate'])
  if (!instant) throw new NotUnderstood('This entry has no date.')
  const zone = textOf(entry['timeZone']) || 'UTC'
  let local = localTime(instant, zone)
  if (!local) {
    findings.noteUnknownZone(place)
    local = localTime(instant, 'UTC')!
  }
  return { day: checkedDay(local.day), time: entry['isAllDay'] === true ? null : local.time }
}

/** `richText` is newer than `text`, and may be empty. */
function textOfEntry(entry: Fields): { text: string; attachments: string[] } {
  const rich = richText(textOf(entry['richText']))
  return rich ?? plainText(textOf(entry['text']))
}

/** Markdown with escapes and with references to pictures: `![](dayone-moment://ID)`. */
function plainText(markdown: string): { text: string; attachments: string[] } {
  const attachments: string[] = []
  const text = markdown.replace(reference, (_all, name: string) => {
    attachments.push(name)
    return ''
  })
  return { text: withoutEscapes(text).trim(), attachments }
}

// Brackets end each part, so that the search takes linear time.
const reference = /!\[[^[\]\n]*\]\(dayone-moment:\/(?:\/|[a-zA-Z]+\/)([^()\s]*)\)/g
