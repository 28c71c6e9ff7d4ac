import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { requestPasswordReset, resetPassword } from '#contract/password-resets/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { ResetPage } from './ResetPage.tsx'

const server = startTestPage()

const open = (token = '') =>
  show(<ResetPage />, { at: `/reset${token}`, user: null, settings: { sendsMail: true } })
function ask(email: string) {
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: email } })
  press('Send me a link')
}

test('a person asks for a link by mail, and reads the same whoever has the address [REACH-02]', async () => {
  server.on(requestPasswordReset, done)
  open()
  ask(' ana@example.org ')
  const title = await screen.findByRole('heading', { level: 1, name: 'Look into your mailbox' })
  expect(document.activeElement).toBe(title)
  expect(screen.getByText(/^If an account has ana@example.org as its confirmed address/)).toBeTruthy()
  expect(server.inputs(requestPasswordReset)).toEqual([{ email: 'ana@example.org' }])
  press('Sign In')
  expect(location.assign).toHaveBeenCalledExactlyOnceWith('/?onboarding=true')
})

test('what is no address is not sent, and the address of the last sign-in stands in the field [REACH-02]', async () => {
  localStorage.setItem('lastUserEmail', 'ana@example.org')
  open()
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ana@example.org')
  ask('ana')
  expect(await screen.findByText('Please enter your email address.')).toBeTruthy()
  expect(server.changes).toEqual([])
})

test('a person who asks too often, or has no connection, reads so and keeps what they typed [REACH-02]', async () => {
  server.refuse(requestPasswordReset, 'TooManyRequests')
  open()
  ask('ana@example.org')
  expect(await screen.findByText('That was a little too often. Please wait a moment.')).toBeTruthy()
  server.disconnect(requestPasswordReset)
  ask('ana@example.org')
  expect(await screen.findByText('That could not be sent. Check the connection and try again.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ana@example.org')
})

test('a link that is over leads to another one by mail [REACH-02]', async () => {
  server.refuse(resetPassword, 'PasswordResetNotFound')
  open('#a-token')
  expect(screen.queryByText(/An admin made this link/)).toBeNull()
  fireEvent.change(screen.getByLabelText('New passcode'), { target: { value: 'new pass' } })
  press('Set passcode')
  const link = await screen.findByRole('link', { name: 'Get another link by mail' })
  expect(link.getAttribute('href')).toBe('/reset')
})

test('without mail the page offers none [REACH-01]', async () => {
  show(<ResetPage />, { at: '/reset', user: null })
  expect(await screen.findByRole('heading', { level: 1, name: 'This link is no longer good' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Get another link by mail' })).toBeNull()
})
