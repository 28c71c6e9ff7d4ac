import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ana, startFakes } from '#web/shell/testing.tsx'
import { aStory, openRooms, press } from './testing.tsx'

startFakes()

const shelf = () => within(screen.getByRole('region', { name: 'Finished stories' }))
const titles = () =>
  shelf()
    .queryAllByRole('link')
    .map(({ textContent }) => textContent)
const type = (value: string) =>
  fireEvent.change(shelf().getByRole('searchbox', { name: 'Search finished stories' }), { target: { value } })
const storyCalls = 'GET /api/zimmers/finished'

test('the shelf shows finished stories with their passages, people and date, and leads to each [RLIST-28]', async () => {
  const stories = [
    aStory({ name: 'The last', endedAt: '2025-06-09T22:30:00.000Z' }),
    aStory({ name: 'A short one', isPublic: false, isMember: true, lineCount: 1, contributorCount: 1 }),
  ]
  openRooms({ stories, user: ana })
  await waitFor(() => expect(titles()).toEqual(['The last', 'A short one']))
  const [last, short] = shelf()
    .getAllByRole('listitem')
    .map((item) => within(item))
  expect(last!.getByRole('link').getAttribute('href')).toBe(`/zimmers?view=rooms&room=${stories[0]!.id}`)
  expect(last!.getByText('12 passages')).toBeTruthy()
  expect(last!.getByText('3 contributors')).toBeTruthy()
  expect(last!.getByText('June 10, 2025')).toBeTruthy()
  expect(last!.queryByRole('img')).toBeNull()
  expect(short!.getByText('1 passage')).toBeTruthy()
  expect(short!.getByText('1 contributor')).toBeTruthy()
  expect(short!.getByRole('img', { name: 'Private room' })).toBeTruthy()
})

test('a shelf without a story says so, and one that cannot be read can be read again', async () => {
  let status = 403
  openRooms({ answers: { [`${storyCalls}?limit=24`]: () => ({ status, body: [] }) } })
  expect(await shelf().findByText('The finished stories could not be loaded.')).toBeTruthy()
  status = 200
  press('Try again')
  expect(await shelf().findByText('No finished stories yet')).toBeTruthy()
  expect(shelf().queryByRole('button')).toBeNull()
})

test('older stories come page by page, and the focus goes on to the first of them', async () => {
  const page = (start: number) => Array.from({ length: 24 }, (_, i) => aStory({ name: `Story ${start + i}` }))
  const { calls } = openRooms({
    answers: {
      [`${storyCalls}?limit=24`]: () => ({ body: page(1), headers: { 'next-before': 'a_place' } }),
      [`${storyCalls}?limit=24&before=a_place`]: () => ({ body: [aStory({ name: 'Story 25' })] }),
    },
  })
  fireEvent.click(await shelf().findByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(titles()).toHaveLength(25))
  expect(titles().slice(-2)).toEqual(['Story 24', 'Story 25'])
  expect(document.activeElement?.textContent).toBe('Story 25')
  expect(shelf().queryByRole('button', { name: 'Show more' })).toBeNull()
  expect(calls(storyCalls)).toHaveLength(2)
})

test('a search asks the server once the typing rests, stands in the address, and can be taken back', async () => {
  const { calls } = openRooms({
    stories: [aStory({ name: 'A house by the sea' }), aStory({ name: 'The night train' })],
    answers: {
      [`${storyCalls}?limit=24&q=night%20tr`]: () => ({ body: [aStory({ name: 'The night train' })] }),
      [`${storyCalls}?limit=24&q=moon`]: () => ({ body: [] }),
    },
  })
  await waitFor(() => expect(titles()).toHaveLength(2))
  for (const typed of ['n', 'nig', ' night tr ']) type(typed)
  await waitFor(() => expect(titles()).toEqual(['The night train']))
  expect(shelf().getByRole('status').textContent).toBe('1 story found')
  expect(location.pathname + location.search).toBe('/zimmers?view=rooms&q=night+tr')
  expect(calls(storyCalls)).toHaveLength(2)
  type('moon')
  expect(await shelf().findByText('Nothing found for “moon”')).toBeTruthy()
  expect(titles()).toEqual([])
  type('')
  await waitFor(() => expect(titles()).toHaveLength(2))
  expect(location.search).toBe('?view=rooms')
})

test('an address with a search shows what it seeks, also under the other address of the list [SHELL-20]', async () => {
  openRooms({
    at: '/projects?q=train',
    answers: { [`${storyCalls}?limit=24&q=train`]: () => ({ body: [aStory({ name: 'The night train' })] }) },
  })
  await waitFor(() => expect(titles()).toEqual(['The night train']))
  expect(shelf().getByRole<HTMLInputElement>('searchbox').value).toBe('train')
  type('')
  await waitFor(() => expect(location.pathname + location.search).toBe('/projects'))
})
