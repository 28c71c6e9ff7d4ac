import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { logout } from '#contract/account/endpoints.ts'
import { pass } from '#web/lib/testing.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { AccountMenu } from './AccountMenu.tsx'

// The page loads these when the menu is opened, and when a person leaves. Here they are loaded before the clock is stopped.
await Promise.all([
  import('#web/ui/MenuContent.tsx'),
  import('#web/lib/local-copies.ts'),
  import('#web/only-copies.ts'),
])

const server = startTestPage()

beforeEach(() => void vi.useFakeTimers())

async function signOut() {
  fireEvent.keyDown(screen.getByRole('button', { name: 'Ana Lima' }), { key: 'Enter' })
  await pass(10)
  fireEvent.click(screen.getByRole('menuitem', { name: 'Sign Out' }))
  await pass(10)
}

test('a person whose sign-out fails reads that in a quiet line, and can try again [SHELL-91 ERR-11 ACC-22 ACC-20]', async () => {
  server.refuse(logout, 'InvalidInput')
  show(<AccountMenu name="Ana Lima" />)
  await signOut()
  expect(screen.getByRole('status').textContent).toBe('You could not be signed out.')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(location.assign).not.toHaveBeenCalled()

  await pass(500)
  server.on(logout, { ok: true })
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await pass(200)
  expect(location.assign).toHaveBeenCalledExactlyOnceWith('/?onboarding=true')
})

test.each([
  ['Your writing', '/writing'],
  ['Read later', '/read-later'],
])('a person opens %s from the account menu [LOOP-06 LOOP-17]', async (name, path) => {
  show(<AccountMenu name="Ana Lima" />)
  fireEvent.keyDown(screen.getByRole('button', { name: 'Ana Lima' }), { key: 'Enter' })
  await pass(10)
  fireEvent.click(screen.getByRole('menuitem', { name }))
  expect(location.pathname).toBe(path)
})
