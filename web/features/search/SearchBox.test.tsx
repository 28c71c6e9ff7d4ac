import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { getFeedDay } from '#contract/feed/endpoints.ts'
import type { Post } from '#contract/feed/post.ts'
import type { FeedRoom } from '#contract/rooms/room.ts'
import { forgetMarks } from '#web/features/details/index.ts'
import { aPost, serve, show } from '#web/features/feed/testing.tsx'
import { useEndpoint } from '#web/lib/api.ts'
import { focusSearch, SearchBox } from './index.ts'

afterEach(() => {
  cleanup()
  forgetMarks()
})

const aRoom = (more: Partial<FeedRoom> = {}): FeedRoom => ({
  id: '01900000-0000-7000-8000-00000000a001',
  name: 'The night train',
  description: 'One carriage, one story.',
  memberCount: 4,
  isActive: true,
  isPublic: true,
  duration: 30,
  expiresAt: '2025-06-10T10:00:00.000Z',
  createdAt: '2025-06-10T09:30:00.000Z',
  createdBy: null,
  isMember: false,
  ...more,
})

function LoadedDay({ offset }: { offset: string }) {
  return <p>{useEndpoint(getFeedDay, { params: { offset } }).status}</p>
}

/** The box on a page that has loaded today and yesterday. */
async function openBox({
  today = [],
  yesterday = [],
  rooms = { body: [aRoom()] },
}: { today?: Post[]; yesterday?: Post[]; rooms?: { status?: number; body: unknown } } = {}) {
  const sent = serve({
    'GET /api/feed/day/0': () => ({ body: today }),
    'GET /api/feed/day/1': () => ({ body: yesterday }),
    'GET /api/zimmer-rooms': () => rooms,
  })
  show(
    <>
      <LoadedDay offset="0" />
      <LoadedDay offset="1" />
      <SearchBox />
    </>,
  )
  await waitFor(() => expect(screen.getAllByText('ready')).toHaveLength(2))
  return sent.splice(0) && sent
}
const box = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Search' })
async function search(query: string) {
  box().focus()
  fireEvent.change(box(), { target: { value: query } })
  return within(await screen.findByRole('listbox', { name: 'Search results' }))
}
const press = (key: string) => fireEvent.keyDown(box(), { key })

test('posts of all loaded days are found whatever the case, with 100 characters of each [SRCH-01 SRCH-02 SRCH-05 SRCH-07]', async () => {
  await openBox({
    today: [aPost({ content: `Marmalade ${'x'.repeat(100)}` })],
    yesterday: [aPost({ content: 'no more MARMALADE' })],
  })
  const results = await search('marmaLADE')
  await waitFor(() => expect(results.getAllByRole('option')).toHaveLength(2))
  const [first, second] = results.getAllByRole('option')
  expect(within(first!).getByText(`Marmalade ${'x'.repeat(90)}…`)).toBeTruthy()
  expect(within(first!).getByText('Post')).toBeTruthy()
  expect(within(second!).getByText('no more MARMALADE')).toBeTruthy()
})

test('authors of the loaded posts and sample creators are found by name [SRCH-03 SRCH-07]', async () => {
  await openBox({ today: [aPost({ authorName: 'Zora Quill' })] })
  const found = within(await (await search('zora q')).findByRole('option', { name: /Zora Quill.*Author/ }))
  expect(found.getByText('Author')).toBeTruthy()
  expect(
    await (await search('Amara Okonjo')).findByRole('option', { name: /Amara Okonjo.*Creator/ }),
  ).toBeTruthy()
})

test('rooms come from the list of the feed, which is asked only when the box is used [SRCH-04 SRCH-06 API-12]', async () => {
  const sent = await openBox()
  box().focus()
  expect(sent).toEqual([])
  const results = await search('night TRAIN')
  expect(await results.findByRole('option', { name: /The night train.*Room.*One carriage/ })).toBeTruthy()
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/zimmer-rooms'])
})

test('rooms that cannot be read are not asked for again by themselves; all else is found [GEN-20 SHELL-91]', async () => {
  const sent = await openBox({
    today: [aPost({ content: 'marmalade' })],
    rooms: { status: 500, body: {} },
  })
  const results = await search('marmalade')
  expect(await results.findByRole('option', { name: /marmalade/ })).toBeTruthy()
  expect(await screen.findByText('Rooms could not be searched.')).toBeTruthy()
  expect(sent).toHaveLength(1)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(sent).toHaveLength(2))
})

test.each(['', '   '])('a blank query (%j) shows no dropdown [SRCH-07]', async (query) => {
  await openBox()
  await search('x')
  fireEvent.change(box(), { target: { value: query } })
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(box().getAttribute('aria-expanded')).toBe('false')
})

test('a query that stands nowhere says so [SRCH-01]', async () => {
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

test('arrow keys walk through the results, Enter chooses, and the focus comes back to the box [SRCH-01 SRCH-07]', async () => {
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

test('Escape closes the dropdown first, and then empties the box [SRCH-01]', async () => {
  await openBox()
  await search('lamp')
  press('Escape')
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(box().value).toBe('lamp')
  press('Escape')
  expect(box().value).toBe('')
})

test('who listens hears how many results there are [SRCH-01]', async () => {
  await openBox({ today: ['one lamp', 'two lamp'].map((content) => aPost({ content })) })
  await search(' lamp')
  await waitFor(() => expect(screen.getByText('2 results').tagName).toBe('OUTPUT'))
})

test('the key of the search leads into the box [SRCH-01]', async () => {
  await openBox()
  focusSearch()
  expect(document.activeElement).toBe(box())
})
