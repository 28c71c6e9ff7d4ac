import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { confirmEmail } from '#contract/mails/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { ConfirmationPage } from './ConfirmationPage.tsx'

const server = startTestPage()

const open = (token = '#a-token') => show(<ConfirmationPage />, { at: `/mail${token}`, user: null })
const isOver = () => screen.findByRole('heading', { level: 1, name: 'This link is no longer good' })

test('a person confirms the address by a press; the token is sent in the body alone [REACH-03 S57]', async () => {
  server.on(confirmEmail, done)
  open()
  expect(server.changes).toEqual([])
  press('Confirm this address')
  const title = await screen.findByRole('heading', { level: 1, name: 'Your address is confirmed' })
  expect(document.activeElement).toBe(title)
  expect(server.changes).toEqual(['POST /api/email-confirmations'])
  expect(server.inputs(confirmEmail)).toEqual([{ token: 'a-token' }])
})

test('a person whose link is used, expired or unknown reads so, and may open another one [REACH-03]', async () => {
  server.refuse(confirmEmail, 'ConfirmationNotFound')
  open()
  press('Confirm this address')
  const title = await isOver()
  expect(document.activeElement).toBe(title)
  act(() => {
    location.hash = '#another-token'
    dispatchEvent(new Event('hashchange'))
  })
  expect(screen.getByRole('button', { name: 'Confirm this address' })).toBeTruthy()
})

test('a person who opens the page without a link reads the same, and nothing is sent [REACH-03]', async () => {
  open('')
  expect(await isOver()).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Go to the feed' }).getAttribute('href')).toBe('/dashboard')
  expect(server.changes).toEqual([])
})

test('a person without a connection reads so, and presses again [REACH-03]', async () => {
  server.disconnect(confirmEmail)
  open()
  press('Confirm this address')
  expect(await screen.findByText('That did not work. Check the connection and try again.')).toBeTruthy()
  server.on(confirmEmail, done)
  press('Confirm this address')
  expect(await screen.findByText('Your address is confirmed')).toBeTruthy()
})
