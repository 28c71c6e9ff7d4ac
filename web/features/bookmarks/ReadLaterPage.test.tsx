import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Bookmark, listBookmarks, removeBookmark } from '#contract/bookmarks/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { button, press, show, startTestPage } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { ReadLaterPage } from './ReadLaterPage.tsx'

const server = startTestPage()
const open = (user: User | null = ana) => show(<ReadLaterPage />, { at: '/read-later', user })
const id = (n: number) => `01900000-0000-7000-8000-00000000000${n}`

const aBookmark = (n: number, more: Partial<Bookmark> = {}): Bookmark => ({
  id: id(n),
  title: `Letter ${n}`,
  authorName: 'Nightingale',
  authorId: null,
  readingMinutes: 3,
  publishedAt: '2025-06-09T10:00:00.000Z',
  createdAt: '2025-06-10T10:30:00.000Z',
  ...more,
})
const list = () => screen.findByRole('list', { name: 'Posts to read later' })
const rows = async () => within(await list()).getAllByRole('listitem')
const titles = async () => (await rows()).map((row) => within(row).getAllByRole('link')[0]!.textContent)
/** For tests without a real clock. */
const titlesNow = () => screen.getAllByRole('link', { name: /^Letter/ }).map((link) => link.textContent)
const empty = () => screen.findByText(/^You keep no posts\./)

test('a reader finds the kept posts with author, reading time and the day on this device, and each opens its article [LOOP-17]', async () => {
  vi.stubEnv('TZ', 'Pacific/Kiritimati')
  onTestFinished(() => void vi.unstubAllEnvs())
  server.on(listBookmarks, [
    aBookmark(1),
    aBookmark(2, { authorName: 'Ana Lima', authorId: ana.id, readingMinutes: 0 }),
    aBookmark(3, { title: '<img src=x onerror=alert(1)>' }),
  ])
  open()
  expect((await rows()).map(({ textContent }) => textContent)).toEqual([
    'Letter 1Nightingale · 3 minutes to read · kept June 11, 2025Remove Letter 1',
    'Letter 2Ana Lima · 1 minute to read · kept June 11, 2025Remove Letter 2',
    '<img src=x onerror=alert(1)>Nightingale · 3 minutes to read · kept June 11, 2025Remove <img src=x onerror=alert(1)>',
  ])
  const [first, second] = await rows()
  expect(within(second!).getByRole('link', { name: 'Ana Lima' }).getAttribute('href')).toBe(
    `/people/${ana.id}`,
  )
  fireEvent.click(within(first!).getByRole('link'))
  expect(location.pathname).toBe(`/posts/${id(1)}`)
})

const afterUndo = () => act(() => vi.advanceTimersByTimeAsync(10_000))

test('a reader removes the second post at once, the focus goes to the next one, and Undo brings it back to its place without a request [LOOP-17]', async () => {
  server.on(listBookmarks, [aBookmark(1), aBookmark(2), aBookmark(3)])
  open()
  await rows()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  button('Remove Letter 2').focus()
  press('Remove Letter 2')
  expect(titlesNow()).toEqual(['Letter 1', 'Letter 3'])
  await Promise.resolve()
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Letter 3' }))
  press('Undo')
  expect(titlesNow()).toEqual(['Letter 1', 'Letter 2', 'Letter 3'])
  await afterUndo()
  expect(server.changes).toEqual([])
  expect(server.calls(listBookmarks)).toHaveLength(1)
})

test('a removal is sent when it can no longer be undone, and the post does not come back [LOOP-17]', async () => {
  server.on(listBookmarks, [aBookmark(1), aBookmark(2)])
  server.on(removeBookmark, { ok: true })
  open()
  await rows()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  press('Remove Letter 1')
  expect(server.changes).toEqual([])
  // The answer of a read that was slower than the removal.
  server.hold(listBookmarks)
  await afterUndo()
  expect(server.changes).toEqual([`DELETE /api/bookmarks/${id(1)}`])
  expect(titlesNow()).toEqual(['Letter 2'])
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test.each<[string, (page: { unmount: () => void }) => unknown]>([
  ['opens another page', ({ unmount }) => unmount()],
  ['closes the tab', () => act(() => void dispatchEvent(new Event('pagehide')))],
])('a removal is sent at once when the reader %s [LOOP-17]', async (_what, leave) => {
  server.on(listBookmarks, [aBookmark(1), aBookmark(2)])
  server.on(removeBookmark, { ok: true })
  const fetched = vi.spyOn(globalThis, 'fetch')
  const page = open()
  await rows()
  press('Remove Letter 1')
  press('Remove Letter 2')
  leave(page)
  await waitFor(
    () =>
      expect(server.changes).toEqual([`DELETE /api/bookmarks/${id(1)}`, `DELETE /api/bookmarks/${id(2)}`]),
    { timeout: 2000 },
  )
  const sent = fetched.mock.calls.filter(([, init]) => init?.method === 'DELETE')
  expect(sent.map(([, init]) => init?.keepalive)).toEqual([true, true])
})

test('a post whose removal is refused is back in its place, with the sentence of the server [LOOP-17]', async () => {
  server.on(listBookmarks, [aBookmark(1), aBookmark(2)])
  server.refuse(removeBookmark, 'NotAllowed')
  open()
  await rows()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  press('Remove Letter 1')
  await afterUndo()
  expect(screen.getByText('You are not allowed to do this.')).toBeTruthy()
  expect(titlesNow()).toEqual(['Letter 1', 'Letter 2'])
})

test('after the last post is removed the page says how to keep one, and the focus is on its title [LOOP-17]', async () => {
  server.on(listBookmarks, [aBookmark(1)])
  server.on(removeBookmark, { ok: true })
  open()
  await rows()
  button('Remove Letter 1').focus()
  press('Remove Letter 1')
  await empty()
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Read later' }))
})

test('a reader who keeps nothing reads how to keep a post, and finds the way to the feed [LOOP-17]', async () => {
  server.on(listBookmarks, [])
  open()
  expect((await empty()).textContent).toContain('Press the bookmark below a post')
  expect(screen.getByRole('link', { name: 'Go to the feed' }).getAttribute('href')).toBe('/dashboard')
})

test('a reader reads more than one page, and the focus goes on to the first new post [LOOP-17]', async () => {
  server.onPages(listBookmarks, [[aBookmark(1)], [aBookmark(2)]])
  open()
  await rows()
  press('Show more')
  const next = await screen.findByRole('link', { name: 'Letter 2' })
  expect(document.activeElement).toBe(next)
})

test('a list that could not be loaded says so and is tried again [LOOP-17]', async () => {
  server.refuse(listBookmarks, 'NotAllowed')
  open()
  expect(await screen.findByText('The posts that you keep could not be loaded.')).toBeTruthy()
  server.on(listBookmarks, [aBookmark(1)])
  press('Try again')
  expect(await titles()).toEqual(['Letter 1'])
})

test('a list that is loading is named for screen readers [LOOP-17]', () => {
  server.hold(listBookmarks)
  open()
  expect(screen.getByRole('status', { name: 'Loading the posts that you keep' })).toBeTruthy()
})

test('the list follows what another device has kept when the page becomes visible again [LOOP-17]', async () => {
  server.on(listBookmarks, [aBookmark(1)])
  open()
  await rows()
  server.on(listBookmarks, [aBookmark(2), aBookmark(1)])
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  await waitFor(async () => expect(await titles()).toEqual(['Letter 2', 'Letter 1']))
})

test.each<[string, User | null]>([
  ['a guest', guest],
  ['a visitor', null],
])('%s is told to sign in, and nothing is asked for [LOOP-17]', async (_who, user) => {
  open(user)
  expect(screen.getByText('Sign in to keep posts to read later.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Sign In' })).toBeTruthy()
  expect(server.calls(listBookmarks)).toEqual([])
})
