import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { countWaiting } from '#contract/admin/endpoints.ts'
import { listBookmarkIds } from '#contract/bookmarks/endpoints.ts'
import { type AppConfig, getConfig } from '#contract/app/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { getAwayNotificationChoices } from '#contract/away-notifications/endpoints.ts'
import { SessionProvider } from '#web/features/account/index.ts'
import { DetailsProvider } from '#web/features/details/index.ts'
import { forgetMarks } from '#web/features/follows/index.ts'
import { someChoices } from '#web/features/away-notifications/testing.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { AppConfigProvider } from '#web/lib/app-config.tsx'
import { unwritten } from '#web/lib/editor/all-drafts.ts'
import { forgetDraftsOf } from '#web/lib/editor/drafts.ts'
import { OnlyCopies } from '#web/lib/only-copies-context.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { startBrowsing } from '#web/lib/session-keys.ts'
import { forgetPageDiaries } from '#web/features/diary/page-diary.ts'
import { resumeStoring } from '#web/lib/storage.ts'
import * as onlyCopies from '#web/only-copies.ts'
import { AlertsProvider } from '#web/ui/alerts.tsx'
import { ToastsProvider } from '#web/ui/toasts.tsx'
import { FakeServer } from './fake-server.ts'
import { ana } from './people.ts'

export const config: AppConfig = {
  timeZone: 'Europe/Berlin',
  today: '2025-06-10',
  supportEmail: 'help@example.org',
  companyName: 'Z!mmer',
  submissionPortal: 'https://submissions.example.org/',
  demoMode: false,
  hasPosts: true,
  publishesPremium: true,
}

/** What a page requests after the end of its test, such as a last save: no server is there, and no later test sees a retry. */
const neverAnswered: typeof fetch = () => new Promise(() => {})

/**
 * Gives every test of a file an empty browser and a server without answers. A test fails when the page sent a request for
 * which the test gave no answer. Navigation and logged errors are recorded: `expect(location.assign)`.
 */
export function startTestPage(): FakeServer {
  const server = new FakeServer()
  beforeEach(async () => {
    // Only the tests of pages with an editor bring IndexedDB. Every guest of a test has an id and drafts of its own.
    if ('indexedDB' in globalThis) await forgetDraftsOf(ana.id)
    globalThis.fetch = neverAnswered
    vi.stubGlobal('fetch', server.start())
    // The bell of every page asks for them.
    server.on(listNotifications, [])
    // The actions of every post ask which posts are kept.
    server.on(listBookmarkIds, [])
    // The settings of every person ask for what they have chosen about notices.
    server.on(getAwayNotificationChoices, someChoices)
    // The sidebar of an admin or moderator asks for what waits.
    server.on(countWaiting, { posts: 0, reports: 0, signUps: 0 })
    for (const way of ['assign', 'replace', 'reload'] as const)
      vi.spyOn(location, way).mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation(() => {})
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    localStorage.clear()
    sessionStorage.clear()
    unwritten.clear()
    forgetPageDiaries()
    resumeStoring()
    history.replaceState(null, '', '/')
    forgetMarks()
    expect(server.unanswered, 'requests for which the test gave no answer').toEqual([])
  })
  return server
}

interface Visit {
  at?: string
  /** The person of the session, or `null` for a visitor who browses; the page does not know the person when left out. */
  user?: User | null
  settings?: Partial<AppConfig>
}

/** Renders a page, or a part of one, with the providers and settings of the application. */
export function show(part: ReactNode, { at = '/', user, settings }: Visit = {}) {
  history.replaceState(null, '', at)
  const client = createQueryClient()
  client.setQueryData(queryKeyOf(getConfig), { ...config, ...settings })
  if (user !== undefined) client.setQueryData<User | null>(queryKeyOf(getMe), user)
  if (user === null) startBrowsing()
  return { client, ...render(part, { wrapper: ({ children }) => providers(client, children) }) }
}

const providers = (client: ReturnType<typeof createQueryClient>, children: ReactNode) => (
  <QueryClientProvider client={client}>
    <AppConfigProvider>
      <SessionProvider>
        <OnlyCopies value={async () => onlyCopies}>
          <AlertsProvider>
            <ToastsProvider>
              <DetailsProvider>{children}</DetailsProvider>
            </ToastsProvider>
          </AlertsProvider>
        </OnlyCopies>
      </SessionProvider>
    </AppConfigProvider>
  </QueryClientProvider>
)

export const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
export const press = (name: string | RegExp) => fireEvent.click(button(name))
/** In a page that has said that its session has ended. The test answers the call `login`. */
export async function signInAgain() {
  fireEvent.click(await screen.findByRole('button', { name: 'Sign in again' }))
  fireEvent.change(await screen.findByLabelText('Passcode'), { target: { value: 'a long passcode' } })
  press('Continue')
}

export const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
export const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
