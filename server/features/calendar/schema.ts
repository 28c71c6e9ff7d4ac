import { date, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { calendarMaxMiB } from '#contract/calendar/note.ts'
import { type DayTexts, dayText, writer } from '#server/features/day-texts/index.ts'

export const calendarNotes = pgTable(
  'calendar_notes',
  { userId: writer(), noteDate: date().notNull(), ...dayText() },
  (table) => [primaryKey({ columns: [table.userId, table.noteDate] })],
)

export const calendarTexts: DayTexts = {
  kind: 'calendar',
  table: 'calendar_notes',
  day: 'note_date',
  maxBytes: calendarMaxMiB * 1024 * 1024,
}
