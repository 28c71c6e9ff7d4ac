import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import type { User } from '#contract/account/user.ts'
import type { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { diaryErrors } from '#contract/diary/errors.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { draftsOf, forgetDraftsOf } from '#web/lib/editor/drafts.ts'
import { guestId } from '#web/lib/session-storage.ts'
import { ana, guest, show } from '#web/shell/testing.tsx'
import { DiaryPage } from './DiaryPage.tsx'

export const today = '2025-06-10'
export const morning = '2025-06-10T08:00:00.000Z'
const noon = Date.parse('2025-06-10T12:00:00.000Z')

export const anEntry = (entry_date: string, content: string, updated_at: string | null = morning) => ({
  entry_date,
  content,
  updated_at,
})

export interface Call {
  method: string
  path: string
  body: unknown
}
type Answer = { status: number; body: unknown } | 'away'

/** The diary of one person on a server: refuses a base that is not the stored one. What is called is kept. */
export function serveDiary(...entries: DiaryEntry[]) {
  const kept = new Map(entries.map((entry) => [entry.entry_date, entry]))
  const calls: Call[] = []
  const server = {
    kept,
    calls,
    saves: () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body),
    /** Answers a call in the place of the diary. */
    instead: (_call: Call): Answer | undefined => undefined,
  }
  globalThis.fetch = async (path, init = {}) => {
    const call: Call = {
      method: init.method ?? 'GET',
      path: path as string,
      body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
    }
    calls.push(call)
    const answer = server.instead(call) ?? answerOf(kept, call)
    if (answer === 'away') throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify(answer.body), { status: answer.status })
  }
  return server
}

function answerOf(kept: Map<string, DiaryEntry>, { method, path, body }: Call): Answer {
  if (path === '/api/diary') return { status: 200, body: [...kept.values()] }
  if (method === 'GET') {
    const day = path.replace('/api/diary/', '')
    return { status: 200, body: kept.get(day) ?? anEntry(day, '', null) }
  }
  const { date, content, base } = body as InputOf<typeof saveDiaryEntry>
  const current = kept.get(date)
  if (base !== undefined && base !== (current?.updated_at ?? null)) {
    const { status, error } = diaryErrors.DiaryConflict
    return { status, body: { code: 'DiaryConflict', error, current } }
  }
  const entry = anEntry(date, content, new Date(noon + kept.size * 1000).toISOString())
  kept.set(date, entry)
  return { status: 200, body: entry }
}

export const refusal = (status: number, error = 'No.'): Answer => ({
  status,
  body: { code: null, error },
})

/** Opens the diary as a person, a guest, or a visitor without a session. */
export const openDiary = (user: User | null, at = `/diary?day=${today}`) => show(<DiaryPage />, { at, user })

/** Nothing is kept in this browser. */
export async function emptyBrowser() {
  for (const owner of [ana.id, guestId()]) await forgetDraftsOf(owner)
  localStorage.clear()
  sessionStorage.clear()
}

/** Each test begins with an empty browser, and what is logged is not printed. */
export function startDiary() {
  beforeEach(async () => {
    await emptyBrowser()
    vi.spyOn(console, 'error').mockImplementation(() => {})
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
}

export const sheet = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Write...')
export const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
export const press = (name: string) => fireEvent.click(button(name))
export const type = (value: string) => fireEvent.change(sheet(), { target: { value } })
export const untilShown = (text: string) =>
  waitFor(() => {
    expect(sheet().getAttribute('aria-busy')).toBe('false')
    expect(sheet().value).toBe(text)
  })
export const untilLocked = () => screen.findByRole('button', { name: 'Edit Entry' })
export const draft = async (owner: string, day = today) => (await draftsOf(owner, `diary/${day}`))[0]?.text

export { ana, guest }
