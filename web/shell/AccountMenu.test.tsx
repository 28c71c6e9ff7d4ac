import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#web/lib/query-client.ts'
import { AlertsProvider } from '#web/ui/alerts.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { pass } from '#web/lib/testing.ts'

// Loaded before the clock is stopped.
await import('#web/lib/editor/drafts.ts')

const led = vi.fn<(url: string) => void>()
const fetching = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(location, 'assign').mockImplementation((url) => led(String(url)))
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal('fetch', fetching)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  for (const fake of [led, fetching]) fake.mockReset()
})

async function signOut() {
  fireEvent.keyDown(screen.getByRole('button', { name: 'Ana Lima' }), { key: 'Enter' })
  await pass(10)
  fireEvent.click(screen.getByRole('menuitem', { name: 'Sign Out' }))
  await pass(10)
}

test('a sign-out that failed is told by a quiet line that offers another try [SHELL-91 ERR-11 ACC-22 ACC-20]', async () => {
  fetching.mockImplementation(async () => new Response('{}', { status: 400 }))
  render(
    <QueryClientProvider client={createQueryClient()}>
      <AlertsProvider>
        <AccountMenu name="Ana Lima" />
      </AlertsProvider>
    </QueryClientProvider>,
  )
  await signOut()
  expect(screen.getByRole('status').textContent).toBe('You could not be signed out.')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(led).not.toHaveBeenCalled()

  await pass(500)
  fetching.mockImplementation(async () => new Response('{"ok":true}'))
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await pass(200)
  expect(led).toHaveBeenCalledExactlyOnceWith('/?onboarding=true')
})
