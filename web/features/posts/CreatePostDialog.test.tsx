import 'fake-indexeddb/auto'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FeedPage } from '#web/features/feed/FeedPage.tsx'
import { serve, show, type Sent } from '#web/features/feed/testing.tsx'
import { forgetDraftsOf, hasDrafts } from '#web/lib/editor/drafts.ts'
import { guestId } from '#web/lib/session-storage.ts'
import { CreatePostDialog } from './CreatePostDialog.tsx'

beforeEach(async () => {
  await forgetDraftsOf(guestId())
  localStorage.clear()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const path = 'POST /api/pending-posts'
const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Submit' })
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

/** The text that was kept here is there, and the next one can be typed. */
const untilOpen = () =>
  waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Your text').readOnly).toBe(false))

async function open(
  answer: (sent: Sent) => { status?: number; body?: unknown } | 'away' = () => ({
    status: 201,
    body: { status: 'pending' },
  }),
) {
  const onClose = vi.fn<() => void>()
  const sent = serve({ [path]: answer })
  show(<CreatePostDialog onClose={onClose} />)
  await untilOpen()
  return { onClose, sent: () => sent.filter(({ method }) => method === 'POST') }
}

test('standard is chosen, and both options say what they cost and how long they take [POST-04 POST-05 POST-06 POST-09 POST-10 POST-21]', async () => {
  await open()
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /Standard/ }).checked).toBe(true)
  expect(screen.getByText(/Free\..*up to 1 week/)).toBeTruthy()
  expect(screen.getByText(/Published instantly\. Subscription of \$5\/month\./)).toBeTruthy()
  expect(screen.queryByLabelText(/card/i)).toBeNull()
})

test.each([
  ['', 'Ana'],
  [' \n', 'Ana'],
  ['A line', ''],
  ['A line', '  '],
])('a blank text or author cannot be submitted: %j by %j [POST-11 POST-12]', async (content, author) => {
  const { sent } = await open()
  type('Your text', content)
  type('Author name', author)
  expect(submit().disabled).toBe(true)
  fireEvent.submit(submit().form!)
  expect(sent()).toEqual([])
})

test('a standard submission names no type, clears the form and closes [POST-14 POST-16 POST-17 POST-18 POST-23]', async () => {
  const { sent, onClose } = await open()
  type('Your text', 'A line\nand another')
  type('Author name', 'Ana')
  fireEvent.click(submit())
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(sent().map(({ body }) => body)).toEqual([{ content: 'A line\nand another', authorName: 'Ana' }])
  expect(await screen.findByText('Submitted for review')).toBeTruthy()
  expect(await hasDrafts(guestId())).toBe(false)
  expect(screen.getByLabelText<HTMLTextAreaElement>('Your text').value).toBe('')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /Standard/ }).checked).toBe(true)
})

test('a premium submission says so [POST-15]', async () => {
  const { sent, onClose } = await open(() => ({ status: 201, body: { status: 'published' } }))
  type('Your text', 'A line')
  type('Author name', 'Ana')
  fireEvent.click(screen.getByRole('radio', { name: /Premium/ }))
  fireEvent.click(submit())
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(sent().map(({ body }) => body)).toEqual([{ content: 'A line', authorName: 'Ana', type: 'premium' }])
})

test('while a submission is on its way, it cannot be sent again [POST-13]', async () => {
  globalThis.fetch = vi.fn<typeof fetch>(() => new Promise(() => {}))
  show(<CreatePostDialog onClose={() => {}} />)
  await untilOpen()
  type('Your text', 'A line')
  type('Author name', 'Ana')
  fireEvent.click(submit())
  await waitFor(() => expect(submit().disabled).toBe(true))
  fireEvent.submit(submit().form!)
  expect(globalThis.fetch).toHaveBeenCalledTimes(1)
})

test('a failure keeps what was typed, is told in a toast and logged [ERR-12 ERR-15 R22 GEN-10]', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { sent, onClose } = await open(() => ({
    status: 400,
    body: { code: 'SubmittedAlready', error: 'This text was already submitted today.' },
  }))
  type('Your text', 'A line')
  type('Author name', 'Ana')
  fireEvent.click(submit())
  expect(await screen.findByText('Failed to create post. Please try again.')).toBeTruthy()
  expect(screen.getByText('Error')).toBeTruthy()
  expect(screen.getByText('This text was already submitted today.')).toBeTruthy()
  expect(logged).toHaveBeenCalledWith('Failed to create post', expect.any(Error))
  expect(onClose).not.toHaveBeenCalled()
  expect(screen.getByLabelText<HTMLTextAreaElement>('Your text').value).toBe('A line')
  expect(sent()).toHaveLength(1)
  cleanup()
  await open()
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Your text').value).toBe('A line'))
})

test('a lost network is tried again with the same key, and the text stays [GEN-11 GEN-12 GEN-24]', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { sent } = await open(() => 'away')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  type('Your text', 'A line')
  type('Author name', 'Ana')
  fireEvent.click(submit())
  await vi.advanceTimersByTimeAsync(10_000)
  vi.useRealTimers()
  expect(sent()).toHaveLength(3)
  expect(new Set(sent().map(({ key }) => key)).size).toBe(1)
  expect(sent()[0]?.key).toMatch(/^[0-9a-f]{32}$/)
  expect(screen.getByLabelText<HTMLTextAreaElement>('Your text').value).toBe('A line')
})

test('before it is known who writes there is nothing to type into, and then it is kept for them alone [S48]', async () => {
  const person = {
    id: 'k7q2m4xp3d',
    email: 'ana@example.org',
    firstName: 'Ana',
    lastName: 'Lima',
    isAnonymous: false,
  }
  localStorage.setItem('userId', person.id)
  let answer = () => {}
  const held = new Promise<Response>((resolve) => {
    answer = () => resolve(new Response(JSON.stringify(person)))
  })
  globalThis.fetch = () => held
  show(<CreatePostDialog onClose={() => {}} />)
  expect(screen.getByRole('dialog', { name: 'Create Post' })).toBeTruthy()
  expect(screen.queryByLabelText('Your text')).toBeNull()
  answer()
  await screen.findByLabelText('Your text')
  await untilOpen()
  expect(screen.getByLabelText<HTMLInputElement>('Author name').value).toBe('Ana Lima')
  type('Your text', 'A line')
  await waitFor(async () => expect(await hasDrafts(person.id)).toBe(true))
  expect(localStorage.getItem('guestId')).toBeNull()
  await forgetDraftsOf(person.id)
})

test('after a success the feed is read anew [POST-19]', async () => {
  const sent = serve({
    'GET /api/feed/day/0': () => ({ body: [] }),
    [path]: () => ({ status: 201, body: { status: 'published' } }),
  })
  show(
    <>
      <FeedPage />
      <CreatePostDialog onClose={() => {}} />
    </>,
  )
  const reads = () => sent.filter(({ method }) => method === 'GET').length
  await waitFor(() => expect(reads()).toBe(1))
  await untilOpen()
  type('Your text', 'A line')
  type('Author name', 'Ana')
  fireEvent.click(submit())
  await waitFor(() => expect(reads()).toBe(2))
})
