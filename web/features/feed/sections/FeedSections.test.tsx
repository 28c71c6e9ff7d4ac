import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getFeedDay } from '#contract/feed/endpoints.ts'
import type { Post } from '#contract/feed/post.ts'
import { allCreators } from '#web/features/creators/index.ts'
import { forgetMarks } from '#web/features/details/index.ts'
import { aPost, serve, show } from '#web/features/feed/testing.tsx'
import { useEndpoint } from '#web/lib/api.ts'
import { FeedSections } from './FeedSections.tsx'

let comeNear: () => void
let isNear: boolean

beforeEach(() => {
  isNear = true
  vi.stubGlobal('IntersectionObserver', Screen)
})
afterEach(() => {
  cleanup()
  forgetMarks()
  vi.unstubAllGlobals()
})

/** Says at once that a place is near, or when the test says so. */
class Screen {
  readonly #tell: (seen: { isIntersecting: boolean }[]) => void
  constructor(tell: (seen: { isIntersecting: boolean }[]) => void) {
    this.#tell = tell
  }
  observe() {
    comeNear = () => this.#tell([{ isIntersecting: true }])
    if (isNear) comeNear()
  }
  disconnect() {}
}

const long = 'x'.repeat(101)

/** The rows below a day with these posts, which is also the only day that is loaded. */
async function showSections(posts: Post[] = []) {
  function Page() {
    const day = useEndpoint(getFeedDay, { params: { offset: '0' } })
    return day.status === 'ready' ? <FeedSections posts={day.data} dayLabel="Today" /> : null
  }
  const sent = serve({ 'GET /api/feed/day/0': () => ({ body: posts }) })
  show(<Page />)
  await screen.findAllByRole('button', { name: /^Follow / })
  return sent
}

/** The row with its heading, and the scrolling part of it. */
const section = (title: string) => screen.getByRole('heading', { level: 2, name: title }).closest('section')!
const buttons = (place: HTMLElement, name: RegExp) =>
  within(place)
    .queryAllByRole('button', { name })
    .map((button) => button.textContent)
const peopleIn = (place: HTMLElement) =>
  buttons(place, /^Follow/).map((text) => text?.replace(/^Follow(ing)?/, ''))
const follow = (name: string) => fireEvent.click(screen.getByRole('button', { name: `Follow ${name}` }))
const openAll = async (title: string) => {
  fireEvent.click(screen.getByRole('button', { name: `Show all of ${title}` }))
  return screen.findByRole('dialog', { name: title })
}

test('a day has four rows, in this order, each with a show-all dialog [FEED-18 FEED-19 FEED-20 FEED-23 FEED-24]', async () => {
  await showSections()
  const titles = ['favourite creators', 'Recently viewed', 'Trending posts for you', 'Browse by category']
  expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual(titles)
  for (const title of titles) {
    await openAll(title)
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  }
})

test('nobody is a favourite before they are followed; then up to 8 stand in the row, and all in its dialog [FEED-18 FEED-24 FEED-25]', async () => {
  const sent = await showSections()
  const row = section('favourite creators')
  expect(within(row).getByText('Creators whom you follow stand here.')).toBeTruthy()
  const names = allCreators.slice(0, 10).map(({ name }) => name)
  const all = await openAll('Recently viewed')
  for (const name of names) fireEvent.click(within(all).getByRole('button', { name: `Follow ${name}` }))
  fireEvent.click(within(all).getByRole('button', { name: 'Close' }))
  expect(peopleIn(row)).toEqual(names.slice(0, 8))
  expect(peopleIn(await openAll('favourite creators'))).toEqual(names)
  expect(sent).toHaveLength(1)
})

test('up to 6 who are not followed stand under Recently viewed, authors of loaded posts among them [FEED-19 FEED-25]', async () => {
  await showSections([aPost({ authorName: 'Ben' }), aPost({ authorName: 'Cora' })])
  const row = section('Recently viewed')
  expect(peopleIn(row)).toEqual(['Ben', 'Cora', ...allCreators.slice(0, 4).map(({ name }) => name)])
  follow('Ben')
  expect(peopleIn(row)).not.toContain('Ben')
  expect(peopleIn(row)).toHaveLength(6)
  expect(peopleIn(section('favourite creators'))).toEqual(['Ben'])
})

test('opened profiles come first under Recently viewed [FEED-25 ART-02]', async () => {
  await showSections([aPost({ authorName: 'Ben' })])
  const row = section('Recently viewed')
  const third = allCreators[2]!.name
  fireEvent.click(within(row).getByRole('button', { name: third }))
  const dialog = await screen.findByRole('dialog', { name: third })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
  expect(peopleIn(row)[0]).toBe(third)
})

test('a card shows name, genre and followers, to which this page adds its follow [FEED-26]', async () => {
  await showSections([aPost({ authorName: 'Ben', content: 'a poem with a rhyme' })])
  const card = within(screen.getByRole('button', { name: 'Ben' }).parentElement!)
  expect(card.getByText('Poetry')).toBeTruthy()
  expect(card.getByText('0 followers')).toBeTruthy()
  follow('Ben')
  const followed = within(screen.getByRole('button', { name: 'Ben' }).parentElement!)
  expect(followed.getByText('1 follower')).toBeTruthy()
})

test('trending are up to 8 posts of the day that are long or have an image, newest first; the dialog has them all [FEED-20 FEED-21 FEED-22 FEED-24 FEED-25]', async () => {
  const at = (minute: number) => `2025-06-10T09:${minute}:00.000Z`
  const longOnes = Array.from({ length: 9 }, (_, i) =>
    aPost({ authorName: `Author ${i}`, content: long, publishedAt: at(10 + i) }),
  )
  const short = aPost({ authorName: 'Short', content: 'x'.repeat(100), publishedAt: at(50) })
  const withImage = aPost({
    authorName: 'Image',
    content: 'x',
    imageUrl: '/assets/a.png',
    publishedAt: at(30),
  })
  await showSections([short, ...longOnes, withImage])
  const posts = (place: HTMLElement) => buttons(place, /x+/).map((text) => text?.replace(/x+…?$/, ''))
  const newestFirst = ['Image', ...[8, 7, 6, 5, 4, 3, 2, 1, 0].map((i) => `Author ${i}`)]
  expect(posts(section('Trending posts for you'))).toEqual(newestFirst.slice(0, 8))
  expect(posts(await openAll('Trending posts for you'))).toEqual(newestFirst)
})

test('a trending post opens its article [FEED-20 ART-02]', async () => {
  const post = aPost({ content: long })
  await showSections([post])
  fireEvent.click(within(section('Trending posts for you')).getByRole('button', { name: /x{101}/ }))
  expect(location.pathname).toBe(`/posts/${post.id}`)
})

test('the categories stand with image and count, and open the posts of the day that belong to them [FEED-23 FEED-24 FEED-25 FEED-27 FEED-28 FEED-29]', async () => {
  await showSections([
    aPost({ content: 'a poem with a rhyme' }),
    aPost({ content: 'the dragon and the wizard' }),
    aPost({ content: 'a verse' }),
  ])
  const row = section('Browse by category')
  const cards = within(row).getAllByRole('button', { name: /posts?$/ })
  expect(cards.map((card) => card.textContent)).toEqual([
    'Poetry2 posts',
    'Fiction1 post',
    'Travel0 posts',
    'Technology0 posts',
    'Lifestyle0 posts',
    'Memories0 posts',
  ])
  for (const card of cards) expect(card.querySelector('img')?.src).toMatch(/^data:image\/svg/)

  fireEvent.click(cards[0]!)
  const dialog = within(await screen.findByRole('dialog', { name: 'Browse by category' }))
  expect(dialog.getByRole('tab', { selected: true }).textContent).toBe('Poetry (2)')
  expect(dialog.queryByText('the dragon and the wizard')).toBeNull()
  expect(dialog.getByText('a poem with a rhyme')).toBeTruthy()
  fireEvent.click(dialog.getByRole('tab', { name: 'Travel (0)' }))
  expect(dialog.getByText('No posts of this category on this day.')).toBeTruthy()
  fireEvent.click(dialog.getByRole('tab', { name: 'All (3)' }))
  expect(dialog.getByText('the dragon and the wizard')).toBeTruthy()
})

test('the places of the rows are kept until they come near and are there [FEED-24]', async () => {
  isNear = false
  serve({})
  show(<FeedSections posts={[]} dayLabel="Today" />)
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(4)
  await import('./LoadedSections.tsx')
  expect(screen.queryAllByRole('button', { name: /^Follow / })).toEqual([])
  act(comeNear)
  await screen.findAllByRole('button', { name: /^Follow / })
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(4)
})
