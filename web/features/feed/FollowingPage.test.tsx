import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import type { User } from '#contract/account/user.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { listFollowedIds, listFollowedPosts, listFollows } from '#contract/follows/endpoints.ts'
import { listOwnPostIds } from '#contract/feed/own/endpoints.ts'
import { serveFollows } from '#web/features/follows/testing.tsx'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { FollowingPage } from './FollowingPage.tsx'
import { aPost } from './testing.tsx'

const server = startTestPage()
const followedAt = '2025-06-10T10:00:00.000Z'
const ben = { id: 'b3n0000000', name: 'Ben Okoro', introduction: 'I write at night.', followedAt }
const cem = { id: 'cem0000000', name: 'Cem Kaya', introduction: '', followedAt }
const postOfBen = (content: string, publishedAt: string): PublicPost =>
  aPost({ content, publishedAt, authorId: ben.id, authorName: ben.name, authorHasPage: true })

interface Followed {
  posts?: PublicPost[][]
  people?: (typeof ben)[]
}
function open({ posts = [[]], people = [ben] }: Followed = {}, user: User | null = ana) {
  server.onPages(listFollowedPosts, posts)
  server.on(listFollows, people)
  serveFollows(
    server,
    people.map(({ id }) => id),
  )
  server.on(listOwnPostIds, [])
  return show(<FollowingPage />, { at: '/following', user })
}

test('a reader finds the posts of followed people by day, and each day leads to the feed [LOOP-18]', async () => {
  open({
    posts: [
      [
        postOfBen('of this morning', '2025-06-10T08:00:00.000Z'),
        // In Berlin this is the 10th already.
        postOfBen('of midnight', '2025-06-09T22:30:00.000Z'),
        postOfBen('of yesterday', '2025-06-09T12:00:00.000Z'),
        postOfBen('of long ago', '1890-06-09T12:00:00.000Z'),
      ],
    ],
  })
  const list = await screen.findByRole('list', { name: 'Posts' })
  const texts = within(list)
    .getAllByRole('listitem')
    .map((item) => item.textContent)
  expect(texts.map((text) => /of (this morning|midnight|yesterday|long ago)/.exec(text)![0])).toEqual([
    'of this morning',
    'of midnight',
    'of yesterday',
    'of long ago',
  ])
  const days = within(list).getAllByRole('heading', { level: 2 })
  expect(days.map((day) => day.textContent)).toEqual([
    'Tuesday, Jun 10',
    'Monday, Jun 9',
    'Monday, Jun 9, 1890',
  ])
  expect(days.map((day) => day.querySelector('a')?.getAttribute('href'))).toEqual([
    '/dashboard',
    '/dashboard?date=2025-06-09',
    undefined,
  ])
  expect(screen.getByRole('link', { name: 'The whole feed' }).getAttribute('href')).toBe('/dashboard')
})

test('a reader opens older posts, and the focus goes to the first of them [LOOP-18]', async () => {
  const at = '2025-06-10T08:00:00.000Z'
  open({ posts: [[postOfBen('Newest', at)], [postOfBen('Oldest', at)]] })
  await screen.findByText('Newest')
  press('Show more')
  await screen.findByText('Oldest')
  await waitFor(() => expect(document.activeElement?.closest('li')?.textContent).toContain('Oldest'))
  // Both are of one day.
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Tuesday, Jun 10',
    'People you follow',
  ])
})

test('a reader unfollows somebody in the list and, as the row stays, follows them again; the posts are read anew [LOOP-17 LOOP-18]', async () => {
  open({ posts: [[postOfBen('A poem', '2025-06-10T08:00:00.000Z')]], people: [ben, cem] })
  await screen.findByText('A poem')
  expect(screen.getByRole('link', { name: 'People' }).getAttribute('href')).toBe('#people')
  const people = screen.getByRole('region', { name: 'People you follow' })
  expect(
    within(people)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual([ben.name, cem.name])
  server.onPages(listFollowedPosts, [[]])
  server.on(listFollows, [cem])
  fireEvent.click(await screen.findByRole('button', { name: 'Unfollow Ben Okoro' }))
  await waitFor(() => expect(screen.queryByText('A poem')).toBeNull())
  expect(screen.getByText('Nobody you follow has published anything yet.')).toBeTruthy()
  press('Follow Ben Okoro')
  expect(await screen.findByRole('button', { name: 'Unfollow Ben Okoro' })).toBeTruthy()
  await waitFor(() =>
    expect(server.changes).toEqual([`DELETE /api/follows/${ben.id}`, `PUT /api/follows/${ben.id}`]),
  )
})

test('a reader who unfollows the last person reads that they follow nobody now [LOOP-17 LOOP-18]', async () => {
  open({ people: [ben] })
  await screen.findByText('Nobody you follow has published anything yet.')
  fireEvent.click(await screen.findByRole('button', { name: 'Unfollow Ben Okoro' }))
  expect(await screen.findByText(/^You follow nobody now\./)).toBeTruthy()
  press('Follow Ben Okoro')
  expect(await screen.findByText('Nobody you follow has published anything yet.')).toBeTruthy()
})

test('a person who is followed in another tab appears with their posts [LOOP-17 LOOP-18]', async () => {
  open({ people: [ben] })
  await screen.findByText('Nobody you follow has published anything yet.')
  server.onPages(listFollowedPosts, [[postOfBen('A poem', '2025-06-10T08:00:00.000Z')]])
  server.on(listFollows, [cem, ben])
  server.on(listFollowedIds, [cem.id, ben.id])
  const otherTab = new BroadcastChannel('follows')
  onTestFinished(() => otherTab.close())
  otherTab.postMessage('changed')
  expect(await screen.findByRole('link', { name: cem.name })).toBeTruthy()
  expect(await screen.findByText('A poem')).toBeTruthy()
})

test('a reader who follows nobody learns how to, and is led to the people [LOOP-18]', async () => {
  open({ people: [] })
  expect(await screen.findByText(/^You follow nobody yet\./)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Find people' }).getAttribute('href')).toBe('/users')
})

test('a reader whose posts could not be loaded tries again [LOOP-18]', async () => {
  server.on(listFollows, [ben])
  server.on(listFollowedIds, [ben.id])
  server.on(listOwnPostIds, [])
  server.refuse(listFollowedPosts, 'NotAllowed')
  show(<FollowingPage />, { at: '/following', user: ana })
  await screen.findByText('The posts could not be loaded.')
  server.onPages(listFollowedPosts, [[postOfBen('A poem', followedAt)]])
  press('Try again')
  expect(await screen.findByText('A poem')).toBeTruthy()
})

test('a reader reads the posts while the people cannot be loaded, and tries these again [LOOP-17 LOOP-18]', async () => {
  const answer = Promise.withResolvers<never>()
  server.onPages(listFollowedPosts, [[postOfBen('A poem', followedAt)]])
  server.on(listFollows, ({ fail }) => answer.promise.catch(() => fail('NotAllowed')))
  serveFollows(server, [ben.id])
  server.on(listOwnPostIds, [])
  show(<FollowingPage />, { at: '/following', user: ana })
  expect(await screen.findByText('A poem')).toBeTruthy()
  const people = within(screen.getByRole('region', { name: 'People you follow' }))
  expect(people.getByRole('status', { name: 'Loading the people you follow' })).toBeTruthy()
  answer.reject(new Error('refused'))
  expect(await people.findByText('The people you follow could not be loaded.')).toBeTruthy()
  expect(screen.getByText('A poem')).toBeTruthy()
  server.on(listFollows, [ben])
  fireEvent.click(people.getByRole('button', { name: 'Try again' }))
  expect(await people.findByRole('link', { name: ben.name })).toBeTruthy()
})

test.each([
  ['a visitor', null],
  ['a guest', guest],
])('%s is told to sign in, and nothing is requested [LOOP-18]', async (_who, user) => {
  open({}, user)
  expect(await screen.findByText(/^With an account you follow writers/)).toBeTruthy()
  expect(server.requests.filter((line) => /follow/.test(line))).toEqual([])
})
