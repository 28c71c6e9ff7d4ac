import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { listOwnPosts, type OwnPost } from '#contract/feed/review/endpoints.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ofWaitingPost } from '#web/testing/own-posts.ts'
import { ana } from '#web/testing/people.ts'
import { YourPosts } from './YourPosts.tsx'

const server = startTestPage()
const open = () => show(<YourPosts />, { at: '/settings', user: ana })

let count = 0
const anOwnPost = (more: Partial<OwnPost> = {}): OwnPost => ({
  id: `01900000-0000-7000-8000-${String(++count).padStart(12, '0')}`,
  beginning: 'A letter\n\nDear all',
  wordCount: 4,
  ...ofWaitingPost,
  ...more,
})

test('an author sees the state of each own post, and why an admin decided so [ADM-18]', async () => {
  const published = { publishedAt: '2025-06-10T10:00:00.000Z', status: 'published' } as const
  server.on(listOwnPosts, [
    anOwnPost({ beginning: 'Waits' }),
    anOwnPost({ beginning: 'Aside', isVisible: false, reason: 'It names a neighbour.' }),
    anOwnPost({ beginning: 'Public', ...published }),
    anOwnPost({ beginning: 'Gone', isVisible: false, ...published }),
  ])
  open()
  const list = await screen.findByRole('list', { name: 'Your posts' })
  const rows = within(list).getAllByRole('listitem')
  expect(rows.map((row) => row.textContent)).toEqual([
    'WaitsWaits for reviewSent Jun 9, 2025, 12:00 PM, reviewed within a week',
    'AsideSet asideSent Jun 9, 2025, 12:00 PMIt names a neighbour.',
    'PublicPublishedPublished Jun 10, 2025, 12:00 PM',
    'GoneHiddenPublished Jun 10, 2025, 12:00 PM',
  ])
  // A post that only its author can see has no page.
  expect(
    within(list)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(['Public'])
})

test('an author in Germany reads the time by a clock of 24 hours [ADM-18]', async () => {
  vi.spyOn(navigator, 'language', 'get').mockReturnValue('de-DE')
  server.on(listOwnPosts, [anOwnPost({ beginning: 'Waits' })])
  open()
  expect(await screen.findByText('Jun 9, 2025, 12:00')).toBeTruthy()
})

test('an author without posts, and one whose list cannot be loaded, read so [ADM-18]', async () => {
  server.refuse(listOwnPosts, 'NotAllowed')
  open()
  expect(await screen.findByText('Your posts could not be loaded.')).toBeTruthy()
  server.on(listOwnPosts, [])
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('You have not sent a post yet.')).toBeTruthy()
})

test('an author loads older posts [S30]', async () => {
  server.onPages(listOwnPosts, [[anOwnPost({ beginning: 'New' })], [anOwnPost({ beginning: 'Old' })]])
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Show more' }))
  expect(await screen.findByText('Old')).toBeTruthy()
  expect(screen.getByText('New')).toBeTruthy()
})

test('an author goes from the settings to all of the own writing [LOOP-06]', async () => {
  server.on(listOwnPosts, [])
  open()
  const link = await screen.findByRole('link', { name: /^All your writing/ })
  expect(link.getAttribute('href')).toBe('/writing')
})
