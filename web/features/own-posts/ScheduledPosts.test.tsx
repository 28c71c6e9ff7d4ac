import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { listDrafts } from '#contract/drafts/endpoints.ts'
import { errors } from '#contract/errors.ts'
import { listOwnPostIds } from '#contract/feed/own/endpoints.ts'
import {
  changePublishTime,
  listScheduledPosts,
  publishScheduledPost,
  type ScheduledPost,
  unschedulePost,
} from '#contract/feed/scheduled/endpoints.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { fakeSources } from '#web/lib/live/testing.ts'
import { button, press, show, startTestPage } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { YourWritingPage } from './YourWritingPage.tsx'

const server = startTestPage()
beforeEach(() => {
  fakeSources()
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2025, 5, 10, 12, 20) })
  server.on(listDrafts, [])
})
const id = (n: number) => `01900000-0000-7000-8000-00000000000${n}`
const aPost = (n: number, more: Partial<ScheduledPost> = {}): ScheduledPost => ({
  id: id(n),
  beginning: 'Rain\n\nall night',
  wordCount: 1200,
  authorName: 'Ana Lima',
  postType: 'premium',
  imageUrl: null,
  createdAt: '2025-06-09T10:00:00.000Z',
  publishAt: new Date(2025, 5, 12, 9, 30).toISOString(),
  ...more,
})
const open = async (posts: ScheduledPost[]) => {
  server.on(listScheduledPosts, posts)
  show(<YourWritingPage />, { at: '/writing?list=scheduled', user: ana })
  return within(await screen.findByRole('list', { name: 'Scheduled posts' })).getAllByRole('listitem')
}

test('an author finds the scheduled posts with first line, words and the time of the own clock [LOOP-11]', async () => {
  const posts = await open([aPost(1), aPost(2, { beginning: 'Snow', wordCount: 1 })])
  expect(posts.map((row) => row.querySelector('div')!.textContent)).toEqual([
    'RainAppears Thu, Jun 12, 2025, 9:30 AM, 1,200 words',
    'SnowAppears Thu, Jun 12, 2025, 9:30 AM, 1 word',
  ])
  expect(screen.getByText(/^Nobody else sees these posts before their time\. Times are in /)).toBeTruthy()
  expect(screen.getByRole('tab', { name: 'Scheduled' }).getAttribute('aria-selected')).toBe('true')
})

test('an author without scheduled posts reads how one is made, and a guest that there are none without an account [LOOP-11]', async () => {
  server.on(listScheduledPosts, [])
  show(<YourWritingPage />, { at: '/writing?list=scheduled', user: ana }).unmount()
  show(<YourWritingPage />, { at: '/writing?list=scheduled', user: ana })
  expect(await screen.findByText(/^No post of yours is scheduled\./)).toBeTruthy()
  const calls = server.calls(listScheduledPosts).length
  show(<YourWritingPage />, { at: '/writing?list=scheduled', user: guest })
  expect(await screen.findByText(/^Without an account/)).toBeTruthy()
  expect(server.calls(listScheduledPosts)).toHaveLength(calls)
})

test('an author changes the time, and reads why a time is refused [LOOP-11]', async () => {
  await open([aPost(1)])
  press('Change time of Rain')
  const dialog = within(await screen.findByRole('dialog', { name: 'Change time' }))
  const time = dialog.getByLabelText<HTMLInputElement>('Time')
  expect([dialog.getByLabelText<HTMLInputElement>('Day').value, time.value]).toEqual(['2025-06-12', '09:30'])
  fireEvent.change(dialog.getByLabelText('Day'), { target: { value: '2025-06-10' } })
  expect(await dialog.findByText('Please choose a time that is at least a minute ahead.')).toBeTruthy()
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  fireEvent.change(time, { target: { value: '18:00' } })
  server.refuse(changePublishTime, 'ScheduledPostNotFound')
  await waitFor(() =>
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(false),
  )
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(
    await dialog.findByText('This post is not scheduled, or has appeared already.', {}, { timeout: 10_000 }),
  ).toBeTruthy()
  const publishAt = new Date(2025, 5, 10, 18).toISOString()
  server.on(changePublishTime, { id: id(1), publishAt })
  server.on(listScheduledPosts, [aPost(1, { publishAt })])
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Tue, Jun 10, 2025, 6:00 PM')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(server.calls(changePublishTime).at(-1)).toMatchObject({
    params: { id: id(1) },
    input: { publishAt },
  })
})

test('an author reads at the field why the server refuses a time [LOOP-11]', async () => {
  const error = 'Please choose a time that is at least a minute ahead.'
  await open([aPost(1)])
  server.refuse(changePublishTime, 'InvalidInput', { fields: { publishAt: error } })
  press('Change time of Rain')
  const dialog = within(await screen.findByRole('dialog', { name: 'Change time' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  const shown = await dialog.findByText(error)
  expect(dialog.getByLabelText('Time').getAttribute('aria-describedby')).toBe(shown.id)
  expect(dialog.getAllByRole('alert').map(({ textContent }) => textContent)).not.toContain(
    errors.InvalidInput.error,
  )
})

test.each([
  ['Publish now Rain', 'Back to drafts Rain', publishScheduledPost],
  ['Back to drafts Rain', 'Publish now Rain', unschedulePost],
])('a second press of %s while it runs sends nothing [LOOP-11]', async (name, other, endpoint) => {
  await open([aPost(1)])
  server.hold(endpoint)
  press(name)
  await waitFor(() => expect(button(name).getAttribute('aria-busy')).toBe('true'))
  press(name)
  expect(button(other).disabled).toBe(true)
  expect(server.changes).toHaveLength(1)
})

test('an author publishes a post now, or makes it a draft, and the list follows [LOOP-11]', async () => {
  await open([aPost(1), aPost(2, { beginning: 'Snow' })])
  server.on(publishScheduledPost, {
    id: id(1),
    status: 'published',
    createdAt: '2025-06-10T10:00:00.000Z',
  })
  server.on(listScheduledPosts, [aPost(2, { beginning: 'Snow' })])
  button('Publish now Rain').focus()
  press('Publish now Rain')
  expect(await screen.findByText("Your post is in today's feed.")).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Rain', { selector: 'p' })).toBeNull())
  expect(document.activeElement).toBe(button('Change time of Snow'))
  server.on(unschedulePost, { id: id(9) })
  server.on(listScheduledPosts, [])
  press('Back to drafts Snow')
  const link = await screen.findByRole('link', { name: 'Continue writing' })
  expect(link.getAttribute('href')).toBe(`/write/${id(9)}`)
  expect(await screen.findByText(/^No post of yours is scheduled\./)).toBeTruthy()
  expect(server.calls(unschedulePost)).toMatchObject([{ params: { id: id(2) } }])
})

test('while the drafts are full a post stays scheduled, and the author reads so [LOOP-11]', async () => {
  await open([aPost(1)])
  server.refuse(unschedulePost, 'DraftsFull')
  press('Back to drafts Rain')
  expect(await screen.findByText(/^You have 200 drafts/)).toBeTruthy()
  expect(screen.getByText('Rain', { selector: 'p' })).toBeTruthy()
})

test('an author is asked before a draft loses the picture of the post [LOOP-11]', async () => {
  await open([aPost(1, { imageUrl: '/uploads/covers/a.webp' })])
  server.on(unschedulePost, { id: id(9) })
  press('Back to drafts Rain')
  await screen.findByText('A draft has no picture. The picture of this post is removed.')
  press('Cancel')
  expect(server.calls(unschedulePost)).toEqual([])
  press('Back to drafts Rain')
  fireEvent.click(await screen.findByRole('button', { name: 'Back to drafts' }))
  await waitFor(() => expect(server.calls(unschedulePost)).toHaveLength(1))
})

/** Shows the list of scheduled posts, and beside it what reads another list. */
const showBeside = (reader: ReactNode) =>
  show(
    <>
      <YourWritingPage />
      {reader}
    </>,
    { at: '/writing?list=scheduled', user: ana },
  )

test('a post that appears meanwhile leaves the list without a reload, and only then are the lists read that have it now [LOOP-11]', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval'], now: new Date(2025, 5, 10, 12, 20) })
  const Reader = () => void useEndpoint(listOwnPostIds)
  server.on(listScheduledPosts, [aPost(1)])
  server.on(listOwnPostIds, [])
  showBeside(<Reader />)
  await screen.findByText('Rain', { selector: 'p' })
  await vi.advanceTimersByTimeAsync(6000)
  expect(server.calls(listScheduledPosts)).toHaveLength(1)
  vi.setSystemTime(new Date(2025, 5, 12, 9, 31))
  // The post keeps failing.
  await vi.advanceTimersByTimeAsync(6000)
  expect(server.calls(listScheduledPosts)).toHaveLength(2)
  expect(server.calls(listOwnPostIds)).toHaveLength(1)
  server.on(listScheduledPosts, [])
  await vi.advanceTimersByTimeAsync(6000)
  expect(await screen.findByText(/^No post of yours is scheduled\./)).toBeTruthy()
  await waitFor(() => expect(server.calls(listOwnPostIds)).toHaveLength(2))
})

test('a list of own posts that is read at first while a post appears has the post afterwards [LOOP-11]', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval'], now: new Date(2025, 5, 12, 9, 31) })
  const Reader = () => useEndpoint(listOwnPostIds).data?.map((own) => <p key={own}>{own}</p>)
  const old = Promise.withResolvers<string[]>()
  server.on(listScheduledPosts, [aPost(1)])
  server.on(listOwnPostIds, () => (server.calls(listOwnPostIds).length === 1 ? old.promise : [id(1)]))
  showBeside(<Reader />)
  await screen.findByText('Rain', { selector: 'p' })
  server.on(listScheduledPosts, [])
  await vi.advanceTimersByTimeAsync(6000)
  expect(await screen.findByText(/^No post of yours is scheduled\./)).toBeTruthy()
  old.resolve([])
  expect(await screen.findByText(id(1))).toBeTruthy()
})
