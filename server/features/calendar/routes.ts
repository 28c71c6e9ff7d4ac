import { calendarMax, getCalendar, saveCalendarNote } from '#contract/calendar/endpoints.ts'
import type { CalendarNote } from '#contract/calendar/note.ts'
import {
  type DayText,
  readDayTexts,
  readInstants,
  saveDayText,
  type Vault,
} from '#server/features/day-texts/index.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { readDayCursor } from '#server/platform/http/answers/paging.ts'
import { toldToSignIn, writers, withScope } from '#server/platform/http/endpoints/policy.ts'
import { streamed } from '#server/platform/http/answers/streamed.ts'
import { calendarTexts } from './schema.ts'

const calendarWriters = withScope('diary', toldToSignIn(writers, 'Please log in to save calendar notes'))

export function calendarRoutes({ vault }: { vault: Vault }): Route[] {
  const notesOf = (userId: string) => ({ texts: calendarTexts, vault, userId })

  return [
    handle(getCalendar, calendarWriters, { isStreamed: true }, async ({ db, viewer, query }) => {
      const { limit = calendarMax } = query
      const page = await readDayTexts(db, notesOf(viewer.id), {
        limit,
        before: readDayCursor(query.before),
      })
      return streamed(page, noteOf)
    }),

    handle(
      saveCalendarNote,
      calendarWriters,
      {
        echoes: { content: 'note' },
        claimsKey: true,
        withoutTransaction: 'a save is one statement, and one near the limit opens a transaction',
      },
      async ({ db, viewer, input, claim, fail }) => {
        const { date: day, note: content } = input
        const text = { day, content, ...readInstants(input) }
        const answer = noteOf({ ...text, updatedAt: null })
        const done = await saveDayText(db, notesOf(viewer.id), text, { claim, answer })
        if ('saved' in done) return noteOf(done.saved)
        return done.refused === 'full'
          ? fail('CalendarFull')
          : fail('CalendarConflict', { current: noteOf(done.current) })
      },
    ),
  ]
}

const noteOf = ({ day, content, updatedAt }: DayText): CalendarNote => ({
  note_date: day,
  content,
  updated_at: updatedAt,
})
