import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { createQueryClient } from '#web/lib/query-client.ts'
import { AlertsProvider } from '#web/ui/alerts.tsx'
import { OnboardingPage } from './OnboardingPage.tsx'

export const ana = {
  id: 'k7q2m4xp3d',
  email: 'ana@example.org',
  firstName: 'Ana',
  lastName: 'Lima',
  username: 'ana',
  isAnonymous: false,
  anonymousId: null,
  isAdmin: false,
  createdAt: '2026-05-01T10:00:00.000Z',
}
export const guest = { ...ana, id: 'g7q2m4xp3d', email: null, isAnonymous: true, anonymousId: 'ab12cd34' }
export const typed = {
  name: 'Ana Lima',
  email: 'ana@example.org',
  passcode: 'secret1',
  writingSample: 'I write at the kitchen table.',
}

type Answer = () => Response | Promise<Response>

export const ok = (body: unknown): Answer => answers(200, body)
export const answers =
  (status: number, body: unknown): Answer =>
  () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
export const refuses = (status: number, code: string, error: string) => answers(status, { code, error })
export const isGone: Answer = () => Promise.reject(new TypeError('Failed to fetch'))

/** The clock stands still, the network is ours, and where the browser is led is written down. */
export function startFakes() {
  const reload = vi.fn<() => void>()
  const replace = vi.fn<(url: string) => void>()
  const logged = vi.fn<(...said: unknown[]) => void>()
  const calls: { path: string; body: unknown }[] = []
  let waiting: Record<string, Answer[]> = {}

  beforeEach(() => {
    vi.useFakeTimers()
    vi.spyOn(location, 'reload').mockImplementation(reload)
    vi.spyOn(location, 'replace').mockImplementation((url) => replace(String(url)))
    vi.spyOn(console, 'error').mockImplementation(logged)
    vi.stubGlobal('fetch', async (path: string, { body }: { body?: string }) => {
      calls.push({ path, body: body === undefined ? undefined : (JSON.parse(body) as unknown) })
      const [answer, ...others] = waiting[path] ?? []
      if (answer === undefined) throw new Error(`Nobody expected ${path}`)
      if (others.length > 0) waiting[path] = others
      return answer()
    })
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    for (const fake of [reload, replace, logged]) fake.mockReset()
    calls.length = 0
    waiting = {}
    localStorage.clear()
    sessionStorage.clear()
    history.replaceState(null, '', '/')
  })
  return {
    reload,
    replace,
    logged,
    calls,
    /** Answers calls of a path one after the other; the last answer stays. */
    serve: (path: string, ...others: Answer[]) => void (waiting[path] = others),
  }
}

export function openOnboarding() {
  return render(
    <QueryClientProvider client={createQueryClient()}>
      <AlertsProvider>
        <OnboardingPage />
      </AlertsProvider>
    </QueryClientProvider>,
  )
}

export const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
export const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
export const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
export const press = async (name: string) => {
  fireEvent.click(screen.getByRole('button', { name }))
  await wait(0)
}
export const title = () => screen.getByRole('heading', { level: 1 }).textContent
export const alertText = () => within(screen.getByRole('alertdialog')).getByRole('heading').textContent
/** Fields have a place for a fault of their own, which is empty here. */
export const fault = () =>
  screen
    .getAllByRole('alert')
    .map(({ textContent }) => textContent)
    .join('')

/** From the first page to the last, all typed. */
export async function fillAll() {
  await press('Next')
  type('Name', typed.name)
  type('Email', typed.email)
  await press('Next')
  type('Passcode', typed.passcode)
  await press('Next')
  type('A few words about yourself', typed.writingSample)
  expect(title()).toBe('AI Analysis')
}
