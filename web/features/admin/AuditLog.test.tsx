import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { listTodaysPosts } from '#contract/feed/review/endpoints.ts'
import { noStats } from '#web/testing/stats.ts'
import type { AuditEntry } from '#contract/admin/audit.ts'
import { getStats, listAuditEntries } from '#contract/admin/endpoints.ts'
import { listPendingPosts } from '#contract/feed/endpoints.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { admin } from '#web/testing/people.ts'
import { AdminPage } from './AdminPage.tsx'

const server = startTestPage()

let count = 0
const anEntry = (more: Partial<AuditEntry> = {}): AuditEntry => ({
  id: `01900000-0000-7000-8000-${String(++count).padStart(12, '0')}`,
  at: '2025-06-10T22:30:15.000Z',
  action: 'account-deletion',
  actorId: 'c5x2n7qk4d',
  actorName: 'Vera Boss',
  subjectId: 'h3m9w5zt8v',
  subjectName: null,
  details: null,
  count: 1,
  ...more,
})

let stored: AuditEntry[]
beforeEach(() => {
  stored = [anEntry()]
  server.on(listAuditEntries, () => stored)
})

const open = (filters = '') => show(<AdminPage />, { at: `/admin?part=log${filters}`, user: admin })
const entries = async () =>
  within(await screen.findByRole('list', { name: 'Entries of the audit log' })).getAllByRole('listitem')
const lastQuery = () => server.calls(listAuditEntries).at(-1)!.query

test('an admin comes from the dashboard to the audit log [S49]', async () => {
  server.on(getStats, noStats)
  server.on(listTodaysPosts, [])
  server.on(listPendingPosts, [])
  show(<AdminPage />, { at: '/admin', user: admin })
  fireEvent.click(screen.getByRole('link', { name: 'Audit log' }))
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Audit log')
  expect(await entries()).toHaveLength(1)
})

test('an admin reads when who did what to whom, by name where the person exists and else by id [S49]', async () => {
  stored = [
    anEntry(),
    anEntry({ action: 'sign-in-refused', actorId: null, actorName: null, count: 12 }),
    anEntry({ action: 'admin-granted', actorId: null, actorName: null, subjectName: 'Ben Okafor' }),
    anEntry({ action: 'report-closed', details: { outcome: 'warned', note: 'I wrote to Ben.' } }),
    anEntry({ action: 'of-a-newer-version', subjectId: null }),
  ]
  open()
  const [deletion, refused, granted, closed, unknown] = (await entries()).map(
    ({ textContent }) => textContent,
  )
  // The day of the installation has begun in Berlin.
  expect(deletion!.replaceAll('\u202f', ' ')).toContain('Jun 11, 2025, 12:30:15 AM')
  expect(screen.getByText(/are in the time zone of this instance, Europe\/Berlin\.$/)).toBeTruthy()
  expect(deletion).toContain('Account deletedBy: Vera BossAbout: h3m9w5zt8v')
  expect(refused).toContain('Sign-in refused12 timesBy: Somebody without a session')
  expect(granted).toContain('Made an adminBy: A command on the serverAbout: Ben Okafor')
  expect(closed).toContain('warned · I wrote to Ben.')
  expect(unknown).toContain('of-a-newer-versionBy: Vera Boss')
  expect(unknown).not.toContain('About')
})

test('an admin filters by action and by days, and the address keeps the filters [S49]', async () => {
  open()
  await entries()
  fireEvent.change(screen.getByLabelText('Action'), { target: { value: 'sign-in' } })
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2025-06-01' } })
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2025-06-10' } })
  const filters = { action: 'sign-in', from: '2025-06-01', to: '2025-06-10' }
  await waitFor(() => expect(lastQuery()).toEqual({ limit: '50', ...filters }))
  expect(Object.fromEntries(new URLSearchParams(location.search))).toEqual({ part: 'log', ...filters })
  fireEvent.click(await screen.findByRole('link', { name: 'Show all entries' }))
  await waitFor(() => expect(location.search).toBe('?part=log'))
})

test('an admin reads all about one person by a click on the name, or by the id [S49]', async () => {
  open()
  fireEvent.click(await screen.findByRole('link', { name: 'Vera Boss' }))
  const field = screen.getByLabelText<HTMLInputElement>('Id of a person or a thing')
  await waitFor(() => expect(lastQuery()).toEqual({ limit: '50', about: 'c5x2n7qk4d' }))
  expect(field.value).toBe('c5x2n7qk4d')
  fireEvent.change(field, { target: { value: 'half an id' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(await screen.findByText('Please paste a whole id.')).toBeTruthy()
  fireEvent.change(field, { target: { value: ' H3M9W5ZT8V ' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => expect(lastQuery()).toEqual({ limit: '50', about: 'h3m9w5zt8v' }))
  expect(screen.queryByText('Please paste a whole id.')).toBeNull()
})

test('an admin loads older entries with a button [S49 S30]', async () => {
  server.onPages(listAuditEntries, [[anEntry()], [anEntry({ action: 'sign-in' })]])
  open()
  expect(await entries()).toHaveLength(1)
  press('Show more')
  await waitFor(async () => expect(await entries()).toHaveLength(2))
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('an admin whose filters match nothing reads so, and so does one whose log is empty [S49]', async () => {
  stored = []
  open('&action=sign-in')
  expect(await screen.findByText('No entry matches these filters')).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: 'Show all entries' }))
  expect(await screen.findByText('Nothing has been logged yet')).toBeTruthy()
})

test('an admin whose log cannot be loaded reads so and tries again [S49]', async () => {
  server.refuse(listAuditEntries, 'NotAllowed')
  open()
  expect(await screen.findByText('The audit log could not be loaded.')).toBeTruthy()
  server.on(listAuditEntries, () => stored)
  press('Try again')
  expect(await entries()).toHaveLength(1)
})

test('an admin reads of an erased passage the Z!mmer, the author and the reason [INST-13 S49]', async () => {
  const details = { room: 'r1', author: 'b3n0000000', reason: 'It names a neighbour.' }
  stored = [anEntry({ action: 'passage-erased', details })]
  open()
  const [entry] = await entries()
  expect(entry!.textContent).toContain('Passage erased')
  expect(entry!.textContent).toContain('Z!mmer r1 · Author b3n0000000 · It names a neighbour.')
})

test('an admin reads of a registration link for how many people and days it was made [INST-02 S49]', async () => {
  stored = [anEntry({ action: 'registration-link', details: { people: '5', days: '30' } })]
  open()
  const [entry] = await entries()
  expect(entry!.textContent).toContain('People: 5 · Days: 30')
})
