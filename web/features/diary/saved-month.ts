import { paperDate } from '#contract/diary/dates.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import type { SavedText } from '#contract/saving/saved-text.ts'
import { monthName, monthOf } from './months.ts'

/** The days of a month of the diary, as its files contain them. */
export function savedMonth(month: string, entries: readonly DiaryEntry[]): SavedText {
  const days = entries.filter(({ entry_date }) => monthOf(entry_date) === month)
  const changes = days.flatMap(({ updated_at }) => updated_at ?? []).toSorted()
  return {
    fileTitle: `Diary ${month}`,
    title: `My diary, ${monthName(month)}`,
    introduction: '',
    note: days.length === 1 ? '1 day' : `${days.length} days`,
    parts: days.map(({ entry_date, content }) => ({ heading: paperDate(entry_date), content })),
    contributors: [],
    book: {
      id: `urn:uuid:${crypto.randomUUID()}`,
      changedAt: changes.at(-1) ?? new Date().toISOString(),
      textTitle: 'Days',
      listsParts: true,
    },
  }
}
