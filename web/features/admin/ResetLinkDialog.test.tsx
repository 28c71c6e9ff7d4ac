import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import { countAdminUsers, listAdminUsers } from '#contract/admin/endpoints.ts'
import { createPasswordReset } from '#contract/password-resets/endpoints.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { admin, ana } from '#web/testing/people.ts'
import { UserManagementPage } from './UserManagementPage.tsx'

const server = startTestPage()

const ben = {
  ...ana,
  id: 'h3m9w5zt8v',
  firstName: 'Ben',
  lastName: 'Okafor',
  postCount: 0,
  commentCount: 0,
  suspension: null,
}
const boss = { ...ben, id: 'c5x2n7qk4d', firstName: 'Vera', lastName: null, username: 'vera', isAdmin: true }
const reset = { token: 'a-token', expiresAt: '2025-06-10T12:30:00.000Z' }

async function open() {
  server.on(listAdminUsers, [ben, boss])
  server.on(countAdminUsers, { count: 2 })
  show(<UserManagementPage />, { at: '/admin-users', user: admin })
  fireEvent.click(await screen.findByRole('button', { name: 'Reset the passcode of Ben Okafor' }))
  await screen.findByRole('dialog', { name: 'Reset the passcode of Ben Okafor' })
}
const link = () => screen.findByLabelText<HTMLInputElement>('Reset link')

test('an admin makes a reset link for a person and copies it; it is shown once, and there is none for an admin [INST-17 S57 S60]', async () => {
  const writeText = vi.fn(async () => {})
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
  server.on(createPasswordReset, reset)
  await open()
  expect(screen.queryByRole('button', { name: /passcode of Vera/, hidden: true })).toBeNull()
  expect(server.changes).toEqual([])
  press('Make a link')
  expect((await link()).value).toBe(`${location.origin}/reset#a-token`)
  expect(screen.getByText(/^Good until/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Make a link' })).toBeNull()
  press('Copy')
  await waitFor(() => expect(writeText).toHaveBeenCalledWith(`${location.origin}/reset#a-token`))
  expect(server.changes).toEqual([`POST /api/admin/users/${ben.id}/password-resets`])
  // A press beside the dialog would lose the link. The library listens from the next task on.
  await new Promise((resolve) => setTimeout(resolve))
  fireEvent.pointerDown(document.body)
  fireEvent.click(document.body)
  expect((await link()).value).toContain('#a-token')
  // The toast has such a button too.
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  press('Reset the passcode of Ben Okafor')
  expect(await screen.findByRole('button', { name: 'Make a link' })).toBeTruthy()
  expect(screen.queryByLabelText('Reset link')).toBeNull()
})

test('an admin whose sign-in is old types the passcode, and then gets the link [INST-17 S14]', async () => {
  server.on(createPasswordReset, ({ fail }) =>
    server.calls(login).length === 0 ? fail('SignInAgainToResetPassword') : reset,
  )
  server.on(login, admin)
  await open()
  press('Make a link')
  fireEvent.change(await screen.findByLabelText('Passcode'), { target: { value: 'lamps and ink 9' } })
  press('Continue')
  expect((await link()).value).toContain('#a-token')
  expect(server.inputs(login)).toEqual([{ email: 'ana@example.org', password: 'lamps and ink 9' }])
})

test('an admin whose link could not be made reads why, and no second one was tried [INST-17]', async () => {
  server.refuse(createPasswordReset, 'UserNotFound')
  await open()
  press('Make a link')
  expect(await screen.findByText('This user no longer exists.')).toBeTruthy()
  server.disconnect(createPasswordReset)
  press('Make a link')
  expect(
    await screen.findByText('The link could not be made. Check the connection and try again.'),
  ).toBeTruthy()
  expect(server.calls(createPasswordReset)).toHaveLength(2)
})
