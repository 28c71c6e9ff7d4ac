import * as z from 'zod/mini'
import { CalendarNote, noteMaxLength } from '#contract/calendar/note.ts'
import { endpoint } from '#contract/endpoint.ts'
import { AnyText, Day, Instant, Page } from '#contract/schemas.ts'

export const calendarMax = 5000

export const getCalendar = endpoint({
  summary: 'Lists the calendar notes of the caller, the oldest day first.',
  method: 'GET',
  path: '/api/calendar',
  query: Page(calendarMax),
  output: z.array(CalendarNote),
  errors: ['DiaryLocked'],
})

export const saveCalendarNote = endpoint({
  summary: 'Saves the calendar note of a day.',
  method: 'POST',
  path: '/api/calendar/save',
  input: z.object({
    date: Day,
    note: AnyText(noteMaxLength),
    /** The `updated_at` that the writer started from, null for none; left out, the last save wins. */
    base: z.optional(z.nullable(Instant)),
    /** When the text was written, if it was elsewhere. Only a day that has no text takes it. Never later than now. */
    writtenAt: z.optional(Instant),
  }),
  output: CalendarNote,
  errors: ['CalendarConflict', 'CalendarFull', 'DayDamaged', 'DiaryLocked'],
})
