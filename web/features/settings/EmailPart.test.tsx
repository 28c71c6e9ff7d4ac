import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { getOwnEmail, requestConfirmation } from '#contract/mails/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { EmailPart } from './EmailPart.tsx'

const server = startTestPage()

function open(isConfirmed: boolean) {
  server.on(getOwnEmail, { address: 'ana@example.org', isConfirmed })
  show(<EmailPart />, { user: ana })
}

test('a person reads that the address is not confirmed, and gets a link by a button [REACH-03]', async () => {
  server.on(requestConfirmation, done)
  open(false)
  expect(await screen.findByText('Not confirmed')).toBeTruthy()
  press('Send a link to confirm')
  await waitFor(() =>
    expect(screen.getByRole('status').textContent).toBe('A link is on its way. It is good for seven days.'),
  )
  expect(server.changes).toEqual(['POST /api/me/email/confirmations'])
  expect(screen.getByRole('button', { name: 'Send another link' })).toBeTruthy()
})

test('a person who asks too often reads so [REACH-03]', async () => {
  server.refuse(requestConfirmation, 'TooManyRequests')
  open(false)
  await screen.findByText('Not confirmed')
  press('Send a link to confirm')
  expect(await screen.findByText('That was a little too often. Please wait a moment.')).toBeTruthy()
})

test('a confirmed address needs no button [REACH-03]', async () => {
  open(true)
  expect(await screen.findByText('Confirmed')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

test('an address that could not be loaded is offered again [REACH-03]', async () => {
  server.refuse(getOwnEmail, 'Unexpected')
  show(<EmailPart />, { user: ana })
  expect(
    await screen.findByText('Your email address could not be loaded.', {}, { timeout: 10_000 }),
  ).toBeTruthy()
})
