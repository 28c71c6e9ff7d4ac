import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { type AppConfig, getConfig } from '#contract/app/endpoints.ts'
import { getFeedDay } from '#contract/feed/endpoints.ts'
import { keyOf } from '#web/lib/api.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { startBrowsing } from '#web/lib/session-storage.ts'
import { AlertsProvider } from '#web/ui/alerts.tsx'
import { ToastsProvider } from '#web/ui/toasts.tsx'

export const ana: User = {
  id: 'k7q2m4xp3d',
  email: 'ana@example.org',
  firstName: 'Ana',
  lastName: 'Lima',
  username: 'ana',
  isAnonymous: false,
  anonymousId: null,
  isAdmin: false,
  createdAt: '2025-06-10T12:00:00.000Z',
}
export const admin: User = { ...ana, isAdmin: true }
export const guest: User = {
  ...ana,
  email: null,
  firstName: null,
  lastName: null,
  isAnonymous: true,
  anonymousId: 'ab12cd34',
}

const config: AppConfig = {
  timeZone: 'Europe/Berlin',
  today: '2025-06-10',
  supportEmail: 'help@example.org',
  companyName: 'Z!mmer',
  submissionPortal: 'https://submissions.example.org/',
  demoMode: false,
}

/** The network is ours, and where the browser is led is written down. */
export function startFakes() {
  const led = vi.fn<(url: string) => void>()
  const fetching = vi.fn<typeof fetch>()
  beforeEach(() => {
    vi.spyOn(location, 'assign').mockImplementation((url) => led(String(url)))
    vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.stubGlobal('fetch', fetching)
    fetching.mockImplementation(async () => new Response('{}', { status: 404 }))
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    for (const fake of [led, fetching]) fake.mockReset()
    localStorage.clear()
    sessionStorage.clear()
    history.replaceState(null, '', '/')
  })
  return { led, fetching }
}

interface Visit {
  at?: string
  /** Who is known to be here, `null` for a visitor who browses; unknown when left out. */
  user?: User | null
  settings?: Partial<AppConfig>
}

/** Shows something of the house as it stands in the page. */
export function show(part: ReactNode, { at = '/', user, settings = {} }: Visit = {}) {
  history.replaceState(null, '', at)
  const client = createQueryClient()
  client.setQueryData(keyOf(getConfig), { ...config, ...settings })
  client.setQueryData(keyOf(getFeedDay, { params: { offset: '0' } }), [])
  if (user !== undefined) client.setQueryData<User | null>(keyOf(getMe), user)
  if (user === null) startBrowsing()
  return render(
    <QueryClientProvider client={client}>
      <AlertsProvider>
        <ToastsProvider>{part}</ToastsProvider>
      </AlertsProvider>
    </QueryClientProvider>,
  )
}
