import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, vi } from 'vitest'
import type { User } from '#contract/account/user.ts'
import { getCalendar, saveCalendarNote } from '#contract/calendar/endpoints.ts'
import type { CalendarNote } from '#contract/calendar/note.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import { morning } from '#web/testing/diary.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { CalendarPage } from './CalendarPage.tsx'

export const tenth = 'Tuesday, June 10, 2025'
export const noon = '2025-06-10T12:00:00.000Z'
export const aNote = (note_date: string, content: string, updated_at = morning): CalendarNote => ({
  note_date,
  content,
  updated_at,
})

/** A test page on June 10, 2025, with a server that has no notes and no diary, and saves every note. */
export function startCalendar() {
  const server = startTestPage()
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2025, 5, 10, 12) })
    server.on(getCalendar, [])
    server.on(getDiary, [])
    server.on(saveCalendarNote, ({ input }) => aNote(input.date, input.note, noon))
  })
  return server
}

export const openCalendar = (user: User | null) => show(<CalendarPage />, { at: '/calendar', user })

export const note = () => screen.getByLabelText<HTMLTextAreaElement>('Note')
export const type = (value: string) => fireEvent.change(note(), { target: { value } })
export const untilNote = (text: string) =>
  waitFor(() => {
    expect(note().readOnly).toBe(false)
    expect(note().value).toBe(text)
  })
