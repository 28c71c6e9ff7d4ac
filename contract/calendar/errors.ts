export const calendarErrors = {
  CalendarConflict: {
    status: 400,
    error: 'This note was changed elsewhere in the meantime. Nothing was overwritten.',
  },
} as const
