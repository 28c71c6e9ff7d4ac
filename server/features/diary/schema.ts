import { date, index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { diaryMaxMiB } from '#contract/diary/entry.ts'
import { type DayTexts, dayText, writer } from '#server/features/day-texts/index.ts'

export const diaryEntries = pgTable(
  'diary_entries',
  { userId: writer(), entryDate: date().notNull(), ...dayText() },
  (table) => [
    primaryKey({ columns: [table.userId, table.entryDate] }),
    // Serves: what a person's diary takes, without reading its texts.
    index('diary_size_of_person').on(table.userId, table.size),
  ],
)

export const diaryTexts: DayTexts = {
  kind: 'diary',
  table: 'diary_entries',
  day: 'entry_date',
  maxBytes: diaryMaxMiB * 1024 * 1024,
}
