import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { handleKey } from '#web/lib/keys.ts'
import { FeedPage } from './FeedPage.tsx'
import { aPost, serve, show } from './testing.tsx'

beforeEach(() => {
  localStorage.clear()
  document.addEventListener('keydown', handleKey)
})
afterEach(() => {
  document.removeEventListener('keydown', handleKey)
  cleanup()
  vi.restoreAllMocks()
})

const day = (offset: number) => `GET /api/feed/day/${offset}`
const older = () => screen.getByRole('button', { name: 'Previous day' })
const newer = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Next day' })

test('the navigator carries the title of the feed, its arrows and the name of the day [FEED-03 FEED-04 FEED-05 FEED-17]', async () => {
  serve({ [day(0)]: () => ({ body: [] }) })
  show(<FeedPage />)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Feed')
  expect(screen.getByText('Today')).toBeTruthy()
  expect(older()).toBeTruthy()
  expect(newer().disabled).toBe(true)
  expect(await screen.findByText('No posts for Today')).toBeTruthy()
})

test('a reader goes back day by day, and forward to today, where forward ends [FEED-01 FEED-06 FEED-07 FEED-08 FEED-09 FEED-10]', async () => {
  serve({
    [day(0)]: () => ({ body: [aPost({ content: 'of today' })] }),
    [day(1)]: () => ({ body: [aPost({ content: 'of yesterday' })] }),
    [day(2)]: () => ({ body: [aPost({ content: 'of Sunday' })] }),
  })
  show(<FeedPage />)
  await screen.findByText('of today')
  expect(newer().disabled).toBe(true)
  fireEvent.click(older())
  await screen.findByText('of yesterday')
  expect(screen.getByText('Yesterday')).toBeTruthy()
  expect(location.search).toBe('?day=1')
  fireEvent.click(older())
  await screen.findByText('of Sunday')
  expect(screen.getByText('Sunday, Jun 8')).toBeTruthy()
  expect(newer().disabled).toBe(false)
  fireEvent.click(newer())
  fireEvent.click(await screen.findByRole('button', { name: 'Next day' }))
  await screen.findByText('of today')
  expect(location.search).toBe('')
})

test.each(['-1', '-30'])(
  'a day in the future (%s) becomes today, and a toast says why [FEED-11 FEED-12 FEED-13 NOTE-12]',
  async (offset) => {
    serve({ [day(0)]: () => ({ body: [aPost({ content: 'of today' })] }) })
    show(<FeedPage />, `/dashboard?day=${offset}`)
    await screen.findByText('of today')
    expect(await screen.findByText('Future dates are not available')).toBeTruthy()
    await waitFor(() => expect(location.search).toBe(''))
  },
)

test('the keys [ and ] turn the days, and n opens the writing dialog [FEED-13 POST-04]', async () => {
  serve({ [day(0)]: () => ({ body: [] }), [day(1)]: () => ({ body: [] }) })
  show(<FeedPage />)
  await screen.findByText('No posts for Today')
  fireEvent.keyDown(document.body, { key: '[' })
  await screen.findByText('No posts for Yesterday')
  fireEvent.keyDown(document.body, { key: ']' })
  await screen.findByText('No posts for Today')
  const steps = history.length
  fireEvent.keyDown(document.body, { key: ']' })
  expect(await screen.findByText('Future dates are not available')).toBeTruthy()
  expect(history.length).toBe(steps)
  fireEvent.keyDown(document.body, { key: 'n' })
  expect(await screen.findByRole('dialog', { name: 'Create Post' })).toBeTruthy()
})

test('who comes back to today by keyboard keeps a place to go on from [FEED-09]', async () => {
  serve({ [day(0)]: () => ({ body: [] }), [day(1)]: () => ({ body: [] }) })
  show(<FeedPage />, '/dashboard?day=1')
  await screen.findByText('No posts for Yesterday')
  newer().focus()
  fireEvent.click(newer())
  await screen.findByText('No posts for Today')
  expect(newer().disabled).toBe(true)
  expect(document.activeElement).toBe(older())
})

test.each([
  ['2025-06-09T21:30:00.000Z', 'Mon, Jun 9, 23:30'],
  ['2025-06-09T22:30:00.000Z', 'Tue, Jun 10, 00:30'],
])(
  'a post of %s shows the time of the zone that makes the days, in the list and as an article [FEED-14]',
  async (publishedAt, time) => {
    const post = aPost({ publishedAt })
    serve({ [day(0)]: () => ({ body: [post] }), [`GET /api/posts/${post.id}`]: () => ({ body: post }) })
    show(<FeedPage articleId={post.id} />)
    expect(await within(await screen.findByRole('dialog')).findByText(time)).toBeTruthy()
    const card = screen.getByRole('article', { name: 'Post by Ana Lima', hidden: true })
    expect(within(card).getByText(time)).toBeTruthy()
  },
)

test('posts stand in one list, in the order of the server, with an ad after every third [FEED-15 FEED-16]', async () => {
  const posts = Array.from({ length: 7 }, (_, i) => aPost({ content: `number ${i + 1}` }))
  serve({ [day(0)]: () => ({ body: posts }) })
  show(<FeedPage />)
  const list = await screen.findByRole('list', { name: 'Posts of Today' })
  const items = within(list).getAllByRole('listitem')
  expect(items.map((item) => within(item).getByTestId('post-content').textContent)).toEqual(
    posts.map(({ content }) => content),
  )
  const withAd = items.flatMap((item, i) => (within(item).queryByText('Advertisement') ? [i + 1] : []))
  expect(withAd).toEqual([3, 6])
})

test('a listed post shows author, text with its line breaks, image, date and counts [FEED-17 FEED-37 ART-02]', async () => {
  const post = aPost({
    content: 'First line\n\n  second',
    imageUrl: '/assets/a.png',
    likeCount: 1200,
    shareCount: 3,
    commentCount: 2_500_000,
  })
  serve({ [day(0)]: () => ({ body: [post] }) })
  show(<FeedPage />)
  const card = await screen.findByRole('article', { name: 'Post by Ana Lima' })
  expect(within(card).getByTestId('post-content').textContent).toBe('First line\n\n  second')
  expect(within(card).getByTestId('post-content').className).toContain('whitespace-pre-wrap')
  expect(card.querySelector('img')?.getAttribute('src')).toBe('/assets/a.png')
  expect(within(card).getByText(/Tue, Jun 10/)).toBeTruthy()
  expect(within(card).getByRole('button', { name: 'Like, 1.2K' })).toBeTruthy()
  expect(within(card).getByRole('button', { name: 'Comments, 2.5M' })).toBeTruthy()
  expect(within(card).getByRole('button', { name: 'Share, 3' })).toBeTruthy()
})

test('a like changes only the shown number [POST-25]', async () => {
  const sent = serve({ [day(0)]: () => ({ body: [aPost({ likeCount: 4 })] }) })
  show(<FeedPage />)
  fireEvent.click(await screen.findByRole('button', { name: 'Like, 4' }))
  const liked = screen.getByRole('button', { name: 'Like, 5' })
  expect(liked.getAttribute('aria-pressed')).toBe('true')
  fireEvent.click(liked)
  expect(screen.getByRole('button', { name: 'Like, 4' })).toBeTruthy()
  expect(sent.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('a long post fades and continues in the article; a click on the text opens it too [FEED-17 ART-02]', async () => {
  const long = aPost({ content: Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n') })
  serve({ [day(0)]: () => ({ body: [long, aPost({ content: 'short' })] }) })
  show(<FeedPage />)
  expect(await screen.findAllByRole('button', { name: 'Continue reading' })).toHaveLength(1)
  fireEvent.click(screen.getByText('short'))
  expect(location.pathname).toMatch(/^\/posts\//)
})

test('marking a passage to copy it does not open the article [FEED-17]', async () => {
  const post = aPost({ content: 'A line to keep' })
  serve({ [day(0)]: () => ({ body: [post] }) })
  show(<FeedPage />)
  const text = await screen.findByText('A line to keep')
  getSelection()?.selectAllChildren(text)
  fireEvent.click(text)
  expect(location.pathname).toBe('/dashboard')
  getSelection()?.removeAllRanges()
  fireEvent.click(text)
  expect(location.pathname).toBe(`/posts/${post.id}`)
})

test('while a day loads, its place is kept [FEED-32]', () => {
  globalThis.fetch = () => new Promise(() => {})
  show(<FeedPage />)
  expect(screen.getByRole('status', { name: 'Loading the feed' })).toBeTruthy()
})

test('an empty day says so and what to do [FEED-36]', async () => {
  serve({ [day(3)]: () => ({ body: [] }) })
  show(<FeedPage />, '/dashboard?day=3')
  expect(await screen.findByText('No posts for Saturday, Jun 7')).toBeTruthy()
  expect(screen.getByText('Check another day or create the first post!')).toBeTruthy()
})

test('a feed that cannot be read says so, with a way to try again, and logs it [FEED-33 FEED-34 FEED-35 ERR-13 ERR-14 GEN-19]', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const sent = serve({ [day(0)]: () => ({ status: 500, body: {} }) })
  show(<FeedPage />)
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
  expect(sent.filter(({ path }) => path === '/api/feed/day/0')).toHaveLength(4)
  expect(screen.getByRole('heading', { name: 'Error Loading Feed' })).toBeTruthy()
  expect(screen.getByText('Unable to load the content feed. Please try again.')).toBeTruthy()
  expect(logged).toHaveBeenCalledWith('Failed to fetch day-specific posts', expect.any(Error))
  fireEvent.click(screen.getByRole('button', { name: 'Refresh Page' }))
  expect(reload).toHaveBeenCalled()
})

test('the competition has its card in the feed [FEED-31]', async () => {
  serve({ [day(0)]: () => ({ body: [aPost()] }) })
  show(<FeedPage />)
  expect(await screen.findByText(/Writing Competition/)).toBeTruthy()
})
