import { calendarMaxMiB } from './note.ts'

export const calendarErrors = {
  CalendarConflict: {
    status: 400,
    error: 'This note was changed elsewhere in the meantime. Nothing was overwritten.',
  },
  CalendarFull: { status: 400, error: `Your calendar has reached its limit of ${calendarMaxMiB} MiB.` },
} as const
