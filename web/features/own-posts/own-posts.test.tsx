import { fireEvent, screen, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import {
  changePost,
  type EditablePost,
  getOwnPost,
  getPostVersion,
  listOwnPostIds,
  listPostVersions,
  restorePost,
  takeBackPost,
} from '#contract/feed/own/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { PostCard } from '#web/features/feed/PostCard.tsx'
import { aPost } from '#web/features/feed/testing.tsx'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { TextDifference } from './TextDifference.tsx'

const server = startTestPage()
const now = '2025-06-10T12:00:00.000Z'

const openCard = (user: User | null = ana, ownIds?: string[]) => {
  const post = aPost({ content: 'A letter', authorName: 'Nightingale' })
  if (user === ana) server.on(listOwnPostIds, ownIds ?? [post.id])
  show(<PostCard post={post} />, { at: '/dashboard', user })
  return post
}
const choose = async (name: string) => {
  fireEvent.pointerDown(await screen.findByRole('button', { name: 'Your post' }), { button: 0 })
  fireEvent.click(await screen.findByRole('menuitem', { name }))
}

const toastText = async () =>
  (await screen.findByRole('link', { name: 'Taken back' })).closest('li')!.textContent

test('an author deletes a post under a pen name from its card at once, and undoes it from the toast [LOOP-08]', async () => {
  const { id } = openCard()
  server.on(takeBackPost, { ok: true })
  server.on(restorePost, { id, status: 'published', createdAt: now })
  await choose('Delete')
  expect(await toastText()).toContain('Deleted. It stays under Taken back for 30 days.')
  expect(server.calls(takeBackPost)).toMatchObject([{ params: { id }, query: { kind: 'deleted' } }])
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('The post is back')).toBeTruthy()
  expect(server.calls(restorePost)).toMatchObject([{ params: { id } }])
})

test('the toast of a post that was taken back offers to undo it for ten seconds [LOOP-08]', async () => {
  openCard()
  server.on(takeBackPost, { ok: true })
  await choose('Unpublish')
  expect(await toastText()).toContain('Unpublished. It stays under Taken back for 30 days.')
  vi.useFakeTimers()
  // The time starts anew after a pointer has held the toast.
  const toast = screen.getByRole('button', { name: 'Undo' }).closest('li')!
  fireEvent.pointerEnter(toast)
  fireEvent.pointerLeave(toast)
  await vi.advanceTimersByTimeAsync(9900)
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeTruthy()
  await vi.advanceTimersByTimeAsync(200)
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('an author who cannot reach the server reads that the post was not taken back, and it stays [LOOP-08]', async () => {
  openCard()
  server.refuse(takeBackPost, 'NotAllowed')
  await choose('Delete')
  expect(await screen.findByText('You are not allowed to do this.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('an author edits a post on the page for writing [LOOP-07]', async () => {
  const { id } = openCard()
  await choose('Edit')
  expect(location.pathname).toBe(`/write/post/${id}`)
})

test.each<[string, User | null, string[]]>([
  ['another person', ana, []],
  ['a guest', guest, []],
  ['a visitor', null, []],
])('%s has no menu on a post [LOOP-34]', async (_who, user, ids) => {
  openCard(user, ids)
  await screen.findByRole('button', { name: /^Like/ })
  if (user === ana) await screen.findByRole('button', { name: 'Report this post' })
  expect(screen.queryByRole('button', { name: 'Your post' })).toBeNull()
})

test('readers see on which day a post was edited, and nothing on a post that was not [LOOP-09]', () => {
  show(<PostCard post={aPost({ editedAt: '2025-06-12T22:30:00.000Z' })} />, { user: null })
  expect(screen.getByRole('article').textContent).toContain('\u00a0· edited Fri, Jun 13, 12:30')
  show(<PostCard post={aPost({ authorName: 'Ben' })} />, { user: null })
  expect(screen.getByRole('article', { name: 'Post by Ben' }).textContent).not.toContain('edited')
})

test('the card shows the category that the author chose instead of the guessed one, and verse as the author chose it [LOOP-12 LOOP-04]', () => {
  const content = 'A poem about the train.'
  show(<PostCard post={aPost({ content, category: 'Travel', form: 'verse' })} />, { user: null })
  expect(screen.getByText('Travel')).toBeTruthy()
  expect(screen.queryByText('Poetry')).toBeNull()
  expect(screen.getByTestId('post-content').querySelector('.verse-line')).not.toBeNull()
})

const current: EditablePost = {
  id: '01900000-0000-7000-8000-000000000001',
  content: 'It was very late.',
  authorName: 'Ana Lima',
  postType: 'premium',
  category: null,
  tags: [],
  form: null,
  status: 'published',
  hasWaitingVersion: false,
  updatedAt: now,
  publishedAt: now,
  editedAt: now,
}

test('an author compares an earlier text with the current one and restores it [LOOP-09]', async () => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { id } = openCard()
  const version = {
    id: '01900000-0000-7000-8000-00000000000a',
    writtenAt: now,
    replacedAt: now,
    wasPublished: true,
  }
  server.on(listPostVersions, [{ ...version, beginning: 'It was late.', length: 12 }])
  server.on(getPostVersion, { ...version, content: 'It was late.' })
  server.on(getOwnPost, { ...current, id })
  server.on(changePost, { id, status: 'pending', createdAt: now })
  server.on(getFeedDay, [])
  await choose('Versions')
  fireEvent.click(await screen.findByRole('button', { name: /It was late\./ }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText('Jun 10, 2025, 9:00 PM')).toBeTruthy()
  const added = await within(dialog).findByText(/very/)
  expect(added.tagName).toBe('INS')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Restore this text' }))
  expect(await screen.findByText('The earlier text waits for review')).toBeTruthy()
  expect(server.calls(changePost)).toMatchObject([
    { params: { id }, input: { content: 'It was late.', base: now } },
  ])
})

test('an author whose post was changed elsewhere reads so, and nothing is restored [LOOP-07 LOOP-09]', async () => {
  const { id } = openCard()
  const version = {
    id: '01900000-0000-7000-8000-00000000000a',
    writtenAt: now,
    replacedAt: now,
    wasPublished: true,
  }
  server.on(listPostVersions, [{ ...version, beginning: 'It was late.', length: 12 }])
  server.on(getPostVersion, { ...version, content: 'It was late.' })
  server.on(getOwnPost, { ...current, id })
  server.refuse(changePost, 'PostConflict')
  await choose('Versions')
  fireEvent.click(await screen.findByRole('button', { name: /It was late\./ }))
  await screen.findByText(/very/)
  fireEvent.click(screen.getByRole('button', { name: 'Restore this text' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'This post was changed elsewhere in the meantime. Nothing was overwritten.',
  )
})

test('two texts that differ too much are shown one after the other, within half a second [LOOP-09]', () => {
  const words = (seed: number) => Array.from({ length: 8000 }, (_, n) => (n * seed) % 7919).join(' ')
  const start = performance.now()
  show(<TextDifference before={words(3)} after={words(5)} />)
  expect(performance.now() - start).toBeLessThan(2000)
  expect(screen.getByText(/differ too much/)).toBeTruthy()
})
