import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { addBookmark, listBookmarkIds, removeBookmark } from '#contract/bookmarks/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { listOwnPostIds } from '#contract/feed/own/endpoints.ts'
import { PostCard } from '#web/features/feed/PostCard.tsx'
import { aPost } from '#web/features/feed/testing.tsx'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'

const server = startTestPage()

/** The card of a post, for a reader who keeps these posts. */
function openCard({ kept = [], user = ana }: { kept?: string[]; user?: User | null } = {}) {
  const post = aPost()
  server.on(listOwnPostIds, [])
  server.on(listBookmarkIds, kept.includes('this') ? [post.id] : [])
  show(<PostCard post={post} />, { at: '/dashboard', user })
  return post
}
const bookmark = (name: 'Read later' | 'Kept for later') => screen.findByRole('button', { name })
const isPressed = async (name: 'Read later' | 'Kept for later') =>
  (await bookmark(name)).getAttribute('aria-pressed')

test('a reader keeps a post from its card and sees it kept at once, and removes it again [LOOP-17]', async () => {
  const { id } = openCard()
  const { promise, resolve } = Promise.withResolvers<{ ok: true }>()
  server.on(addBookmark, () => promise)
  server.on(removeBookmark, { ok: true })
  fireEvent.click(await bookmark('Read later'))
  // Before the server has answered.
  expect(await isPressed('Kept for later')).toBe('true')
  server.on(listBookmarkIds, [id])
  await act(async () => resolve({ ok: true }))
  fireEvent.click(await bookmark('Kept for later'))
  server.on(listBookmarkIds, [])
  expect(await isPressed('Read later')).toBe('false')
  await waitFor(() =>
    expect(server.changes).toEqual([`PUT /api/bookmarks/${id}`, `DELETE /api/bookmarks/${id}`]),
  )
})

test('a reader sees which posts are kept already [LOOP-17]', async () => {
  openCard({ kept: ['this'] })
  expect(await isPressed('Kept for later')).toBe('true')
})

test('a reader whose list is full reads so, and the post is not shown as kept [LOOP-17]', async () => {
  openCard()
  server.refuse(addBookmark, 'BookmarksFull')
  const button = await bookmark('Read later')
  // No other answer corrects the page.
  server.hold(listBookmarkIds)
  fireEvent.click(button)
  expect(await screen.findByText('You keep 1000 posts to read later. Please remove one first.')).toBeTruthy()
  expect(await isPressed('Read later')).toBe('false')
})

test('a reader whose removal fails without a sentence of the server reads one, and the post stays kept [LOOP-17]', async () => {
  openCard({ kept: ['this'] })
  server.answerForeign(removeBookmark, 400, 'A proxy')
  const button = await bookmark('Kept for later')
  server.hold(listBookmarkIds)
  fireEvent.click(button)
  expect(await screen.findByText('The post could not be removed. Please try again.')).toBeTruthy()
  expect(await isPressed('Kept for later')).toBe('true')
})

test('two changes of one post reach the server one after the other, and the last one holds [LOOP-17]', async () => {
  const { id } = openCard()
  const { promise, resolve } = Promise.withResolvers<{ ok: true }>()
  server.on(addBookmark, () => promise)
  server.on(removeBookmark, { ok: true })
  fireEvent.click(await bookmark('Read later'))
  fireEvent.click(await bookmark('Kept for later'))
  await bookmark('Read later')
  expect(server.changes).toEqual([`PUT /api/bookmarks/${id}`])
  await act(async () => resolve({ ok: true }))
  await waitFor(() =>
    expect(server.changes).toEqual([`PUT /api/bookmarks/${id}`, `DELETE /api/bookmarks/${id}`]),
  )
  expect(await isPressed('Read later')).toBe('false')
})

const becomeVisible = () => act(() => void document.dispatchEvent(new Event('visibilitychange')))

test('an answer that was under way before a change does not undo the change on the page [LOOP-17]', async () => {
  openCard()
  await bookmark('Read later')
  const { promise, resolve } = Promise.withResolvers<string[]>()
  server.on(listBookmarkIds, () => promise)
  becomeVisible()
  server.hold(addBookmark)
  fireEvent.click(await bookmark('Read later'))
  await bookmark('Kept for later')
  await act(async () => resolve([]))
  expect(await isPressed('Kept for later')).toBe('true')
})

test('a page reads nothing while a change is under way, which the answer may not have yet [LOOP-17]', async () => {
  openCard()
  server.hold(addBookmark)
  fireEvent.click(await bookmark('Read later'))
  await bookmark('Kept for later')
  const reads = server.calls(listBookmarkIds).length
  becomeVisible()
  expect(await isPressed('Kept for later')).toBe('true')
  expect(server.calls(listBookmarkIds)).toHaveLength(reads)
})

test('a page that becomes visible again shows what another device has kept [LOOP-17]', async () => {
  const { id } = openCard()
  await bookmark('Read later')
  server.on(listBookmarkIds, [id])
  becomeVisible()
  expect(await isPressed('Kept for later')).toBe('true')
})

test('another tab of the browser follows a change at once, and tells its own [LOOP-17]', async () => {
  const { id } = openCard()
  const otherTab = new BroadcastChannel('bookmarks')
  onTestFinished(() => otherTab.close())
  let changes = 0
  otherTab.onmessage = () => void changes++
  await bookmark('Read later')
  server.on(listBookmarkIds, [id])
  otherTab.postMessage('changed')
  fireEvent.click(await bookmark('Kept for later'))
  server.on(removeBookmark, { ok: true })
  server.on(listBookmarkIds, [])
  await waitFor(() => expect(changes).toBe(1))
})

test.each<[string, User | null]>([
  ['a guest', guest],
  ['a visitor', null],
])('%s has no bookmark below a post, and asks for none [LOOP-17]', async (_who, user) => {
  openCard({ user })
  await screen.findByRole('button', { name: /^Share/ })
  expect(screen.queryByRole('button', { name: 'Read later' })).toBeNull()
  expect(server.calls(listBookmarkIds)).toEqual([])
})

test('an author keeps an own post too, beside its menu [LOOP-17]', async () => {
  const post = aPost({ authorId: ana.id })
  show(<PostCard post={post} />, { at: '/dashboard', user: ana })
  await screen.findByRole('button', { name: 'Your post' })
  expect(await isPressed('Read later')).toBe('false')
})
