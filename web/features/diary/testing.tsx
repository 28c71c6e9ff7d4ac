import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import type { User } from '#contract/account/user.ts'
import { getCalendar } from '#contract/calendar/endpoints.ts'
import { getDiary, getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { draftsOf } from '#web/lib/editor/drafts.ts'
import { anEntry } from '#web/testing/diary.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { DiaryPage } from './DiaryPage.tsx'

export const today = '2025-06-10'
const noon = Date.parse('2025-06-10T12:00:00.000Z')

/** A test page whose server stores the diary of one person in `stored`. */
export function startDiary() {
  const server = startTestPage()
  const stored = new Map<string, DiaryEntry>()

  const store = ({ date, content }: { date: string; content: string }) => {
    const entry = anEntry(date, content, new Date(noon + stored.size * 1000).toISOString())
    stored.set(date, entry)
    return entry
  }
  /** Answers all calls of a diary with these entries. As our server does, it refuses a save whose base is not current. */
  const serveDiary = (...entries: DiaryEntry[]) => {
    stored.clear()
    for (const entry of entries) stored.set(entry.entry_date, entry)
    server.on(getCalendar, [])
    server.on(getDiary, ({ query }) => [...stored.values()].slice(-Number(query.limit ?? stored.size)))
    server.on(getDiaryEntry, ({ params: { day } }) => stored.get(day) ?? anEntry(day, '', null))
    server.on(saveDiaryEntry, ({ input, fail }) => {
      const current = stored.get(input.date)
      const isCurrent = input.base === undefined || input.base === (current?.updated_at ?? null)
      return isCurrent ? store(input) : fail('DiaryConflict', current && { current })
    })
  }
  return { server, stored, store, serveDiary, saves: () => server.inputs(saveDiaryEntry) }
}

/** Opens the diary as a user, a guest, or a visitor. */
export const openDiary = (user: User | null, at = `/diary?day=${today}`) => show(<DiaryPage />, { at, user })

export const sheet = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Write...')
export const type = (value: string) => fireEvent.change(sheet(), { target: { value } })
export const untilShown = (text: string) =>
  waitFor(() => {
    expect(sheet().getAttribute('aria-busy')).toBe('false')
    expect(sheet().value).toBe(text)
  })
export const untilLocked = () => screen.findByRole('button', { name: 'Edit Entry' })
export const draft = async (owner: string, day = today) => (await draftsOf(owner, `diary/${day}`))[0]?.text
