import 'fake-indexeddb/auto'
import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deleteAccount, login } from '#contract/account/endpoints.ts'
import { listSessions } from '#contract/account/sessions/endpoints.ts'
import { listApiTokens } from '#contract/account/tokens/endpoints.ts'
import { getSettings } from '#contract/account/settings/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { listOwnPosts } from '#contract/feed/review/endpoints.ts'
import { listBlockedPeople } from '#contract/friends/endpoints.ts'
import { getCurrentIssue } from '#contract/magazine/endpoints.ts'
import { passWithStorage as pass } from '#web/lib/testing.ts'
import { FakeObserver, fakeObservers, see } from '#web/testing/fake-observer.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana, guest, noSettings } from '#web/testing/people.ts'
import { SettingsPage } from './SettingsPage.tsx'

// Loaded before the clock is stopped.
await import('#web/lib/editor/drafts.ts')
await import('./lower-parts.ts')
await import('#web/features/your-words/YourWords.tsx')

const server = startTestPage()
beforeEach(() => {
  fakeObservers()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  for (const name of ['theme', 'readingSize']) delete document.documentElement.dataset[name]
})

async function openSettings(user: User | null) {
  server.on(getSettings, noSettings)
  server.on(listBlockedPeople, [])
  server.on(getCurrentIssue, { url: null })
  server.on(listOwnPosts, [])
  server.on(listSessions, [])
  server.on(listApiTokens, [])
  show(<SettingsPage />, { at: '/settings', user })
  await pass(0)
}
/** Opens the settings and reads down to their end. */
async function readSettings(user: User | null) {
  await openSettings(user)
  for (const observer of FakeObserver.created) observer.report(true)
  await pass(0)
}
async function press(name: string) {
  fireEvent.click(screen.getByRole('button', { name }))
  await pass(0)
}
/** Presses 'Delete account', and 'Delete' of the question that follows. */
async function pressDelete() {
  await press('Delete account')
  await press('Delete')
  await pass(0)
}
/** Enters the passcode in the dialog that asks for it. */
async function enterPasscode(value: string) {
  const dialog = within(screen.getByRole('dialog', { name: 'Please sign in again' }))
  fireEvent.change(dialog.getByLabelText('Passcode'), { target: { value } })
  fireEvent.submit(dialog.getByLabelText('Passcode'))
  await pass(0)
}

test.each([
  ['a visitor', null],
  ['a guest', guest],
] as const)('%s finds no button to delete an account in the settings [ACC-27]', async (_who, user) => {
  await readSettings(user)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Settings')
  expect(screen.queryByRole('button', { name: 'Delete account' })).toBeNull()
})

test('a registered person deletes the account after a question [ACC-27 ACC-24 ACC-25]', async () => {
  server.on(deleteAccount, { ok: true })
  await readSettings(ana)
  await press('Delete account')
  expect(screen.getByRole('alertdialog').textContent).toContain(
    'Are you sure you want to delete your account? This action cannot be undone.',
  )
  await press('Cancel')
  expect(server.changes).toEqual([])
  expect(location.assign).not.toHaveBeenCalled()

  await pressDelete()
  expect(server.changes).toEqual(['DELETE /api/delete-account'])
  expect(location.assign).toHaveBeenCalledExactlyOnceWith('/')
})

test('a person whose sign-in is old enters the passcode, and then deletes the account [ACC-27]', async () => {
  server.on(deleteAccount, ({ fail }) =>
    server.calls(login).length === 0 ? fail('SignInAgainToDeleteAccount') : ({ ok: true } as const),
  )
  server.on(login, ana)
  await readSettings(ana)
  expect(screen.queryByLabelText('Passcode')).toBeNull()
  await pressDelete()
  expect(location.assign).not.toHaveBeenCalled()

  await enterPasscode('secret1')
  expect(screen.getByRole('alertdialog').textContent).toContain('This action cannot be undone.')
  await press('Delete')
  await pass(0)
  expect(server.changes.slice(1)).toEqual(['POST /api/login', 'DELETE /api/delete-account'])
  expect(server.inputs(login)).toEqual([{ email: 'ana@example.org', password: 'secret1' }])
  expect(location.assign).toHaveBeenCalledExactlyOnceWith('/')
})

test('a person with a wrong passcode deletes nothing, and can correct it [ACC-27 ERR-11]', async () => {
  server.refuse(deleteAccount, 'SignInAgainToDeleteAccount')
  server.refuse(login, 'WrongCredentials', { error: 'Wrong passcode.' })
  await readSettings(ana)
  await pressDelete()
  await enterPasscode('secret2')
  expect(screen.getByText('Wrong passcode.')).toBeTruthy()
  expect(server.changes).toEqual(['DELETE /api/delete-account', 'POST /api/login'])
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(location.assign).not.toHaveBeenCalled()
})

test('a visitor chooses the theme in the settings', async () => {
  await readSettings(null)
  fireEvent.click(screen.getByRole('radio', { name: 'Night' }))
  expect(document.documentElement.dataset['theme']).toBe('night')
  expect(localStorage.getItem('theme')).toBe('night')
})

test('a visitor chooses the size of long texts in the settings, and finds it at the next visit', async () => {
  await readSettings(null)
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Medium' }).checked).toBe(true)
  fireEvent.click(screen.getByRole('radio', { name: 'Large' }))
  await pass(0)
  expect(document.documentElement.dataset['readingSize']).toBe('large')
  expect(localStorage.getItem('reading-size')).toBe('large')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Large' }).checked).toBe(true)
})

test('a visitor sees the parts of the settings and the version [SET-01 SET-05 SET-10 SET-16]', async () => {
  await readSettings(null)
  for (const name of ['Readability calculator', 'Premium publishing $5/month', 'Rating and feedback']) {
    expect(screen.getByRole('region', { name })).toBeTruthy()
  }
  expect(screen.getByText('Version 1.0.0')).toBeTruthy()
})

test.each([
  ['a visitor', null],
  ['a registered person', ana],
])(
  '%s finds an index of the settings and, apart from them, of the tools, each of them a group with this name',
  async (_who, user) => {
    await readSettings(user)
    const index = within(screen.getByRole('navigation', { name: 'On this page' }))
    const links = index.getAllByRole<HTMLAnchorElement>('link')
    const names = links.map(({ textContent }) => textContent)
    expect(names.slice(-2)).toEqual(['Readability calculator', 'Literary Magazine'])
    expect(names.includes('Privacy')).toBe(user !== null)
    for (const { hash, textContent } of links) {
      const heading = document.querySelector(`${hash} h2`)
      expect(heading?.textContent.startsWith(textContent)).toBe(true)
      expect(screen.getByRole('group', { name: textContent }).id).toBe(hash.slice(1))
    }
  },
)

test('a person reads what premium contains and that payment is not available yet; nothing is sent [SET-05 SET-06 SET-07]', async () => {
  await readSettings(ana)
  const box = within(screen.getByRole('region', { name: 'Premium publishing $5/month' }))
  expect(box.getAllByRole('listitem').length).toBeGreaterThan(0)
  vi.useRealTimers()
  fireEvent.click(box.getByRole('button'))
  expect(await screen.findByText('Payment is not available yet. Nothing was charged.')).toBeTruthy()
  expect(server.changes).toEqual([])
})

test('a person finds a lower part of the settings when they come near it, and all of them four seconds after the page', async () => {
  await openSettings(ana)
  expect(screen.getByRole('region', { name: 'Appearance' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Delete account' })).toBeNull()
  see(screen.getByRole('group', { name: 'Delete account' }).firstElementChild!)
  await pass(0)
  expect(screen.getByRole('button', { name: 'Delete account' })).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Privacy' })).toBeNull()
  await pass(4000)
  expect(screen.getByRole('region', { name: 'Privacy' })).toBeTruthy()
})
