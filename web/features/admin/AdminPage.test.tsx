import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PendingPost } from '#contract/feed/post.ts'
import { aPost, serve, show } from '#web/features/feed/testing.tsx'
import { AdminPage } from './AdminPage.tsx'

afterEach(cleanup)

let pending: PendingPost[]
/** The status with which approvals are refused. */
let refusal: number | null
beforeEach(() => {
  refusal = null
})

const wait = (count: number) => {
  pending = Array.from({ length: count }, (_, index) => ({
    ...aPost({ authorName: `Author ${index + 1}`, publishedAt: null }),
    status: 'pending',
  }))
}

/** A desk whose server approves what it is told to. */
function openDesk() {
  const approve = (ids: string[]) => {
    if (refusal !== null) return { status: refusal, body: {} }
    pending = pending.filter((post) => !ids.includes(post.id))
    return { body: { approved: ids } }
  }
  const one = Object.fromEntries(
    pending.map(({ id }) => [`POST /api/feed/pending/${id}/approve`, () => approve([id])]),
  )
  const sent = serve({
    'GET /api/feed/pending': () => ({ body: pending }),
    'POST /api/admin/posts/bulk-approve': ({ body }) => approve((body as { postIds: string[] }).postIds),
    ...one,
  })
  show(<AdminPage />, '/admin')
  return sent
}
const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name })
const bulk = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Approve selected/ })
const changes = (sent: ReturnType<typeof serve>) => sent.filter(({ method }) => method === 'POST')

test('the dashboard has five tabs; the unfinished ones say so [ADM-05]', async () => {
  wait(1)
  openDesk()
  const tabs = screen.getAllByRole('tab')
  expect(tabs.map((tab) => tab.textContent)).toEqual([
    'Post Manager',
    'Create Content',
    'All Posts',
    'User Management',
    'Analytics',
  ])
  expect(await screen.findByText('Author 1')).toBeTruthy()
  for (const tab of tabs.slice(1)) {
    fireEvent.click(tab)
    expect(screen.getByRole('tabpanel').textContent).toBe('This part is being built')
  }
})

test('waiting posts are listed with checkboxes, their number and a way to approve each [ADM-03 ADM-07]', async () => {
  wait(2)
  openDesk()
  expect(await box('Select the post of Author 1')).toBeTruthy()
  expect(await box('Select the post of Author 2')).toBeTruthy()
  expect(screen.getByText('2 posts are waiting')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Approve the post of Author 1' })).toBeTruthy()
})

test('a preview is 150 characters and keeps its line breaks [ADM-14]', async () => {
  wait(2)
  pending[0]!.content = `one\n${'x'.repeat(150)}`
  pending[1]!.content = 'y'.repeat(150)
  openDesk()
  const preview = await screen.findByText(/^one x+…$/)
  expect(preview.textContent).toBe(`one\n${'x'.repeat(146)}…`)
  expect(preview.className).toContain('whitespace-pre-wrap')
  expect(screen.getByText('y'.repeat(150))).toBeTruthy()
})

test('one post is approved alone and leaves the list [ADM-03 ADM-12]', async () => {
  wait(2)
  const { id } = pending[0]!
  const sent = openDesk()
  fireEvent.click(await screen.findByRole('button', { name: 'Approve the post of Author 1' }))
  expect(await screen.findByText('1 post is waiting')).toBeTruthy()
  expect(screen.queryByText('Author 1')).toBeNull()
  expect(screen.getByText('Author 2')).toBeTruthy()
  expect(changes(sent).map(({ path }) => path)).toEqual([`/api/feed/pending/${id}/approve`])
})

test('bulk approval needs a selection, and approves exactly that [ADM-08 ADM-09 ADM-13]', async () => {
  wait(3)
  const ids = pending.map(({ id }) => id)
  const sent = openDesk()
  await box('Select the post of Author 1')
  expect(bulk().disabled).toBe(true)
  fireEvent.click(bulk())
  expect(changes(sent)).toEqual([])

  fireEvent.click(await box('Select the post of Author 1'))
  fireEvent.click(await box('Select the post of Author 3'))
  expect(bulk().textContent).toBe('Approve selected (2)')
  fireEvent.click(bulk())
  expect(await screen.findByText('1 post is waiting')).toBeTruthy()
  expect(changes(sent).map(({ path, body }) => ({ path, body }))).toEqual([
    { path: '/api/admin/posts/bulk-approve', body: { postIds: [ids[0], ids[2]] } },
  ])
  expect(await screen.findByText('2 posts approved')).toBeTruthy()
  expect(bulk().disabled).toBe(true)
})

test('all are selected and unselected with one box, which shows when only some are [ADM-07 ADM-09]', async () => {
  wait(2)
  openDesk()
  const all = await box('Select all')
  fireEvent.click(all)
  expect((await box('Select the post of Author 2')).checked).toBe(true)
  fireEvent.click(await box('Select the post of Author 1'))
  expect(all.checked).toBe(false)
  expect(all.indeterminate).toBe(true)
  fireEvent.click(all)
  fireEvent.click(all)
  expect((await box('Select the post of Author 2')).checked).toBe(false)
  expect(bulk().disabled).toBe(true)
})

test('more than 200 selected posts are approved 200 at a time [ADM-13]', async () => {
  wait(201)
  const sent = openDesk()
  fireEvent.click(await box('Select all'))
  fireEvent.click(bulk())
  expect(await screen.findByText('No posts are waiting for review')).toBeTruthy()
  const sizes = changes(sent).map(({ body }) => (body as { postIds: string[] }).postIds.length)
  expect(sizes).toEqual([200, 1])
})

test('a failed bulk approval says so, keeps the selection, and can be tried again [ERR-27 ADM-13]', async () => {
  wait(2)
  refusal = 400
  const sent = openDesk()
  fireEvent.click(await box('Select all'))
  fireEvent.click(bulk())
  expect(await screen.findByText('Failed to approve posts')).toBeTruthy()
  expect(screen.getByText('2 posts are waiting')).toBeTruthy()
  expect((await box('Select the post of Author 1')).checked).toBe(true)
  refusal = null
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('No posts are waiting for review')).toBeTruthy()
  expect(changes(sent)).toHaveLength(2)
})

test('a failed approval says so at its post, which stays [ERR-27 ADM-12]', async () => {
  wait(2)
  refusal = 403
  openDesk()
  fireEvent.click(await screen.findByRole('button', { name: 'Approve the post of Author 2' }))
  const row = within((await screen.findByText('Author 2')).closest('li')!)
  expect(await row.findByText('Failed to approve post')).toBeTruthy()
  expect(screen.getByText('2 posts are waiting')).toBeTruthy()
})

test('the list is read again on demand [ADM-03]', async () => {
  wait(1)
  const sent = openDesk()
  await screen.findByText('Author 1')
  wait(2)
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  expect(await screen.findByText('2 posts are waiting')).toBeTruthy()
  expect(sent.filter(({ path }) => path === '/api/feed/pending')).toHaveLength(2)
})

test('a list that cannot be read again says so, and stays as it was [ADM-03 SHELL-91]', async () => {
  wait(1)
  openDesk()
  await screen.findByText('Author 1')
  const again = serve({ 'GET /api/feed/pending': () => ({ status: 403, body: {} }) })
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  expect(await screen.findByText('The list could not be read again.')).toBeTruthy()
  expect(screen.getByText('Author 1')).toBeTruthy()
  expect(again).toHaveLength(1)
  openDesk()
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.queryByText('The list could not be read again.')).toBeNull())
})

test('an empty list says so [ADM-03]', async () => {
  wait(0)
  openDesk()
  expect(await screen.findByText('No posts are waiting for review')).toBeTruthy()
  expect(screen.getByText('0 posts are waiting')).toBeTruthy()
})

test('a list that cannot be read says so and can be asked for again [ADM-03]', async () => {
  serve({ 'GET /api/feed/pending': () => ({ status: 403, body: {} }) })
  show(<AdminPage />, '/admin')
  expect(await screen.findByText('The waiting posts could not be loaded.')).toBeTruthy()
  wait(1)
  serve({ 'GET /api/feed/pending': () => ({ body: pending }) })
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.getByText('Author 1')).toBeTruthy())
})
