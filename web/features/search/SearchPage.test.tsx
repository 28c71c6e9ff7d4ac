import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { search, type SearchAnswer } from '#contract/search/endpoints.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { SearchPage } from './SearchPage.tsx'

const server = startTestPage()
const nothing: SearchAnswer = {
  posts: { found: [], nextBefore: null },
  people: { found: [] },
  rooms: { found: [], nextBefore: null },
  stories: { found: [], nextBefore: null },
}
const aFoundPost = (n: number) => ({
  id: `01900000-0000-7000-8000-00000000b00${n}`,
  title: null,
  line: { text: `lamp ${n}`, marks: [{ from: 0, to: 4 }] },
  authorName: 'Ana Lima',
  authorId: null,
  publishedAt: '2025-06-01T10:00:00.000Z',
})
const posts = (nextBefore: string | null, ...numbers: number[]): SearchAnswer => ({
  ...nothing,
  posts: { found: numbers.map(aFoundPost), nextBefore },
})
const queries = () => server.calls(search).map(({ query }) => query)
const address = () => location.pathname + location.search

test('a reader who opens the address of a search sees its filters and its results [LOOP-14]', async () => {
  server.on(search, posts(null, 1))
  show(<SearchPage />, { at: '/search?q=lamp&form=verse&author=Ana&order=time&from=2025-06-01', user: null })
  expect(await screen.findByRole('heading', { name: 'Posts' })).toBeTruthy()
  expect(queries()).toEqual([{ q: 'lamp', form: 'verse', author: 'Ana', order: 'time', from: '2025-06-01' }])
  const link = screen.getByRole('link', { name: /lamp 1/ })
  expect(link.getAttribute('href')).toBe('/posts/01900000-0000-7000-8000-00000000b001')
  expect(link.querySelector('mark')!.textContent).toBe('lamp')
  expect(screen.getByLabelText<HTMLSelectElement>('Form').value).toBe('verse')
  expect(screen.getByLabelText<HTMLInputElement>('Author').value).toBe('Ana')
  expect(screen.getByLabelText<HTMLSelectElement>('Order').value).toBe('time')
})

test('a reader who changes the words or a filter has the whole search in the address [LOOP-14]', async () => {
  server.on(search, nothing)
  show(<SearchPage />, { at: '/search?q=lamp&kind=posts&before=9_20', user: null })
  expect(await screen.findByText('No further results')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Words or a phrase in quotes'), { target: { value: '"old lamp"' } })
  fireEvent.change(screen.getByLabelText('Category'), { target: { value: 'Poetry' } })
  await waitFor(() => expect(address()).toBe('/search?kind=posts&q=%22old+lamp%22&category=Poetry'))
  expect(await screen.findByText('Nothing found for “"old lamp"”')).toBeTruthy()
})

test('a reader who finds nothing with filters reads which they are, and clears them but not the order [LOOP-14]', async () => {
  server.on(search, ({ query }) => (query.author === undefined ? posts(null, 1) : nothing))
  show(<SearchPage />, { at: '/search?q=tram&kind=posts&author=Ana&form=prose&length=medium&order=time' })
  const sentence = 'with these filters: Kind: Posts, Author: Ana, Form: Prose, Length: Some pages'
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(screen.getByText('Nothing found for “tram”')).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: 'Clear filters' }))
  expect(await screen.findByRole('link', { name: /lamp 1/ })).toBeTruthy()
  expect(address()).toBe('/search?q=tram&order=time')
})

test('a reader who finds nothing without filters has none to clear [LOOP-14]', async () => {
  server.on(search, nothing)
  show(<SearchPage />, { at: '/search?q=tram&order=time' })
  expect(await screen.findByText('Nothing found for “tram”')).toBeTruthy()
  expect(screen.queryByText(/filters:/)).toBeNull()
  expect(screen.queryByRole('link', { name: 'Clear filters' })).toBeNull()
})

test('a reader goes from the groups to all posts, and on to the next page [LOOP-14]', async () => {
  server.on(search, ({ query }) => (query.before === undefined ? posts('9_20', 1) : posts(null, 2)))
  show(<SearchPage />, { at: '/search?q=lamp', user: null })
  fireEvent.click(await screen.findByRole('link', { name: 'All posts' }))
  fireEvent.click(await screen.findByRole('link', { name: 'More results' }))
  expect(await screen.findByRole('link', { name: /lamp 2/ })).toBeTruthy()
  expect(address()).toBe('/search?q=lamp&kind=posts&before=9_20')
  expect(queries().at(-1)).toEqual({ q: 'lamp', kind: 'posts', before: '9_20', limit: '20' })
  expect(screen.queryByRole('link', { name: 'More results' })).toBeNull()
  const kinds = within(screen.getByRole('navigation', { name: 'Kinds of results' }))
  expect(kinds.getByRole('link', { current: 'page' }).textContent).toBe('Posts')
  expect(kinds.getByRole('link', { name: 'Rooms' }).getAttribute('href')).toBe('/search?q=lamp&kind=rooms')
})

test('a reader whose newest texts have no match can search the older ones [LOOP-14]', async () => {
  server.on(search, posts('9_0'))
  show(<SearchPage />, { at: '/search?q=lamp&kind=posts', user: null })
  expect(await screen.findByText(/^None among the newest texts/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'More results' })).toBeTruthy()
})

test('a reader with one letter is asked for more, and without words for none [LOOP-14]', () => {
  show(<SearchPage />, { at: '/search?q=l', user: null })
  expect(screen.getByText('Please type at least 2 characters.')).toBeTruthy()
  expect(server.calls(search)).toEqual([])
})

test('a reader reads why a search was refused, and can try again [LOOP-14]', async () => {
  server.refuse(search, 'TooManyRequests', { error: 'Please wait a minute.' })
  show(<SearchPage />, { at: '/search?q=lamp', user: null })
  expect(await screen.findByText('Please wait a minute.')).toBeTruthy()
  server.on(search, posts(null, 1))
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: /lamp 1/ })).toBeTruthy()
})
