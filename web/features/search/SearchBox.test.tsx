import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { listFeedRooms } from '#contract/rooms/endpoints.ts'
import type { FeedRoom } from '#contract/rooms/room.ts'
import { search as searchAll, type SearchAnswer } from '#contract/search/endpoints.ts'
import { aPost } from '#web/features/feed/testing.tsx'
import { useEndpoint } from '#web/lib/api.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { noTurns } from '#web/testing/rooms.ts'
import { focusSearch, SearchBox } from './index.ts'

const server = startTestPage()

const aRoom = (more: Partial<FeedRoom> = {}): FeedRoom => ({
  id: '01900000-0000-7000-8000-00000000a001',
  name: 'The night train',
  description: 'One carriage, one story.',
  memberCount: 4,
  isActive: true,
  isPublic: true,
  duration: 30,
  ...noTurns,
  expiresAt: '2025-06-10T10:00:00.000Z',
  createdAt: '2025-06-10T09:30:00.000Z',
  createdBy: null,
  isMember: false,
  ...more,
})

function LoadedDay({ offset }: { offset: string }) {
  return <p>{useEndpoint(getFeedDay, { params: { offset } }).status}</p>
}

const foundNothing: SearchAnswer = {
  posts: { found: [], nextBefore: null },
  people: { found: [] },
  rooms: { found: [], nextBefore: null },
  stories: { found: [], nextBefore: null },
}

beforeEach(() => {
  server.on(listFeedRooms, [aRoom()])
  server.on(searchAll, foundNothing)
})

/** Renders the search box on a page that has loaded today and yesterday. */
async function openBox({
  today = [],
  yesterday = [],
}: { today?: PublicPost[]; yesterday?: PublicPost[] } = {}) {
  server.on(getFeedDay, ({ params }) => (params.offset === '0' ? today : yesterday))
  show(
    <>
      <LoadedDay offset="0" />
      <LoadedDay offset="1" />
      <SearchBox />
    </>,
  )
  await waitFor(() => expect(screen.getAllByText('ready')).toHaveLength(2))
}
const box = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Search' })
async function search(query: string) {
  box().focus()
  fireEvent.change(box(), { target: { value: query } })
  return within(await screen.findByRole('listbox', { name: 'Search results' }))
}
const press = (key: string) => fireEvent.keyDown(box(), { key })

test('a reader finds posts of all loaded days in any case, and sees 100 characters of each [SRCH-01 SRCH-02 SRCH-05 SRCH-07]', async () => {
  await openBox({
    today: [aPost({ content: `Marmalade ${'x'.repeat(100)}` })],
    yesterday: [aPost({ content: 'no more MARMALADE' })],
  })
  const results = await search('marmaLADE')
  await waitFor(() => expect(results.getAllByRole('option')).toHaveLength(2))
  const [first, second] = results.getAllByRole('option')
  expect(first!.textContent).toBe(`Ana LimaPostMarmalade ${'x'.repeat(90)}…`)
  expect(within(first!).getByText('Post')).toBeTruthy()
  expect(second!.textContent).toBe('Ana LimaPostno more MARMALADE')
  expect([first, second].map((option) => option!.querySelector('mark')?.textContent)).toEqual([
    'Marmalade',
    'MARMALADE',
  ])
})

test('a snippet begins near the match when it is far in the text, with its lines of verse parted [SRCH-05]', async () => {
  const poem = `${'It rained and rained.\n'.repeat(20)}I ate marmalade.\nIt was late.`
  await openBox({ today: [aPost({ content: poem })] })
  const option = await (await search('marmalade')).findByRole('option', { name: /Post/ })
  expect(option.textContent).toContain('rained. / I ate marmalade. / It was late.')
  expect(option.querySelector('mark')?.textContent).toBe('marmalade')
})

test('a reader finds authors of the loaded posts and sample creators by name [SRCH-03 SRCH-07]', async () => {
  await openBox({ today: [aPost({ authorName: 'Zora Quill' })] })
  const found = within(
    await (await search('zora quill')).findByRole('option', { name: /Zora Quill.*Author/ }),
  )
  expect(found.getByText('Author')).toBeTruthy()
  expect(
    await (await search('Amara Okonjo')).findByRole('option', { name: /Amara Okonjo.*Creator/ }),
  ).toBeTruthy()
})

test('a reader finds rooms, which are fetched only when the box is used [SRCH-04 SRCH-06 API-12]', async () => {
  await openBox()
  box().focus()
  expect(server.calls(listFeedRooms)).toEqual([])
  const results = await search('night TRAIN')
  expect(await results.findByRole('option', { name: /The night train.*Room.*One carriage/ })).toBeTruthy()
  expect(server.requests.slice(2)).toEqual(['GET /api/zimmer-rooms'])
})

test('a reader finds everything else when the rooms cannot be fetched, and nothing fetches them by itself [GEN-20 SHELL-91]', async () => {
  server.refuse(listFeedRooms, 'Unexpected')
  await openBox({ today: [aPost({ content: 'marmalade' })] })
  const results = await search('marmalade')
  expect(await results.findByRole('option', { name: /marmalade/ })).toBeTruthy()
  expect(await screen.findByText('Rooms could not be searched.')).toBeTruthy()
  expect(server.calls(listFeedRooms)).toHaveLength(1)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(server.calls(listFeedRooms)).toHaveLength(2))
})

test.each(['', '   '])('a blank query (%j) shows no dropdown [SRCH-07]', async (query) => {
  await openBox()
  await search('x')
  fireEvent.change(box(), { target: { value: query } })
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(box().getAttribute('aria-expanded')).toBe('false')
})

test('a reader whose query is found nowhere reads so [SRCH-01]', async () => {
  await openBox()
  const results = await search('qqqq')
  const nothing = await results.findByRole('option', { name: 'Nothing found for “qqqq”' })
  expect(nothing.getAttribute('aria-disabled')).toBe('true')
  press('ArrowDown')
  press('Enter')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test.each([
  ['a post', 'marmalade', /marmalade/, 'Post'],
  ['an author', 'Zora', /Zora Quill.*Author/, 'Zora Quill'],
  ['a creator', 'Amara Okonjo', /Amara Okonjo/, 'Amara Okonjo'],
  ['a room', 'night train', /The night train/, 'The night train'],
])('%s that is chosen opens its detail [SRCH-07 ART-02]', async (_type, query, option, title) => {
  await openBox({ today: [aPost({ content: 'marmalade', authorName: 'Zora Quill' })] })
  const results = await search(query)
  fireEvent.click(await results.findByRole('option', { name: option }))
  expect(await screen.findByRole('dialog', { name: title })).toBeTruthy()
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('a reader moves through the results by arrow keys, chooses one by Enter, and gets the focus back in the box [SRCH-01 SRCH-07]', async () => {
  await openBox({ today: ['one lamp', 'two lamp', 'six lamp'].map((content) => aPost({ content })) })
  const results = await search(' lamp ')
  await waitFor(() => expect(results.getAllByRole('option')).toHaveLength(3))
  const reached = () =>
    document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent
  press('ArrowUp')
  expect(reached()).toContain('six lamp')
  press('ArrowDown')
  expect(reached()).toContain('one lamp')
  press('ArrowDown')
  expect(reached()).toContain('two lamp')
  expect(results.getByRole('option', { selected: true }).textContent).toContain('two lamp')
  press('Enter')
  const dialog = await screen.findByRole('dialog', { name: 'Post' })
  expect(within(dialog).getByText('two lamp')).toBeTruthy()
  fireEvent.keyDown(dialog, { key: 'Escape' })
  await waitFor(() => expect(document.activeElement).toBe(box()))
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('Escape closes the dropdown first, clears the box when pressed again, and then leaves the box [SRCH-01]', async () => {
  await openBox()
  await search('lamp')
  press('Escape')
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(box().value).toBe('lamp')
  press('Escape')
  expect(box().value).toBe('')
  expect(document.activeElement).toBe(box())
  press('Escape')
  expect(document.activeElement).toBe(document.body)
})

test('a screen reader says how many results there are [SRCH-01]', async () => {
  await openBox({ today: ['one lamp', 'two lamp'].map((content) => aPost({ content })) })
  await search(' lamp')
  await waitFor(() => expect(screen.getByText('2 results').tagName).toBe('OUTPUT'))
})

test('the key of the search moves the focus into the box [SRCH-01]', async () => {
  await openBox()
  focusSearch()
  expect(document.activeElement).toBe(box())
})

const plain = (text: string) => ({ text, marks: [] })
const foundPost = {
  id: '01900000-0000-7000-8000-00000000b001',
  title: { text: 'The lamp', marks: [{ from: 4, to: 8 }] },
  line: { text: 'It burns; the lamp burns.', marks: [{ from: 14, to: 18 }] },
  authorName: 'Zora Quill',
  authorId: null,
  publishedAt: '2024-01-10T10:00:00.000Z',
}
const ofServer: SearchAnswer = {
  posts: { found: [foundPost], nextBefore: null },
  people: { found: [{ id: '0123456789', name: plain('Lamp Lighter'), introduction: 'I write.\nAt night.' }] },
  rooms: {
    found: [
      {
        ...aRoom(),
        id: '01900000-0000-7000-8000-00000000c001',
        name: plain('Lamp room'),
        line: plain('One.'),
      },
    ],
    nextBefore: null,
  },
  stories: {
    found: [
      {
        ...aRoom(),
        id: '01900000-0000-7000-8000-00000000c002',
        name: plain('Lamp story'),
        line: plain('Two.'),
      },
    ],
    nextBefore: null,
  },
}

test('a reader who pauses sees what the server finds in groups, with the marks of the server, and each result opens the thing itself [LOOP-13 LOOP-16]', async () => {
  server.on(searchAll, ofServer)
  await openBox()
  const results = await search('lamp')
  const groups = await results.findAllByRole('group')
  expect(
    groups.map((group) =>
      within(group)
        .getAllByRole('option')
        .map((option) => option.getAttribute('href')),
    ),
  ).toEqual([
    ['/posts/01900000-0000-7000-8000-00000000b001'],
    ['/people/0123456789'],
    ['/zimmers?view=rooms&room=01900000-0000-7000-8000-00000000c001'],
    ['/stories/01900000-0000-7000-8000-00000000c002'],
  ])
  for (const name of ['Posts', 'People', 'Rooms', 'Stories'])
    expect(results.getByRole('group', { name })).toBeTruthy()
  const option = results.getByRole('option', { name: /Zora Quill/ })
  expect(option.textContent).toBe('The lamp · Zora QuillIt burns; the lamp burns.')
  expect([...option.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['lamp', 'lamp'])
  press('ArrowDown')
  press('ArrowDown')
  press('Enter')
  expect(location.pathname).toBe('/people/0123456789')
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('a post that the page and the server have found appears once, and opens the article [LOOP-16 SRCH-07]', async () => {
  const post = aPost({ id: foundPost.id, content: 'the lamp' })
  server.on(searchAll, ofServer)
  await openBox({ today: [post] })
  const results = await search('lamp')
  await results.findByRole('group', { name: 'Posts' })
  const option = results.getByRole('option', { name: /the lamp/ })
  expect(option.getAttribute('href')).toBe(`/posts/${foundPost.id}`)
  fireEvent.click(option)
  expect(location.pathname).toBe(`/posts/${foundPost.id}`)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a reader who has reached a post by the arrow keys opens its article when the server has found it meanwhile [LOOP-16]', async () => {
  server.on(searchAll, ofServer)
  await openBox({ today: [aPost({ id: foundPost.id, content: 'the lamp' })] })
  const results = await search('lamp')
  await results.findByRole('option', { name: /the lamp/ })
  press('ArrowDown')
  const reached = box().getAttribute('aria-activedescendant')
  await results.findByRole('group', { name: 'Posts' })
  expect(results.getByRole('option', { selected: true }).id).toBe(reached)
  press('Enter')
  expect(location.pathname).toBe(`/posts/${foundPost.id}`)
})

test('a reader sees the sample creators below what people wrote, by sight and by the arrow keys [LOOP-16 SRCH-07]', async () => {
  server.on(searchAll, ofServer)
  await openBox({ today: [aPost({ content: 'of Amara Okonjo' })] })
  const results = await search('Amara Okonjo')
  await results.findByRole('group', { name: 'Posts' })
  const options = results.getAllByRole('option')
  expect(options[0]!.textContent).toContain('of Amara Okonjo')
  expect(options.findIndex(({ textContent }) => textContent.includes('Creator'))).toBe(options.length - 1)
  press('ArrowUp')
  expect(box().getAttribute('aria-activedescendant')).toBe(options.at(-1)!.id)
})

test('Enter without a chosen result opens the page with all results [LOOP-14]', async () => {
  await openBox()
  await search(' old lamp ')
  press('Enter')
  expect(location.pathname + location.search).toBe('/search?q=old%20lamp')
})

test('the server is asked once after a pause, and not for one letter [LOOP-13]', async () => {
  await openBox()
  await search('l')
  await search('la')
  await search('lam')
  await waitFor(() => expect(server.calls(searchAll)).toHaveLength(1))
  expect(server.calls(searchAll)[0]!.query).toEqual({ q: 'lam' })
  await search('l')
  await new Promise((resolve) => setTimeout(resolve, 350))
  expect(server.calls(searchAll)).toHaveLength(1)
})

test('a reader whose search fails at the server sees what the page has found, reads why, and can try again [LOOP-13]', async () => {
  server.refuse(searchAll, 'TooManyRequests', { error: 'Please wait a minute.' })
  await openBox({ today: [aPost({ content: 'marmalade' })] })
  const results = await search('marmalade')
  expect(await screen.findByText('Please wait a minute.')).toBeTruthy()
  expect(results.getByRole('option', { name: /marmalade/ })).toBeTruthy()
  server.on(searchAll, ofServer)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await results.findByRole('group', { name: 'Posts' })).toBeTruthy()
})
