import 'fake-indexeddb/auto'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { createDraft } from '#contract/drafts/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay, getLastFeedDay } from '#contract/feed/reading/endpoints.ts'
import { FeedPage } from '#web/features/feed/FeedPage.tsx'
import { forgetDraftsOf, hasDrafts } from '#web/lib/editor/drafts.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { show, startTestPage, type } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { CreatePostDialog } from './CreatePostDialog.tsx'
import { WritePage } from './WritePage.tsx'

const server = startTestPage()

beforeEach(async () => {
  await forgetDraftsOf(guestId())
  localStorage.clear()
  server.on(submitPost, submitted('pending'))
})

const submitted = (status: 'pending' | 'published') => ({
  id: '01900000-0000-7000-8000-000000000001',
  status,
  createdAt: '2025-06-10T12:00:00.000Z',
})
const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Submit' })

/** Waits until the stored draft is shown and can be changed. */
const untilOpen = () =>
  waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Your text').readOnly).toBe(false))

async function open() {
  const onClose = vi.fn<() => void>()
  show(<CreatePostDialog onClose={onClose} />, { user: null })
  await untilOpen()
  return { onClose }
}
const sent = () => server.inputs(submitPost)

test('a writer sees that standard is chosen, and what both options cost and how long they take [POST-04 POST-05 POST-06 POST-09 POST-10 POST-21]', async () => {
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
  await open()
  type('Your text', content)
  type('Author name', author)
  expect(submit().disabled).toBe(true)
  fireEvent.submit(submit().form!)
  expect(sent()).toEqual([])
})

test('a writer submits a standard post: no type is sent, the form is cleared and closes [POST-14 POST-16 POST-17 POST-18 POST-23]', async () => {
  const { onClose } = await open()
  type('Your text', 'A line\nand another')
  type('Author name', 'Ana')
  fireEvent.click(submit())
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(sent()).toEqual([{ content: 'A line\nand another', authorName: 'Ana' }])
  expect(await screen.findByText('Submitted for review')).toBeTruthy()
  expect(screen.getByText('It is reviewed within a week.')).toBeTruthy()
  expect(await hasDrafts(guestId())).toBe(false)
  expect(screen.getByLabelText<HTMLTextAreaElement>('Your text').value).toBe('')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /Standard/ }).checked).toBe(true)
})

test('a writer gives a post a title: Enter leads from the title into the text, and both are sent as one text', async () => {
  await open()
  const title = screen.getByLabelText<HTMLInputElement>('Title (optional)')
  type('Author name', 'Ana')
  type('Title (optional)', 'Rain')
  fireEvent.keyDown(title, { key: 'Enter' })
  expect(document.activeElement).toBe(screen.getByLabelText('Your text'))
  type('Your text', 'It rained\n\nall night.')
  fireEvent.click(submit())
  await waitFor(() =>
    expect(sent()).toEqual([{ content: 'Rain\n\nIt rained\n\nall night.', authorName: 'Ana' }]),
  )
})

test('the text of a writer without a title stays in its field while the person writes, and opens again as it will be shown', async () => {
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value
  await open()
  type('Your text', 'It rained\n\nall night.')
  expect([field('Title (optional)'), field('Your text')]).toEqual(['', 'It rained\n\nall night.'])
  await waitFor(async () => expect(await hasDrafts(guestId())).toBe(true))
  cleanup()
  await open()
  await waitFor(() =>
    expect([field('Title (optional)'), field('Your text')]).toEqual(['It rained', 'all night.']),
  )
})

test.each([
  ['Title (optional)', 'x'.repeat(82), '2 characters too long'],
  ['Your text', 'x'.repeat(50_001), '1 character too long'],
  ['Author name', 'x'.repeat(1080), '1,000 characters too long'],
])('%s that is too long says by how much, and cannot be submitted', async (label, value, error) => {
  await open()
  type('Your text', 'A line')
  type('Author name', 'Ana')
  expect(submit().disabled).toBe(false)
  type(label, value)
  expect(screen.getByText(error)).toBeTruthy()
  expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true')
  expect(submit().disabled).toBe(true)
})

test.each([{ ctrlKey: true }, { metaKey: true }])(
  'Enter with %j in the text submits the post',
  async (held) => {
    const { onClose } = await open()
    type('Your text', 'A line')
    type('Author name', 'Ana')
    fireEvent.keyDown(screen.getByLabelText('Your text'), { key: 'Enter' })
    expect(sent()).toEqual([])
    fireEvent.keyDown(screen.getByLabelText('Title (optional)'), { key: 'Enter', ...held })
    await waitFor(() => expect(onClose).toHaveBeenCalled())
    expect(sent()).toHaveLength(1)
  },
)

test('a writer submits a premium post: its type is sent, and a toast says that it is in the feed [POST-15]', async () => {
  server.on(submitPost, submitted('published'))
  const { onClose } = await open()
  type('Your text', 'A line')
  type('Author name', 'Ana')
  fireEvent.click(screen.getByRole('radio', { name: /Premium/ }))
  fireEvent.click(submit())
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(sent()).toEqual([{ content: 'A line', authorName: 'Ana', type: 'premium' }])
  expect(await screen.findByText("Your post is in today's feed.")).toBeTruthy()
})

test.each([
  [true, 'Form, category, tags and the time are chosen on the page.'],
  [false, 'Form, category and tags are chosen on the page.'],
])(
  'a writer who may choose a time for a premium post (%s) learns where [LOOP-11]',
  async (publishesPremium, sentence) => {
    show(<CreatePostDialog onClose={() => {}} />, { user: ana, settings: { publishesPremium } })
    await untilOpen()
    expect(screen.getByText('Form, category and tags are chosen on the page.')).toBeTruthy()
    fireEvent.click(screen.getByRole('radio', { name: /Premium/ }))
    expect(screen.getByText(sentence)).toBeTruthy()
  },
)

test('a writer cannot submit a post again while it is being sent [POST-13]', async () => {
  server.hold(submitPost)
  await open()
  type('Your text', 'A line')
  type('Author name', 'Ana')
  fireEvent.click(submit())
  await waitFor(() => expect(submit().disabled).toBe(true))
  fireEvent.submit(submit().form!)
  expect(sent()).toHaveLength(1)
})

test('a writer whose submission fails keeps the text, sees a toast, and the error is logged [ERR-12 ERR-15 R22 GEN-10]', async () => {
  server.refuse(submitPost, 'SubmittedAlready')
  const { onClose } = await open()
  type('Your text', 'A line')
  type('Author name', 'Ana')
  fireEvent.click(submit())
  expect(await screen.findByText('Failed to create post. Please try again.')).toBeTruthy()
  expect(screen.getByText('Error')).toBeTruthy()
  expect(screen.getByText('This text was already submitted today.').role).toBe('alert')
  expect(screen.getByLabelText('Your text').getAttribute('aria-invalid')).toBeNull()
  expect(console.error).toHaveBeenCalledWith('Failed to create post', expect.any(Error))
  expect(onClose).not.toHaveBeenCalled()
  expect(screen.getByLabelText<HTMLTextAreaElement>('Your text').value).toBe('A line')
  expect(sent()).toHaveLength(1)
  cleanup()
  await open()
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Your text').value).toBe('A line'))
})

test('a writer whose author name is reserved reads so at that field, and can submit another name [ERR-12]', async () => {
  const error = 'This author name is reserved. Please choose another one.'
  server.refuse(submitPost, 'AuthorNameReserved', { fields: { authorName: error } })
  const { onClose } = await open()
  type('Your text', 'A line')
  type('Author name', 'Zimmer')
  fireEvent.click(submit())
  await screen.findByText(error)
  const invalid = (label: string) => screen.getByLabelText(label).getAttribute('aria-invalid')
  expect([invalid('Author name'), invalid('Your text')]).toEqual(['true', null])
  server.on(submitPost, submitted('pending'))
  type('Author name', 'Ana')
  fireEvent.click(submit())
  await waitFor(() => expect(onClose).toHaveBeenCalled())
})

test('a submission without a network is retried with the same key, and the text stays [GEN-11 GEN-12 GEN-24]', async () => {
  server.disconnect(submitPost)
  await open()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  type('Your text', 'A line')
  type('Author name', 'Ana')
  fireEvent.click(submit())
  await vi.advanceTimersByTimeAsync(10_000)
  vi.useRealTimers()
  expect(sent()).toHaveLength(3)
  const keys = server.calls(submitPost).map(({ idempotencyKey }) => idempotencyKey)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(screen.getByLabelText<HTMLTextAreaElement>('Your text').value).toBe('A line')
})

test('a person can write only once the session is known, and the draft is stored for that person alone [S48]', async () => {
  localStorage.setItem('userId', ana.id)
  const answer = Promise.withResolvers<typeof ana>()
  server.on(getMe, () => answer.promise)
  // The last save of the sheet, at the end of the test.
  server.refuse(createDraft, 'SignInRequired')
  show(<CreatePostDialog onClose={() => {}} />)
  expect(screen.getByRole('dialog', { name: 'Create Post' })).toBeTruthy()
  expect(screen.queryByLabelText('Your text')).toBeNull()
  answer.resolve(ana)
  await screen.findByLabelText('Your text')
  await untilOpen()
  expect(screen.getByLabelText<HTMLInputElement>('Author name').value).toBe('Ana Lima')
  type('Your text', 'A line')
  await waitFor(async () => expect(await hasDrafts(ana.id)).toBe(true))
  expect(localStorage.getItem('guestId')).toBeNull()
  await forgetDraftsOf(ana.id)
})

test('after a submission the feed is fetched again [POST-19]', async () => {
  server.on(getFeedDay, [])
  server.on(getLastFeedDay, { day: null })
  server.on(submitPost, submitted('published'))
  show(
    <>
      <FeedPage />
      <CreatePostDialog onClose={() => {}} />
    </>,
  )
  const reads = () => server.calls(getFeedDay).length
  await waitFor(() => expect(reads()).toBe(1))
  await untilOpen()
  type('Your text', 'A line')
  type('Author name', 'Ana')
  fireEvent.click(submit())
  await waitFor(() => expect(reads()).toBe(2))
})

test.each([
  ['in the dialog', <CreatePostDialog key="dialog" onClose={() => {}} />],
  ['on the page', <WritePage key="page" />],
])(
  'where submissions of visitors are off a visitor reads %s that it needs an account, and finds no form [INST-02]',
  async (_where, part) => {
    const access = { registrationQuestion: '', guests: true, submissions: false, publicRooms: true } as const
    show(part, { user: null, settings: { access: { ...access, registration: 'open' } } })
    expect(await screen.findByText('Only people with an account can send texts here.')).toBeTruthy()
    expect(screen.queryByLabelText('Your text')).toBeNull()
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeTruthy()
  },
)
