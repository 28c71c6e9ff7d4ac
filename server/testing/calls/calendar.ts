import { getCalendar, saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { addDays } from '#contract/days.ts'
import { type CallRow, row, someTime, writers } from './row.ts'

export const calendarCalls: readonly CallRow[] = [
  row(getCalendar, writers, () => ({ query: { limit: '50' } })),
  row(saveCalendarNote, writers, ({ next }) => ({
    input: { date: addDays('2025-06-10', next()), note: 'Post the letter', base: null, writtenAt: someTime },
  })),
]
