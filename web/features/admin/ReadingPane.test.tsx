import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { erasePost } from '#contract/erasing/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { confirmErasure, eraseDialog } from '#web/features/erasing/testing.tsx'
import { approvePost, listPendingPosts } from '#contract/feed/endpoints.ts'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { aPost } from '#web/features/feed/testing.tsx'
import { handleKey } from '#web/lib/keys.ts'
import { fillQueue, leavePage, open, queue, startAdminPage, takeFromQueue } from './testing.tsx'
import { undoWithinMs } from '#web/lib/use-held.ts'

const server = startAdminPage()
beforeEach(() => {
  server.on(changePostVisibility, ({ params }) => takeFromQueue([params.id])[0]!)
  // The frame of every page does so.
  document.addEventListener('keydown', handleKey)
  onTestFinished(() => document.removeEventListener('keydown', handleKey))
})

const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })
const authors = () =>
  screen.queryAllByRole('checkbox', { name: /^Select the post/ }).map((each) => each.closest('li')!)
const focused = () => document.activeElement?.closest('li')?.textContent
const showQueue = async (count: number) => {
  fillQueue(count)
  open()
  await screen.findByText(count === 1 ? '1 post is waiting' : `${count} posts are waiting`)
}
const pane = (author: string) => screen.findByRole('dialog', { name: author })

test('an admin sees the longest wait first, with the number of words of each post [LOOP-31]', async () => {
  await showQueue(1)
  expect(server.calls(listPendingPosts)[0]!.query).toMatchObject({ order: 'oldest' })
  expect(authors()[0]!.textContent).toContain('2 words')
})

test('an admin moves, approves and sets aside by keys, and the focus follows to the next post [LOOP-31]', async () => {
  await showQueue(4)
  const [, second, third] = queue.posts.map(({ id }) => id)
  press('j')
  expect(focused()).toContain('Author 1')
  press('j')
  expect(focused()).toContain('Author 2')
  press('a')
  expect(focused()).toContain('Author 3')
  expect(screen.getByText('3 posts are waiting')).toBeTruthy()
  press('s')
  expect(focused()).toContain('Author 4')
  press('k')
  expect(focused()).toContain('Author 1')
  leavePage()
  await waitFor(() => expect(server.changes).toHaveLength(2))
  expect(server.calls(approvePost).map(({ params }) => params)).toEqual([{ id: second }])
  expect(server.calls(changePostVisibility).map(({ params }) => params)).toEqual([{ id: third }])
  expect(server.inputs(changePostVisibility)).toEqual([{ isVisible: false, isWaiting: true }])
})

test('an admin whose focus is in no row decides nothing by keys [LOOP-31]', async () => {
  await showQueue(2)
  press('a')
  press('s')
  expect(screen.getByText('2 posts are waiting')).toBeTruthy()
  leavePage()
  expect(server.changes).toEqual([])
})

test('an admin who reads a post sees the category and the tags that its author chose [LOOP-31]', async () => {
  await showQueue(1)
  queue.posts[0] = { ...queue.posts[0]!, category: 'Poetry', tags: ['night', 'moon'] }
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  await waitFor(() => expect(server.calls(listPendingPosts)).toHaveLength(2))
  fireEvent.click(screen.getByRole('button', { name: 'Open the post of Author 1' }))
  const opened = within(await pane('Author 1'))
  const choices = within(await opened.findByRole('list', { name: 'Category and tags' }))
  expect(choices.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Poetry',
    '#night',
    '#moon',
  ])
  expect(opened.getByText(/Keys:/).textContent).toContain('u undo')
})

test('an admin opens a post, reads all of it, and decides about one after the other by keys [LOOP-31]', async () => {
  await showQueue(3)
  const verse = `Rain\n\n${'Another line of the night\n'.repeat(300)}The end`
  queue.posts[0]!.content = verse
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  await screen.findByText(/1,\d{3} words/)
  fireEvent.click(screen.getByRole('button', { name: 'Open the post of Author 1' }))
  const text = within(await pane('Author 1')).getByRole('region', { name: 'The text of Author 1' })
  expect(text.textContent).toBe(verse.replace('\n\n', ''))
  press('a')
  await pane('Author 2')
  press('j')
  await pane('Author 3')
  press('k')
  await pane('Author 2')
  press('u')
  await pane('Author 1')
  expect(server.changes).toEqual([])
  press('s')
  press('s')
  press('s')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByText('No posts are waiting for review')).toBeTruthy()
  leavePage()
  await waitFor(() => expect(server.calls(changePostVisibility)).toHaveLength(3))
})

test('an admin who reads a new version compares it with the published text, and reads it in the form that its author chose [LOOP-04 LOOP-31]', async () => {
  await showQueue(2)
  const published = aPost({ content: 'A letter of the night' })
  queue.posts[0] = {
    ...queue.posts[0]!,
    content: 'A poem of the night',
    form: 'verse',
    replacesId: published.id,
  }
  server.on(getPost, published)
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  await screen.findByText('New version of a published post')
  fireEvent.click(screen.getByRole('button', { name: 'Open the post of Author 1' }))
  const opened = within(await pane('Author 1'))
  expect(opened.getByText('New version of a published post')).toBeTruthy()
  expect(
    opened.getByRole('region', { name: 'The text of Author 1' }).querySelector('.verse-line'),
  ).not.toBeNull()
  expect(server.calls(getPost)).toEqual([])
  fireEvent.click(opened.getByRole('button', { name: /^Compare with the published text/ }))
  const changes = await opened.findByRole('region', { name: 'Changes in the published text' })
  expect((await within(changes).findByText('letter')).tagName).toBe('DEL')
  expect(within(changes).getByText('poem').tagName).toBe('INS')
  fireEvent.click(opened.getByRole('button', { name: 'Next' }))
  const next = within(await pane('Author 2'))
  expect(next.queryByText('New version of a published post')).toBeNull()
  expect(next.queryByRole('region', { name: 'Changes in the published text' })).toBeNull()
})

test.each([
  ['the button of the notification', () => fireEvent.click(screen.getByRole('button', { name: 'Undo' }))],
  ['the key u', () => press('u')],
])('an admin undoes the last decision by %s, and nothing is sent [LOOP-31]', async (_by, undo) => {
  await showQueue(1)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  fireEvent.click(screen.getByRole('button', { name: 'Approve the post of Author 1' }))
  expect(screen.getByText('Approving: the post of Author 1')).toBeTruthy()
  expect(authors()).toHaveLength(0)
  undo()
  expect(authors()[0]!.textContent).toContain('Author 1')
  expect(focused()).toContain('Author 1')
  leavePage()
  await act(() => vi.advanceTimersByTimeAsync(2 * undoWithinMs))
  expect(server.changes).toEqual([])
})

test('a decision is sent once, 10 s after the key, and an undo then says that it is too late [LOOP-31]', async () => {
  await showQueue(1)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  press('j')
  press('a')
  act(() => void vi.advanceTimersByTime(undoWithinMs - 1))
  expect(server.changes).toEqual([])
  expect(screen.getByText('Undo')).toBeTruthy()
  act(() => void vi.advanceTimersByTime(1))
  vi.useRealTimers()
  await waitFor(() => expect(server.calls(approvePost)).toHaveLength(1))
  press('u')
  expect(screen.getByText('Nothing to undo')).toBeTruthy()
  leavePage()
  expect(server.calls(approvePost)).toHaveLength(1)
})

test('a decision is sent when the admin opens another part of the panel [LOOP-31]', async () => {
  await showQueue(1)
  press('j')
  press('a')
  expect(server.changes).toEqual([])
  fireEvent.click(screen.getByRole('tab', { name: 'Create Content' }))
  await waitFor(() => expect(server.calls(approvePost)).toHaveLength(1))
})

test('an admin erases the post that is open, while the keys of the pane decide nothing [INST-13]', async () => {
  await showQueue(2)
  const [{ id }] = queue.posts as [(typeof queue.posts)[0]]
  server.on(erasePost, ({ params }) => {
    takeFromQueue([params.id])
    return done
  })
  fireEvent.click(screen.getByRole('button', { name: 'Open the post of Author 1' }))
  fireEvent.click(within(await pane('Author 1')).getByRole('button', { name: 'Erase' }))
  const dialog = await eraseDialog('post')
  fireEvent.keyDown(within(dialog).getByRole('checkbox'), { key: 'a' })
  await confirmErasure('post')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.calls(erasePost)).toMatchObject([{ params: { id } }])
  expect(await screen.findByText('1 post is waiting')).toBeTruthy()
  leavePage()
  expect(server.calls(approvePost)).toEqual([])
})
