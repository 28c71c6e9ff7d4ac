import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import type { User } from '#contract/account/user.ts'
import type { CalendarNote } from '#contract/calendar/note.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { emptyBrowser } from '#web/features/diary/testing.tsx'
import { serve, type Sent } from '#web/features/feed/testing.tsx'
import { show } from '#web/shell/testing.tsx'
import { CalendarPage } from './CalendarPage.tsx'

export const tenth = 'Tuesday, June 10, 2025'
export const morning = '2025-06-10T08:00:00.000Z'
export const noon = '2025-06-10T12:00:00.000Z'
export const aNote = (note_date: string, content: string, updated_at = morning) => ({
  note_date,
  content,
  updated_at,
})

/** It is the tenth of June 2025, and nothing is kept in this browser. */
export function startCalendar() {
  beforeEach(async () => {
    await emptyBrowser()
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2025, 5, 10, 12) })
    vi.spyOn(console, 'error').mockImplementation(() => {})
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
}

interface Kept {
  notes?: CalendarNote[]
  diary?: DiaryEntry[]
  save?: (sent: Sent) => { status?: number; body?: unknown } | 'away'
}

export function openCalendar(user: User | null, { notes = [], diary = [], save = savedNow }: Kept = {}) {
  const sent = serve({
    'GET /api/calendar': () => ({ body: notes }),
    'GET /api/diary': () => ({ body: diary }),
    'POST /api/calendar/save': save,
  })
  show(<CalendarPage />, { at: '/calendar', user })
  return { sent, saves: () => sent.filter(({ method }) => method === 'POST').map(({ body }) => body) }
}

export const savedNow = ({ body }: Sent) => {
  const { date, note: content } = body as { date: string; note: string }
  return { body: aNote(date, content, noon) }
}

export const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
export const press = (name: string | RegExp) => fireEvent.click(button(name))
export const note = () => screen.getByLabelText<HTMLTextAreaElement>('Note')
export const type = (value: string) => fireEvent.change(note(), { target: { value } })
export const untilNote = (text: string) =>
  waitFor(() => {
    expect(note().readOnly).toBe(false)
    expect(note().value).toBe(text)
  })
