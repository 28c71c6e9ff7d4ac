import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Creator } from '#contract/creators/creator.ts'
import { authorsOf } from '#contract/feed/authors.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import type { FeedRoom } from '#contract/rooms/room.ts'
import { allCreators, withPortfolio } from '#web/features/creators/index.ts'
import { aPost } from '#web/features/feed/testing.tsx'
import { useEndpoint } from '#web/lib/api.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { noTurns } from '#web/testing/rooms.ts'
import { useDetails, type Details } from './index.ts'

const server = startTestPage()

/** Opens a detail and returns its dialog. */
async function open(opens: (details: Details) => void) {
  function Opener() {
    const details = useDetails()
    return <button onClick={() => opens(details)}>Open</button>
  }
  show(<Opener />)
  const opener = screen.getByRole('button', { name: 'Open' })
  opener.focus()
  fireEvent.click(opener)
  return within(await screen.findByRole('dialog'))
}
const openPost = (post: PublicPost) => open((details) => details.showPost(post))
const openAuthor = (posts: PublicPost[]) => open((details) => details.showAuthor(authorsOf(posts)[0]!))
const openCreator = (creator: Creator) => open((details) => details.showCreator(creator))
const openRoom = (room: FeedRoom) => open((details) => details.showRoom(room))

const verified = allCreators.find((creator) => creator.isVerified)!
const unverified = allCreators.find((creator) => !creator.isVerified)!
const aRoom: FeedRoom = {
  id: '01900000-0000-7000-8000-00000000a001',
  name: 'The night train',
  description: 'One carriage,\none story.',
  memberCount: 4,
  isActive: true,
  isPublic: true,
  duration: 30,
  expiresAt: '2025-06-10T10:00:00.000Z',
  createdAt: '2025-06-10T09:30:00.000Z',
  ...noTurns,
  createdBy: null,
  isMember: false,
}

test('the detail of a post shows 80 characters of it, its author, date and length [SHELL-62 SHELL-63 SHELL-64]', async () => {
  const dialog = await openPost(aPost({ content: `${'a'.repeat(80)}${'b'.repeat(1120)}` }))
  expect(dialog.getByText(`${'a'.repeat(80)}…`)).toBeTruthy()
  expect(dialog.getByText('Ana Lima')).toBeTruthy()
  expect(dialog.getByText('June 10, 2025').getAttribute('datetime')).toBe('2025-06-10T08:00:00.000Z')
  expect(dialog.getByText('1,200 characters')).toBeTruthy()
})

test('a short post is shown as a whole, with its line breaks [SHELL-63]', async () => {
  const dialog = await openPost(aPost({ content: 'one\ntwo' }))
  const preview = dialog.getByText('one two')
  expect(preview.textContent).toBe('one\ntwo')
  expect(preview.className).toContain('reading')
})

test('a reader goes from the detail of a post to its article, and to its author [ART-02 SHELL-62]', async () => {
  const post = aPost({ content: 'A walk at night' })
  const dialog = await openPost(post)
  fireEvent.click(dialog.getByRole('button', { name: 'Ana Lima' }))
  expect(await screen.findByRole('dialog', { name: 'Ana Lima' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'A walk at night' }))
  expect(location.pathname).toBe(`/posts/${post.id}`)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the detail of an author lists a post of a loaded day once [SHELL-66]', async () => {
  const post = aPost({ content: 'A walk at night' })
  server.on(getFeedDay, [post])
  function Page() {
    const details = useDetails()
    const { status } = useEndpoint(getFeedDay, { params: { offset: '0' } })
    return <button onClick={() => details.showPost(post)}>{status}</button>
  }
  show(<Page />)
  fireEvent.click(await screen.findByText('ready'))
  fireEvent.click(await screen.findByRole('button', { name: 'Ana Lima' }))
  expect(await screen.findAllByRole('button', { name: 'A walk at night' })).toHaveLength(1)
})

test('a reader opens the article from the detail of its post [ART-02 SHELL-62]', async () => {
  const post = aPost()
  const dialog = await openPost(post)
  fireEvent.click(dialog.getByRole('button', { name: 'Read the article' }))
  expect(location.pathname).toBe(`/posts/${post.id}`)
})

test('a deleted author has a name and no detail [SHELL-64]', async () => {
  const dialog = await openPost(aPost({ authorName: 'Deleted user', authorId: null }))
  expect(dialog.getByText('Deleted user')).toBeTruthy()
  expect(dialog.queryByRole('button', { name: 'Deleted user' })).toBeNull()
})

test('the detail of an author shows name, genre and the three newest posts, cut to 60 characters [SHELL-62 SHELL-65 SHELL-66]', async () => {
  const at = (hour: number) => `2025-06-10T0${hour}:00:00.000Z`
  const dialog = await openAuthor([
    aPost({ content: 'the oldest poem', publishedAt: at(1) }),
    aPost({ content: 'x'.repeat(61), publishedAt: at(4) }),
    aPost({ content: 'a poem with a rhyme', publishedAt: at(3) }),
    aPost({ content: 'y'.repeat(60), publishedAt: at(2) }),
  ])
  expect(dialog.getByRole('heading', { name: 'Ana Lima' })).toBeTruthy()
  expect(dialog.getByText('Poetry')).toBeTruthy()
  const posts = dialog.getAllByRole('listitem').map((item) => item.textContent)
  expect(posts).toEqual([`${'x'.repeat(60)}…`, 'a poem with a rhyme', 'y'.repeat(60)])
})

test('the detail of a creator shows picture, names, description, tags and content types [SHELL-62 SHELL-67]', async () => {
  const dialog = await openCreator({ ...verified, profileImage: '/assets/amara.png' })
  expect(screen.getByRole('dialog').querySelector('img')?.getAttribute('src')).toBe('/assets/amara.png')
  expect(dialog.getByRole('heading', { name: verified.name })).toBeTruthy()
  expect(dialog.getByText(verified.artistName)).toBeTruthy()
  expect(dialog.getByText(verified.description)).toBeTruthy()
  const words = (name: string) =>
    within(dialog.getByRole('list', { name }))
      .getAllByRole('listitem')
      .map((item) => item.textContent)
  expect(words('Tags')).toEqual(verified.tags)
  expect(words('Content types')).toEqual(verified.contentTypes)
})

test('only verified creators have the badge [SHELL-68]', async () => {
  expect((await openCreator(verified)).getByText('Verified')).toBeTruthy()
  cleanup()
  expect((await openCreator(unverified)).queryByText('Verified')).toBeNull()
})

test('the detail of a creator shows at most three of their posts, or that there are none [SHELL-69]', async () => {
  const prolific = allCreators.find((creator) => withPortfolio(creator).portfolio!.samples.length > 3)!
  const titles = withPortfolio(prolific).portfolio!.samples.map(({ title }) => title)
  const dialog = await openCreator(prolific)
  expect(titles.filter((title) => dialog.queryByText(title))).toEqual(titles.slice(0, 3))
  cleanup()
  const generated = allCreators.find((creator) => !withPortfolio(creator).portfolio)!
  expect((await openCreator(generated)).getByText('No posts yet')).toBeTruthy()
})

test('the detail of a public room shows name, description, members, badge and privacy [SHELL-62 SHELL-70 SHELL-71 SHELL-72]', async () => {
  const dialog = await openRoom(aRoom)
  expect(dialog.getByRole('heading', { name: 'The night train' })).toBeTruthy()
  expect(dialog.getByText('One carriage, one story.').textContent).toBe('One carriage,\none story.')
  expect(dialog.getByText('4 members')).toBeTruthy()
  expect(dialog.getAllByText('Public')).toHaveLength(2)
  expect(dialog.getByText('Public', { selector: 'dd' })).toBeTruthy()
  expect(dialog.getByRole('link', { name: 'All rooms' }).getAttribute('href')).toBe('/projects')
})

test('the detail of a room has a link for people who may read it [SHELL-62 SRCH-07 PERM-17 PERM-18]', async () => {
  const dialog = await openRoom(aRoom)
  fireEvent.click(dialog.getByRole('link', { name: 'Enter' }))
  expect(location.pathname + location.search).toBe(`/zimmers?view=rooms&room=${aRoom.id}`)
  expect(screen.queryByRole('dialog')).toBeNull()
  cleanup()
  const finished = await openRoom({ ...aRoom, isActive: false })
  expect(finished.getByRole('link', { name: 'Enter' }).getAttribute('href')).toBe(`/stories/${aRoom.id}`)
  cleanup()
  const ofMember = await openRoom({ ...aRoom, isPublic: false, isMember: true })
  expect(ofMember.getByRole('link', { name: 'Enter' })).toBeTruthy()
  cleanup()
  const ofStranger = await openRoom({ ...aRoom, isPublic: false })
  expect(ofStranger.queryByRole('link', { name: 'Enter' })).toBeNull()
})

test('a private room says Private and has no badge [SHELL-72 SHELL-73]', async () => {
  const dialog = await openRoom({ ...aRoom, isPublic: false, memberCount: 1 })
  expect(dialog.getByText('Private', { selector: 'dd' })).toBeTruthy()
  expect(dialog.queryByText('Public')).toBeNull()
  expect(dialog.getByText('1 member')).toBeTruthy()
})

test('a person is followed until the page is loaded again, and nothing is sent [FEED-25 CRE-21]', async () => {
  const dialog = await openCreator(verified)
  fireEvent.click(dialog.getByRole('button', { name: `Follow ${verified.name}` }))
  fireEvent.click(dialog.getByRole('button', { name: `Following ${verified.name}` }))
  expect(dialog.getByRole('button', { name: `Follow ${verified.name}` })).toBeTruthy()
  expect(server.requests).toEqual([])
})

test('Escape closes a detail, and the focus returns to the button that opened it [SHELL-62]', async () => {
  await openPost(aPost())
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  expect(screen.queryByRole('dialog')).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' })))
})

test('the details of a post and of an author lead to the page of the author, when there is one [PPL-03]', async () => {
  const post = aPost({ content: 'A walk at night', authorId: 'b3n0000000', authorHasPage: true })
  const link = (await openPost(post)).getByRole('link', { name: 'Ana Lima' })
  expect(link.getAttribute('href')).toBe('/people/b3n0000000')
  cleanup()
  const toPage = (await openAuthor([post])).getByRole('link', { name: 'Go to the page' })
  expect(toPage.getAttribute('href')).toBe('/people/b3n0000000')
  cleanup()
  const without = await openAuthor([aPost({ authorId: 'b3n0000000' })])
  expect(without.queryByRole('link', { name: 'Go to the page' })).toBeNull()
})

test('an author who last signed with a pen name is not led from there to the page with the real name [PPL-03]', async () => {
  const authorId = 'b3n0000000'
  const dialog = await openAuthor([
    aPost({ authorId, authorName: 'Night Owl', publishedAt: '2025-06-10T10:00:00.000Z' }),
    aPost({ authorId, authorHasPage: true, publishedAt: '2025-06-10T09:00:00.000Z' }),
  ])
  expect(dialog.getAllByText('Night Owl').length).toBeGreaterThan(0)
  expect(dialog.queryByRole('link', { name: 'Go to the page' })).toBeNull()
})
