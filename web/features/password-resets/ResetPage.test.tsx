import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { resetPassword } from '#contract/password-resets/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { ResetPage } from './ResetPage.tsx'

const server = startTestPage()

const open = (token = 'a-token') => show(<ResetPage />, { at: `/reset#${token}`, user: null })
function setPasscode(passcode: string) {
  fireEvent.change(screen.getByLabelText('New passcode'), { target: { value: passcode } })
  press('Set passcode')
}
const isOver = () => screen.findByRole('heading', { level: 1, name: 'This link is no longer good' })

test('a person sets a new passcode by a link, whose token is sent in the body alone, and then signs in [INST-17 S57]', async () => {
  server.on(resetPassword, done)
  open()
  setPasscode('new pass')
  const title = await screen.findByRole('heading', { level: 1, name: 'Your new passcode is set' })
  expect(document.activeElement).toBe(title)
  expect(server.changes).toEqual(['POST /api/password-resets'])
  expect(server.inputs(resetPassword)).toEqual([{ token: 'a-token', newPassword: 'new pass' }])
  press('Sign In')
  expect(location.assign).toHaveBeenCalledExactlyOnceWith('/?onboarding=true')
})

test('a person whose link is used, expired or unknown reads so, and what to do [INST-17]', async () => {
  server.refuse(resetPassword, 'PasswordResetNotFound')
  open()
  setPasscode('new pass')
  const title = await isOver()
  expect(document.activeElement).toBe(title)
  expect(screen.getByText(/Ask an admin for a new one/)).toBeTruthy()
  expect(server.calls(resetPassword)).toHaveLength(1)
  act(() => {
    location.hash = '#another-token'
    dispatchEvent(new Event('hashchange'))
  })
  expect(screen.getByLabelText('New passcode')).toBeTruthy()
})

test('a person who opens the page without a link reads the same, and nothing is sent [INST-17]', async () => {
  open('')
  expect(await isOver()).toBeTruthy()
  expect(server.changes).toEqual([])
})

test('a person reads what is wrong with a passcode, and corrects it [INST-17 S13]', async () => {
  server.refuse(resetPassword, 'PasswordTooCommon')
  open()
  setPasscode('abc12')
  expect(await screen.findByText('Passcode must be at least 6 characters')).toBeTruthy()
  expect(server.changes).toEqual([])
  setPasscode('password')
  expect(await screen.findByText('This password is too common. Please choose another one.')).toBeTruthy()
  server.on(resetPassword, done)
  setPasscode('lamps and ink')
  expect(await screen.findByText('Your new passcode is set')).toBeTruthy()
})

test('a person without a connection reads so, and keeps what they typed [INST-17]', async () => {
  server.disconnect(resetPassword)
  open()
  setPasscode('new pass')
  expect(
    await screen.findByText('Your passcode could not be set. Check the connection and try again.'),
  ).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('New passcode').value).toBe('new pass')
})
