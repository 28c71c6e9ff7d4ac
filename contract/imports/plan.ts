import { calendarErrors } from '#contract/calendar/errors.ts'
import { calendarMaxMiB } from '#contract/calendar/note.ts'
import { isDay } from '#contract/days.ts'
import { diaryMaxMiB } from '#contract/diary/entry.ts'
import { diaryErrors } from '#contract/diary/errors.ts'
import { byteLength } from './checks.ts'
import { addCounts, type ImportCounts, noCounts } from './counts.ts'
import type { ImportedDay, ImportedFile, ImportFormat } from './entry.ts'
import { type ImportItem, skippedItem, type PlannedProblem } from './item.ts'
import { type DayKind, type DayWrite, planDay, type StoredDay } from './plan-day.ts'
import { type DocumentWrite, type DraftWrite, planTexts, type StoredTexts } from './plan-text.ts'

/** What a person has before an import. */
export interface StoredWriting {
  diary: ReadonlyMap<string, StoredDay>
  calendar: ReadonlyMap<string, StoredDay>
  drafts: StoredTexts
  documents: StoredTexts
}

type ImportWrite = DayWrite | DraftWrite | DocumentWrite
export type PlannedItem = ImportItem<ImportWrite>

/** What an import does, or did. Each entry of the file counts in one item. */
export interface ImportPlan {
  format: ImportFormat
  items: PlannedItem[]
}

/** Compares a file with what the person has. Pure, and without a memory of earlier imports. */
export function planImport(file: ImportedFile, stored: StoredWriting): ImportPlan {
  const { format, entries } = file
  const items: PlannedItem[] = [itemOfReader(file)]
  for (const kind of ['diary', 'calendar'] as const) {
    const days = entries.filter((entry) => entry.kind === 'day' && entry.of === kind) as ImportedDay[]
    const wrong = days.filter(({ day }) => !isDay(day)).map(({ place }) => place)
    items.push(skippedItem(wrong, 'Days are those of 1900 to 2100.'))
    let bytesLeft = maxBytes[kind] - totalBytes(stored[kind])
    for (const ofDay of byDay(days)) {
      const before = stored[kind].get(ofDay[0]!.day) ?? { text: '', updatedAt: null }
      const planned = planDay(ofDay, before, { format, bytesLeft, fullReason: fullReasons[kind] })
      bytesLeft -= planned.addedBytes
      items.push(planned)
    }
  }
  const texts = entries.filter((entry) => entry.kind !== 'day')
  for (const item of planTexts(format, texts, stored)) items.push(item)
  return { format, items }
}

/** What the reader of the file has not taken. */
const itemOfReader = ({ notUnderstood, skipped }: ImportedFile): PlannedItem => ({
  counts: { ...noCounts(), notUnderstood: notUnderstood.length, skipped: skipped.length },
  problems: [
    ...notUnderstood.map((problem) => ({ kind: 'not understood' as const, ...problem })),
    ...skipped.map((problem) => ({ kind: 'skipped' as const, ...problem })),
  ],
  write: undefined,
})

const maxBytes: Record<DayKind, number> = { diary: diaryMaxMiB * 2 ** 20, calendar: calendarMaxMiB * 2 ** 20 }
const fullReasons = { diary: diaryErrors.DiaryFull.error, calendar: calendarErrors.CalendarFull.error }

function totalBytes(days: ReadonlyMap<string, StoredDay>): number {
  let bytes = 0
  for (const { text } of days.values()) bytes += byteLength(text)
  return bytes
}

/** The entries of each real day, the oldest day first. */
function byDay(entries: readonly ImportedDay[]): ImportedDay[][] {
  const days = new Map<string, ImportedDay[]>()
  for (const entry of entries) {
    if (!isDay(entry.day)) continue
    const day = days.get(entry.day)
    if (day === undefined) days.set(entry.day, [entry])
    else day.push(entry)
  }
  return [...days.entries()].toSorted(([day], [other]) => (day < other ? -1 : 1)).map(([, each]) => each)
}

export function totalsOf({ items }: ImportPlan): { counts: ImportCounts; problems: PlannedProblem[] } {
  const counts = noCounts()
  const problems: PlannedProblem[] = []
  for (const item of items) {
    addCounts(counts, item.counts)
    for (const problem of item.problems) problems.push(problem)
  }
  return { counts, problems }
}

/** How many texts a plan writes, by what they become. */
export function countWrites({ items }: ImportPlan): Record<DayKind | 'draft' | 'document', number> {
  const count = { diary: 0, calendar: 0, draft: 0, document: 0 }
  for (const { write } of items)
    if (write !== undefined) count[write.kind === 'day' ? write.of : write.kind]++
  return count
}
