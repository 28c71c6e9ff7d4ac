import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { listFinishedRooms } from '#contract/rooms/endpoints.ts'
import { pass } from '#web/lib/testing.ts'
import { press, show } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { ShelfPage } from './ShelfPage.tsx'
import { aStory, startRooms } from './testing.tsx'

const { server, openRooms } = startRooms()

const shelf = () => within(screen.getByRole('region', { name: 'Finished stories' }))
const titles = () =>
  shelf()
    .queryAllByRole('link')
    .map(({ textContent }) => textContent)
const type = (value: string) =>
  fireEvent.change(shelf().getByRole('searchbox', { name: 'Search finished stories' }), { target: { value } })

test('a person sees each finished story on the shelf with its passages, contributors and date, and a link to it [RLIST-28]', async () => {
  const stories = [
    aStory({ name: 'The last', endedAt: '2025-06-09T22:30:00.000Z' }),
    aStory({ name: 'A short one', isPublic: false, isMember: true, lineCount: 1, contributorCount: 1 }),
  ]
  openRooms({ stories, user: ana })
  await waitFor(() => expect(titles()).toEqual(['The last', 'A short one']))
  const [last, short] = shelf()
    .getAllByRole('listitem')
    .map((item) => within(item))
  expect(last!.getByRole('link').getAttribute('href')).toBe(`/stories/${stories[0]!.id}`)
  expect(last!.getByText('12 passages')).toBeTruthy()
  expect(last!.getByText('3 contributors')).toBeTruthy()
  expect(last!.getByText('June 10, 2025')).toBeTruthy()
  expect(last!.queryByRole('img')).toBeNull()
  expect(short!.getByText('1 passage')).toBeTruthy()
  expect(short!.getByText('1 contributor')).toBeTruthy()
  expect(short!.getByRole('img', { name: 'Private room' })).toBeTruthy()
})

test('a visitor loads a shelf again that could not be loaded, and reads that it has no stories', async () => {
  server.refuse(listFinishedRooms, 'NotAllowed')
  openRooms()
  expect(await shelf().findByText('The finished stories could not be loaded.')).toBeTruthy()
  server.on(listFinishedRooms, [])
  press('Try again')
  expect(await shelf().findByText('No finished stories yet')).toBeTruthy()
  expect(shelf().queryByRole('button')).toBeNull()
})

test('a person loads older stories page by page, and the focus goes to the first new one', async () => {
  const page = (start: number) => Array.from({ length: 24 }, (_, i) => aStory({ name: `Story ${start + i}` }))
  server.onPages(listFinishedRooms, [page(1), [aStory({ name: 'Story 25' })]])
  openRooms()
  fireEvent.click(await shelf().findByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(titles()).toHaveLength(25))
  expect(titles().slice(-2)).toEqual(['Story 24', 'Story 25'])
  expect(document.activeElement?.textContent).toBe('Story 25')
  expect(shelf().queryByRole('button', { name: 'Show more' })).toBeNull()
  expect(server.calls(listFinishedRooms).map(({ query }) => query)).toEqual([
    { limit: '24' },
    { limit: '24', before: '2' },
  ])
})

test('a visitor who opens older stories at their address has links to the newest and to the next ones [PUB-01]', async () => {
  const pages = ['The newest', 'An old one', 'The oldest'].map((name) => [aStory({ name })])
  server.onPages(listFinishedRooms, pages)
  show(<ShelfPage />, { at: '/projects/finished?before=2', user: null })
  expect(await shelf().findByRole('heading', { name: 'An old one' })).toBeTruthy()
  const newest = shelf().getByRole('link', { name: '← Newest stories' })
  const more = shelf().getByRole('link', { name: 'Show more' })
  expect([newest, more].map((link) => link.getAttribute('href'))).toEqual([
    '/projects/finished',
    '/projects/finished?before=3',
  ])
  expect(more.getAttribute('rel')).toBe('next')
  fireEvent.click(more)
  expect(await shelf().findByRole('heading', { name: 'The oldest' })).toBeTruthy()
  expect(shelf().getByRole('heading', { name: 'An old one' })).toBeTruthy()
  expect(location.search).toBe('?before=2')
  expect(shelf().queryByRole('link', { name: 'Show more' })).toBeNull()
  fireEvent.click(newest)
  expect(await shelf().findByRole('heading', { name: 'The newest' })).toBeTruthy()
})

test('a visitor searches the shelf: the search is sent when the visitor stops typing, stands in the address, and can be cleared', async () => {
  const [sea, train] = [aStory({ name: 'A house by the sea' }), aStory({ name: 'The night train' })]
  server.on(listFinishedRooms, ({ query: { q } }) =>
    q === undefined ? [sea, train] : q === 'night tr' ? [train] : [],
  )
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  openRooms()
  await pass(10)
  for (const typed of ['n', 'nig', ' night tr ']) {
    type(typed)
    await pass(290)
  }
  expect(titles()).toHaveLength(2)
  await pass(20)
  expect(titles()).toEqual(['The night train'])
  expect(shelf().getByRole('status').textContent).toBe('1 story found')
  expect(location.pathname + location.search).toBe('/zimmers?view=rooms&q=night+tr')
  expect(server.calls(listFinishedRooms).map(({ query }) => query.q)).toEqual([undefined, 'night tr'])
  type('moon')
  await pass(310)
  expect(shelf().getByText('Nothing found for “moon”')).toBeTruthy()
  expect(titles()).toEqual([])
  type('')
  await pass(310)
  expect(titles()).toHaveLength(2)
  expect(location.search).toBe('?view=rooms')
})

test('a visitor who opens an address with a search sees its results, also at /projects [SHELL-20]', async () => {
  server.on(listFinishedRooms, ({ query: { q } }) =>
    q === 'train' ? [aStory({ name: 'The night train' })] : [],
  )
  openRooms({ at: '/projects?q=train' })
  await waitFor(() => expect(titles()).toEqual(['The night train']))
  expect(shelf().getByRole<HTMLInputElement>('searchbox').value).toBe('train')
  type('')
  await waitFor(() => expect(location.pathname + location.search).toBe('/projects'))
})
