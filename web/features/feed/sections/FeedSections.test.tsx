import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { listFollows } from '#contract/follows/endpoints.ts'
import { allCreators } from '#web/features/creators/index.ts'
import { aPost } from '#web/features/feed/testing.tsx'
import { serveFollows } from '#web/features/follows/testing.tsx'
import { useEndpoint } from '#web/lib/api.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { FeedSections } from './FeedSections.tsx'

const server = startTestPage()
let comeNear: () => void
let isNear: boolean

beforeEach(() => {
  isNear = true
  vi.stubGlobal('IntersectionObserver', Screen)
})

/** Reports an element as near, either at once or when the test says so. */
class Screen {
  readonly #notify: (seen: { isIntersecting: boolean }[]) => void
  constructor(notify: (seen: { isIntersecting: boolean }[]) => void) {
    this.#notify = notify
  }
  observe() {
    comeNear = () => this.#notify([{ isIntersecting: true }])
    if (isNear) comeNear()
  }
  disconnect() {}
}

const long = 'x'.repeat(101)

/** The rows below a day with these posts, which is also the only day that is loaded. */
async function showSections(posts: PublicPost[] = [], visit: Parameters<typeof show>[1] = {}) {
  function Page() {
    const day = useEndpoint(getFeedDay, { params: { offset: '0' } })
    return day.status === 'ready' ? <FeedSections posts={day.data} dayLabel="Today" /> : null
  }
  server.on(getFeedDay, posts)
  show(<Page />, visit)
  await screen.findAllByRole('button', { name: /^Show all/ })
  await screen.findByRole('button', { name: /^Poetry/ })
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

test('a reader sees four rows below a day, each with a show-all dialog, and the competition above them [FEED-31 FEED-18 FEED-19 FEED-20 FEED-23 FEED-24]', async () => {
  await showSections()
  const titles = ['favourite creators', 'Recently viewed', 'Trending posts for you', 'Browse by category']
  const headings = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)
  expect(headings).toEqual([expect.stringMatching(/^Writing Competition /), ...titles])
  for (const title of titles) {
    await openAll(title)
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  }
})

const empty = { settings: { hasPosts: false } }

test('a reader of an empty instance sees no competition, and under Recently viewed nobody [LOOP-33]', async () => {
  await showSections([], empty)
  expect(screen.queryByText(/^Writing Competition/)).toBeNull()
  expect(peopleIn(section('Recently viewed'))).toEqual([])
  expect(within(section('Recently viewed')).getByText('People whose page you open appear here.')).toBeTruthy()
})

test('a reader sees the competition again as soon as the day has a post [LOOP-33 FEED-31]', async () => {
  await showSections([aPost({ authorName: 'Ben' })], empty)
  expect(screen.getByRole('heading', { name: /^Writing Competition/ })).toBeTruthy()
  expect(peopleIn(section('Recently viewed'))).toContain('Ben')
})

test('a reader sees up to 8 followed people as favourites, and all of them in the dialog [FEED-18 FEED-24 FEED-25]', async () => {
  await showSections()
  const row = section('favourite creators')
  expect(within(row).getByText('Creators you follow appear here.')).toBeTruthy()
  const names = allCreators.slice(0, 10).map(({ name }) => name)
  const all = await openAll('Recently viewed')
  for (const name of names) fireEvent.click(within(all).getByRole('button', { name: `Follow ${name}` }))
  fireEvent.click(within(all).getByRole('button', { name: 'Close' }))
  expect(peopleIn(row)).toEqual(names.slice(0, 8))
  expect(peopleIn(await openAll('favourite creators'))).toEqual(names)
  expect(server.requests).toHaveLength(1)
})

test('a reader sees up to 6 people who are not followed under Recently viewed [FEED-19 FEED-25]', async () => {
  await showSections([aPost({ authorName: 'Ben' }), aPost({ authorName: 'Cora' })])
  const row = section('Recently viewed')
  expect(peopleIn(row)).toEqual(['Ben', 'Cora', ...allCreators.slice(0, 4).map(({ name }) => name)])
  follow('Ben')
  expect(peopleIn(row)).not.toContain('Ben')
  expect(peopleIn(row)).toHaveLength(6)
  expect(peopleIn(section('favourite creators'))).toEqual(['Ben'])
})

test('a reader sees opened profiles first under Recently viewed [FEED-25 ART-02]', async () => {
  await showSections([aPost({ authorName: 'Ben' })])
  const row = section('Recently viewed')
  const third = allCreators[2]!.name
  fireEvent.click(within(row).getByRole('button', { name: third }))
  const dialog = await screen.findByRole('dialog', { name: third })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
  expect(peopleIn(row)[0]).toBe(third)
})

test('a reader sees name, genre and followers on a card, and one follower more after following [FEED-26]', async () => {
  await showSections([aPost({ authorName: 'Ben', content: 'a poem with a rhyme' })])
  const card = within(screen.getByRole('button', { name: 'Ben' }).parentElement!)
  expect(card.getByText('Poetry')).toBeTruthy()
  expect(card.getByText('0 followers')).toBeTruthy()
  follow('Ben')
  expect(await screen.findByText('1 follower')).toBeTruthy()
})

test('a reader sees up to 8 trending posts of the day, which are long or have an image, and all of them in the dialog [FEED-20 FEED-21 FEED-22 FEED-24 FEED-25]', async () => {
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

test('a reader opens the article of a trending post [FEED-20 ART-02]', async () => {
  const post = aPost({ content: long })
  await showSections([post])
  fireEvent.click(within(section('Trending posts for you')).getByRole('button', { name: /x{101}/ }))
  expect(location.pathname).toBe(`/posts/${post.id}`)
})

test('a reader sees the categories with image and count, and opens the posts of a category [FEED-23 FEED-24 FEED-25 FEED-27 FEED-28 FEED-29]', async () => {
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
  for (const card of cards) expect(card.querySelector('svg path')).toBeTruthy()

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

test('a reader sees rows without cards before scrolling near them, and a sentence in place of each row that stays empty [FEED-24]', async () => {
  isNear = false
  show(<FeedSections posts={[]} dayLabel="Today" />)
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(4)
  const sentences = ['Creators you follow appear here.', 'No long posts and no pictures on this day.']
  const markup = () => sentences.map((sentence) => screen.getByText(sentence).outerHTML)
  const before = markup()
  await import('./LoadedSections.tsx')
  expect(screen.queryAllByRole('button', { name: /^Follow / })).toEqual([])
  act(comeNear)
  await screen.findAllByRole('button', { name: /^Follow / })
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(5)
  expect(markup()).toEqual(before)
})

test('a registered reader finds the people followed on another device among the favourites, also those without a loaded post [FEED-18 FEED-25 LOOP-17]', async () => {
  const followedAt = '2025-06-10T10:00:00.000Z'
  const ben = {
    id: 'b3n0000000',
    name: 'Ben Okoro',
    introduction: 'I write at night.\nMostly poems.',
    followedAt,
  }
  const cem = { id: 'cem0000000', name: 'Cem Kaya', introduction: '', followedAt }
  server.on(listFollows, [ben, cem])
  serveFollows(server, [ben.id, cem.id])
  const post = aPost({ authorId: cem.id, authorName: cem.name, authorHasPage: true })
  await showSections([post], { user: ana })
  const row = section('favourite creators')
  await within(row).findByText('I write at night.')
  expect(peopleIn(row)).toEqual([cem.name, ben.name])
  expect(within(row).getByRole('link', { name: ben.name }).getAttribute('href')).toBe('/people/b3n0000000')
  follow(allCreators[0]!.name)
  expect(peopleIn(row)).toEqual([cem.name, ben.name, allCreators[0]!.name])
  fireEvent.click(within(row).getByRole('button', { name: `Following ${cem.name}` }))
  await vi.waitFor(() => expect(peopleIn(row)).toEqual([ben.name, allCreators[0]!.name]))
  expect(peopleIn(section('Recently viewed'))).toContain(cem.name)
  await vi.waitFor(() => expect(server.changes).toEqual([`DELETE /api/follows/${cem.id}`]))
})
