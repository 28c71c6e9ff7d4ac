import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { getOwnEmail, type OwnEmail, requestConfirmation } from '#contract/mails/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { EmailPart } from './EmailPart.tsx'

const server = startTestPage()

function open(isConfirmed: boolean, bounce?: OwnEmail['bounce']) {
  server.on(getOwnEmail, { address: 'ana@example.org', isConfirmed, bounce })
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

test.each([
  ['permanent', /^Mails to this address came back on Jun 10, 2025/],
  ['complaint', /^A mail to this address was reported as unwanted on Jun 10, 2025/],
] as const)(
  'a person reads that mails came back (%s), and confirms the address again [REACH-06]',
  async (kind, words) => {
    server.on(requestConfirmation, done)
    open(true, { kind, at: '2025-06-10T12:00:00.000Z' })
    const badge = await screen.findByText('Mails came back')
    const sentence = (_text: string, element: Element | null) =>
      element?.tagName === 'P' && words.test(element.textContent)
    expect(screen.getByText(sentence).textContent).toMatch(/Confirm the address again to get them\.$/)
    expect(badge.closest('p')!.textContent).not.toMatch(/confirmed/i)
    press('Send a link to confirm')
    await screen.findByRole('button', { name: 'Send another link' })
    expect(server.changes).toEqual(['POST /api/me/email/confirmations'])
  },
)

test('an address that could not be loaded is offered again [REACH-03]', async () => {
  server.refuse(getOwnEmail, 'Unexpected')
  show(<EmailPart />, { user: ana })
  expect(
    await screen.findByText('Your email address could not be loaded.', {}, { timeout: 10_000 }),
  ).toBeTruthy()
})
