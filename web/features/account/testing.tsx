import 'fake-indexeddb/auto'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { deleteAccount, getMe, logout } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { forgetDraftsOf, keepDraft } from '#web/lib/editor/drafts.ts'
import { AppConfigProvider } from '#web/lib/app-config.tsx'
import { OnlyCopies } from '#web/lib/only-copies-context.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { writeKey } from '#web/lib/session-keys.ts'
import * as onlyCopies from '#web/only-copies.ts'
import { AlertsProvider } from '#web/ui/alerts.tsx'
import { settled } from '#web/lib/testing.ts'
import { config, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { useLeaving } from './leaving.ts'
import { completeOnboarding } from './onboarding-flag.ts'
import { SessionProvider } from './session.tsx'

const ownKeys = [
  `diary:${ana.id}:damaged:2025-06-10`,
  `diary:${ana.id}:version`,
  'diary:g1',
  'guestDeviceId',
  'guestId',
  `notes:${ana.id}`,
  'onboardingCompleted',
  'userId',
]
const otherKeys = ['diary:somebody', 'lastUserEmail', 'theme']

/** A test page in a browser that stores data of ana, of the guest `g1`, and of somebody else. */
export function startLeaving() {
  const server = startTestPage()
  let client: QueryClient

  // Loaded on demand: reading the files takes longer than the turns that these tests wait.
  beforeAll(() => Promise.all([import('./log-out-question.ts'), import('#web/lib/local-copies.ts')]))
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    server.on(logout, { ok: true })
    server.on(deleteAccount, { ok: true })
    for (const key of ['lastUserEmail', 'userId', 'guestDeviceId'] as const) writeKey(key, 'true')
    completeOnboarding()
    writeKey('guestId', 'g1')
    for (const key of [
      `diary:${ana.id}:damaged:2025-06-10`,
      `diary:${ana.id}:version`,
      `notes:${ana.id}`,
      'diary:g1',
      'diary:somebody',
      'theme',
    ])
      localStorage.setItem(key, 'A line.')
  })
  afterEach(async () => {
    for (const owner of [ana.id, 'g1', 'somebody']) await forgetDraftsOf(owner)
  })

  const stored = () => Object.keys(localStorage).sort()
  return {
    server,
    renderLeaving: (user: User = ana) => {
      client = createQueryClient()
      client.setQueryData(queryKeyOf(getMe), user)
      client.setQueryData(queryKeyOf(getConfig), config)
      const wrapper = ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={client}>
          <AppConfigProvider>
            <SessionProvider>
              <OnlyCopies value={async () => onlyCopies}>
                <AlertsProvider>{children}</AlertsProvider>
              </OnlyCopies>
            </SessionProvider>
          </AppConfigProvider>
        </QueryClientProvider>
      )
      return renderHook(useLeaving, { wrapper }).result
    },
    expectNothingForgotten: () => {
      expect(stored()).toEqual([...ownKeys, ...otherKeys].sort())
      expect(client.getQueryData(queryKeyOf(getMe))).toEqual(ana)
      expect(client.getQueryData(queryKeyOf(getConfig))).toEqual(config)
      expect(location.assign).not.toHaveBeenCalled()
    },
    expectAllForgotten: () => {
      // The ids of the people for the other tabs.
      expect(stored()).toEqual([...otherKeys, 'logged-out'].sort())
      expect(client.getQueryData(queryKeyOf(getMe))).toBeNull()
      expect(client.getQueryData(queryKeyOf(getConfig))).toBeUndefined()
    },
  }
}

/** Starts an action of the hook; `ended` resolves with its error, if there is one. */
export async function begin(action: () => Promise<void>) {
  let ended: Promise<unknown> | undefined
  await act(async () => {
    ended = action().catch((error: unknown) => error)
    await settled()
    await vi.advanceTimersByTimeAsync(10)
  })
  return { ended }
}

/** Keeps an unsaved diary entry of a person in the browser. */
export const type = (owner: string) =>
  keepDraft([owner, 'diary/2025-06-10', 'a tab'], { text: 'Typed', base: null })
