import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex } from '@noble/hashes/utils'
import { getCalendar } from '#contract/calendar/endpoints.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { isBlank } from '#contract/text.ts'
import { type ArchiveCalls, pagesOf } from './calls.ts'
import { type ArchiveFile, jsonList } from './file.ts'
import { writeFrontMatter } from './front-matter.ts'
import { calendarPath, dayOnePath, diaryPath } from './layout.ts'

/** How many days one request asks for. Most answers are then a few megabytes at most. */
const daysAtOnce = 100

/** The diary, newest day first, and then the same texts as one file for other programs. */
export async function* diaryFiles(calls: ArchiveCalls, personId: string): AsyncGenerator<ArchiveFile> {
  for await (const { entry_date, content, updated_at } of entriesOf(calls))
    yield { path: diaryPath(entry_date), content: dayFile(entry_date, updated_at, content) }
  // The days are read once more, so that they are never all in memory.
  yield {
    path: dayOnePath,
    content: jsonList(dayOneEntries(calls, personId), {
      before: '{"metadata":{"version":"1.0"},"entries":',
      after: '}',
    }),
  }
}

export async function* calendarFiles(calls: ArchiveCalls): AsyncGenerator<ArchiveFile> {
  for await (const page of pagesOf(calls, getCalendar, { limit: daysAtOnce }))
    for (const { note_date, content, updated_at } of page.toReversed())
      if (!isBlank(content))
        yield { path: calendarPath(note_date), content: dayFile(note_date, updated_at, content) }
}

/** Entries with text: a day that was emptied leaves no file. */
async function* entriesOf(calls: ArchiveCalls): AsyncGenerator<DiaryEntry> {
  // The first page has the newest days. Within a page the oldest day is first.
  for await (const page of pagesOf(calls, getDiary, { limit: daysAtOnce }))
    yield* page.toReversed().filter(({ content }) => !isBlank(content))
}

/** When a day was first written is not stored. */
const dayFile = (date: string, updatedAt: string | null, text: string) =>
  writeFrontMatter({ date, created_at: null, updated_at: updatedAt }, text)

async function* dayOneEntries(calls: ArchiveCalls, personId: string) {
  for await (const entry of entriesOf(calls)) yield dayOneEntry(entry, personId)
}

/** An entry as Day One exports it. The same day always has the same id, so that a second import adds nothing. */
const dayOneEntry = ({ entry_date, content, updated_at }: DiaryEntry, personId: string) => ({
  uuid: bytesToHex(sha256(`${personId} ${entry_date}`))
    .slice(0, 32)
    .toUpperCase(),
  // Noon in UTC is the same day in almost every time zone.
  creationDate: `${entry_date}T12:00:00Z`,
  ...(updated_at !== null && { modifiedDate: `${updated_at.slice(0, 19)}Z` }),
  timeZone: 'UTC',
  isAllDay: true,
  text: content,
})
