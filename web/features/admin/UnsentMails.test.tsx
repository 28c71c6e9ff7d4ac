import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { getStats } from '#contract/admin/endpoints.ts'
import { listBouncedAddresses, listUnsentMails, retryMail } from '#contract/mails/endpoints.ts'
import type { UnsentMail } from '#contract/mails/mail.ts'
import { listTodaysPosts } from '#contract/feed/review/endpoints.ts'
import { listPendingPosts } from '#contract/feed/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { admin } from '#web/testing/people.ts'
import { noStats } from '#web/testing/stats.ts'
import { AdminPage } from './AdminPage.tsx'
import { UnsentMails } from './UnsentMails.tsx'

const server = startTestPage()

beforeEach(() => server.on(listBouncedAddresses, []))

const mail: UnsentMail = {
  id: '01900000-0000-7000-8000-000000000001',
  kind: 'password-changed',
  address: 'ana@example.org',
  createdAt: '2025-06-08T08:00:00.000Z',
  failedAt: '2025-06-10T08:00:00.000Z',
  failure: '550 No such mailbox',
}

test('an admin reads why a mail could not be sent, and puts it into the queue again [REACH-06]', async () => {
  server.on(listUnsentMails, [mail])
  show(<UnsentMails />, { user: admin })
  const row = within((await screen.findByText('550 No such mailbox')).closest('li')!)
  expect(row.getByRole('heading', { name: 'Notice of a changed passcode' })).toBeTruthy()
  expect(row.getByText('To ana@example.org')).toBeTruthy()
  server.on(retryMail, done)
  server.on(listUnsentMails, [])
  press('Try again to mail ana@example.org')
  expect(await screen.findByText('The mail is in the queue again.')).toBeTruthy()
  expect(await screen.findByText('Every mail was sent')).toBeTruthy()
  expect(server.changes).toEqual([`POST /api/admin/unsent-mails/${mail.id}/attempts`])
})

test('a mail that another admin has sent again leaves the list, and a failure is shown [REACH-06]', async () => {
  server.on(listUnsentMails, [{ ...mail, address: null, failure: '' }])
  show(<UnsentMails />, { user: admin })
  await screen.findByText('The server ended while it sent this mail.')
  server.refuse(retryMail, 'NotAllowed')
  press(/^Try again/)
  expect(await screen.findByText('You are not allowed to do this.')).toBeTruthy()
  server.refuse(retryMail, 'MailNotFound')
  server.on(listUnsentMails, [])
  press(/^Try again/)
  expect(await screen.findByText('Every mail was sent')).toBeTruthy()
})

test('an admin reads which addresses get no more mails, and why [REACH-06]', async () => {
  server.on(listUnsentMails, [])
  const bounce = { userId: 'abcdefghij', address: 'ana@example.org', at: '2025-06-10T08:00:00.000Z' }
  server.on(listBouncedAddresses, [
    { ...bounce, kind: 'permanent', reason: '550 No such mailbox' },
    { ...bounce, userId: 'bcdefghijk', address: 'ben@example.org', kind: 'complaint', reason: '' },
  ])
  show(<UnsentMails />, { user: admin })
  const list = within(await screen.findByRole('list', { name: 'Addresses without mails' }))
  const [first, second] = list.getAllByRole('listitem')
  expect(first!.textContent).toMatch(/^ana@example\.orgMails came back.*550 No such mailbox/)
  expect(second!.textContent).toMatch(/^ben@example\.orgReported as unwanted/)
})

test('the admin page leads to the unsent mails only when the instance sends mails [REACH-01 REACH-06]', async () => {
  server.on(listTodaysPosts, [])
  server.on(listPendingPosts, [])
  server.on(getStats, noStats)
  const { unmount } = show(<AdminPage />, { at: '/admin', user: admin, settings: { sendsMail: true } })
  const link = await screen.findByRole('link', { name: 'Unsent mails' })
  expect(link.getAttribute('href')).toBe('/admin?part=mails')
  unmount()
  show(<AdminPage />, { at: '/admin', user: admin })
  await screen.findByRole('heading', { level: 1, name: 'Admin Panel' })
  expect(screen.queryByRole('link', { name: 'Unsent mails' })).toBeNull()
})
