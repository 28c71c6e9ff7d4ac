import * as z from 'zod/mini'
import { Day, Instant } from '#contract/schemas.ts'

/** In code points. */
export const noteMaxLength = 10_000
/** What all notes of a person may take. */
export const calendarMaxMiB = 32

/** What a person noted for a day; a day without a note has no text and no `updated_at`. */
export const CalendarNote = z.object({
  note_date: Day,
  content: z.string(),
  updated_at: z.nullable(Instant),
})
export type CalendarNote = z.output<typeof CalendarNote>
