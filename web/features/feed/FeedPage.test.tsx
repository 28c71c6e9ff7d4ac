import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { Profiler } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addDays } from '#contract/days.ts'
import { coverPath } from '#contract/covers/paths.ts'
import { getPostNeighbours } from '#contract/feed/links/endpoints.ts'
import { getFeedDay, getPost, getLastFeedDay } from '#contract/feed/reading/endpoints.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { handleKey } from '#web/lib/keys.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { admin, ana, guest } from '#web/testing/people.ts'
import { FeedPage } from './FeedPage.tsx'
import { aPost } from './testing.tsx'

const server = startTestPage()
const minuteMs = 60_000

beforeEach(() => document.addEventListener('keydown', handleKey))
afterEach(() => document.removeEventListener('keydown', handleKey))

/** Answers these days of the feed, by their distance from today. */
const serveDays = (days: Record<number, PublicPost[]>) => {
  server.on(getFeedDay, ({ params, fail }) => days[Number(params.offset)] ?? fail('Unexpected'))
  server.on(getLastFeedDay, { day: null })
}
const open = (at = '/dashboard') => show(<FeedPage />, { at })
const older = () => screen.getByRole('link', { name: 'Previous day' })
const newer = () => screen.getByRole('link', { name: 'Next day' })
const isOnToday = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Next day' }).disabled

test('a reader sees the title of the feed, its arrows, and the name and date of the day [FEED-03 FEED-04 FEED-05 FEED-17]', async () => {
  serveDays({ 0: [] })
  open()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Feed')
  expect(screen.getByText('Today')).toBeTruthy()
  expect(screen.getByText('Tuesday, Jun 10')).toBeTruthy()
  expect(older()).toBeTruthy()
  expect(isOnToday()).toBe(true)
  expect(await screen.findByText('No posts for Today')).toBeTruthy()
})

test('a reader goes back day by day, and forward to today, where the arrow forward is disabled [FEED-01 FEED-06 FEED-07 FEED-08 FEED-09 FEED-10]', async () => {
  serveDays({
    0: [aPost({ content: 'of today' })],
    1: [aPost({ content: 'of yesterday' })],
    2: [aPost({ content: 'of Sunday' })],
  })
  open()
  await screen.findByText('of today')
  expect(isOnToday()).toBe(true)
  fireEvent.click(older())
  await screen.findByText('of yesterday')
  expect(screen.getByText('Yesterday')).toBeTruthy()
  expect(location.search).toBe('?date=2025-06-09')
  fireEvent.click(older())
  await screen.findByText('of Sunday')
  expect(screen.getByRole('list', { name: 'Posts of Sunday, Jun 8' })).toBeTruthy()
  expect(screen.getByText('Sunday, Jun 8')).toBeTruthy()
  expect(document.title).toBe('Feed of Sunday, Jun 8 · Z!mmer')
  expect(newer().getAttribute('href')).toBe('/dashboard?date=2025-06-09')
  fireEvent.click(newer())
  fireEvent.click(await screen.findByRole('link', { name: 'Next day' }))
  await screen.findByText('of today')
  expect(location.search).toBe('')
})

test('a reader who comes back to a day sees the posts that fill the window first, and then all', async () => {
  serveDays({
    0: Array.from({ length: 20 }, (_, n) => aPost({ content: `Post ${n}` })),
    1: [aPost({ content: 'of yesterday' })],
  })
  const drawn: number[] = []
  show(
    <Profiler id="feed" onRender={() => drawn.push(screen.queryAllByText(/^Post /).length)}>
      <FeedPage />
    </Profiler>,
    { at: '/dashboard' },
  )
  await screen.findByText('Post 19')
  fireEvent.click(older())
  await screen.findByText('of yesterday')
  drawn.length = 0
  fireEvent.click(newer())
  await screen.findByText('Post 19')
  const first = drawn.find((count) => count > 0)!
  expect(first).toBeGreaterThanOrEqual(innerHeight / 220)
  expect(first).toBeLessThan(20)
})

test('a reader of a day of another year sees the year too [FEED-07]', async () => {
  serveDays({ 162: [] })
  open('/dashboard?day=162')
  expect(await screen.findByText('No posts for Monday, Dec 30, 2024')).toBeTruthy()
  expect(screen.getByText('Monday, Dec 30, 2024')).toBeTruthy()
})

test('an admin of an empty instance reads first that it is new, and finds where to name it, to invite, to write and to look at samples [LOOP-33 FEED-36]', async () => {
  serveDays({ 0: [] })
  show(<FeedPage />, { settings: { hasPosts: false }, user: admin })
  const house = within(await screen.findByRole('region', { name: 'Your house is new' }))
  const hrefOf = (name: string) => house.getByRole('link', { name }).getAttribute('href')
  expect(hrefOf('Name the house')).toBe('/admin?part=instance')
  // The page where links of invitation are made.
  expect(hrefOf('Invite people')).toBe('/messages')
  expect(hrefOf('Look at the sample profiles')).toBe('/zimmers')
  expect(screen.getByText('No posts for Today')).toBeTruthy()
  const write = screen.getAllByRole('button', { name: 'Write the first post' })
  expect(write).toHaveLength(1)
  fireEvent.click(write[0]!)
  expect(await screen.findByRole('dialog')).toBeTruthy()
})

test('a reader of an empty instance is offered to write, not to set it up [LOOP-33]', async () => {
  serveDays({ 0: [] })
  show(<FeedPage />, { settings: { hasPosts: false } })
  await screen.findByRole('button', { name: 'Write the first post' })
  expect(screen.queryByRole('region', { name: 'Your house is new' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Invite people' })).toBeNull()
})

test.each(['-1', '-30'])(
  'a reader who opens a day in the future (%s) sees today, and a toast says why [FEED-11 FEED-12 FEED-13 NOTE-12]',
  async (offset) => {
    serveDays({ 0: [aPost({ content: 'of today' })] })
    open(`/dashboard?day=${offset}`)
    await screen.findByText('of today')
    expect(await screen.findByText('Future dates are not available')).toBeTruthy()
    await waitFor(() => expect(location.search).toBe(''))
  },
)

test('a reader changes the day by the keys [ and ], and opens the writing dialog by n [FEED-13 POST-04]', async () => {
  serveDays({ 0: [], 1: [] })
  open()
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

test('a reader who comes back to today by keyboard keeps the focus among the arrows [FEED-09]', async () => {
  serveDays({ 0: [], 1: [] })
  open('/dashboard?day=1')
  await screen.findByText('No posts for Yesterday')
  newer().focus()
  fireEvent.click(newer())
  await screen.findByText('No posts for Today')
  expect(isOnToday()).toBe(true)
  expect(document.activeElement).toBe(older())
})

test.each([
  ['2025-06-09T21:30:00.000Z', 'Mon, Jun 9, 11:30 PM'],
  ['2025-06-09T22:30:00.000Z', 'Tue, Jun 10, 12:30 AM'],
])(
  'a reader sees the time of a post of %s in the time zone of the feed, in the list and in the article [FEED-14]',
  async (publishedAt, time) => {
    const post = aPost({ publishedAt })
    serveDays({ 0: [post] })
    server.on(getPost, post)
    server.on(getPostNeighbours, { previous: null, next: null })
    show(<FeedPage articleId={post.id} />)
    expect(await within(await screen.findByRole('dialog')).findByText(time)).toBeTruthy()
    const card = screen.getByRole('article', { name: 'Post by Ana Lima', hidden: true })
    expect(within(card).getByText(time)).toBeTruthy()
  },
)

test('a reader without a network opens a post of a loaded day, and none that the server no longer has [ART-01 OWN-01]', async () => {
  const post = aPost({ content: 'The train\n\nIt left at ten.' })
  serveDays({ 0: [post] })
  server.disconnect(getPost)
  server.disconnect(getPostNeighbours)
  show(<FeedPage articleId={post.id} />)
  const dialog = within(await screen.findByRole('dialog', { name: 'The train' }))
  expect(dialog.getByTestId('article-content').textContent).toBe('It left at ten.')
  cleanup()

  server.refuse(getPost, 'PostNotFound')
  show(<FeedPage articleId={post.id} />)
  expect(await screen.findByText('The train')).toBeTruthy()
  await waitFor(() =>
    expect(screen.getByRole('dialog', { name: 'Article' }).textContent).toContain('could not be loaded'),
  )
  expect(screen.queryByTestId('article-content')).toBeNull()
})

test('a reader sees no count of nothing below a post, and its name says it [FEED-17]', async () => {
  serveDays({ 0: [aPost({ likeCount: 0, commentCount: 2, shareCount: 0 })] })
  open()
  const like = await screen.findByRole('button', { name: 'Like, 0' })
  expect(like.textContent).toBe('')
  expect(screen.getByRole('button', { name: 'Comments, 2' }).textContent).toBe('2')
  expect(screen.getByRole('button', { name: 'Share, 0' }).textContent).toBe('')
  fireEvent.click(like)
  expect(screen.getByRole('button', { name: 'Like, 1' }).textContent).toBe('1')
})

test('a reader sees the posts in one list, in the order of the server, with an advert after every third [FEED-15 FEED-16]', async () => {
  const posts = Array.from({ length: 7 }, (_, i) => aPost({ content: `number ${i + 1}` }))
  serveDays({ 0: posts })
  open()
  // The posts that do not fit into the window are drawn after the others.
  await screen.findByText('number 7')
  const list = screen.getByRole('list', { name: 'Posts of Today' })
  const items = within(list).getAllByRole('listitem')
  expect(items.map((item) => within(item).getByTestId('post-content').textContent)).toEqual(
    posts.map(({ content }) => content),
  )
  const withAd = items.flatMap((item, i) => (within(item).queryByText('Advertisement') ? [i + 1] : []))
  expect(withAd).toEqual([3, 6])
})

test('a reader sees author, text with line breaks, image, date and counts of a post [FEED-17 FEED-37 ART-02]', async () => {
  const post = aPost({
    content: 'First line\nand more\n\n  second',
    imageUrl: '/assets/a.png',
    likeCount: 1200,
    shareCount: 3,
    commentCount: 2_500_000,
  })
  serveDays({ 0: [post] })
  open()
  const card = await screen.findByRole('article', { name: 'Post by Ana Lima' })
  expect(within(card).getByTestId('post-content').textContent).toBe(post.content)
  expect(within(card).getByTestId('post-content').className).toContain('whitespace-pre-wrap')
  expect(card.querySelector('img')?.getAttribute('src')).toBe('/assets/a.png')
  expect(within(card).getByText(/Tue, Jun 10/)).toBeTruthy()
  expect(within(card).getByRole('button', { name: 'Like, 1.2K' })).toBeTruthy()
  expect(within(card).getByRole('button', { name: 'Comments, 2.5M' })).toBeTruthy()
  expect(within(card).getByRole('button', { name: 'Share, 3' })).toBeTruthy()
})

test('the text below an uploaded picture does not move when the picture arrives, because its size is known [FEED-17]', async () => {
  const id = '00000000-0000-7000-8000-000000000001'
  serveDays({ 0: [aPost({ imageUrl: coverPath({ id, width: 1600, height: 900 }) })] })
  open()
  const card = await screen.findByRole('article', { name: 'Post by Ana Lima' })
  const picture = card.querySelector('img')!
  expect([picture.getAttribute('width'), picture.getAttribute('height')]).toEqual(['1600', '900'])
})

test('a reader sees the title that the author gave a post, and each line of a poem by itself [FEED-17]', async () => {
  const poem = aPost({ content: 'Rain\n\nIt rained all night\nand nobody slept.' })
  const prose = aPost({ content: 'The train left.\n\nIt was late.', authorName: 'Ben' })
  serveDays({ 0: [poem, prose] })
  open()
  const card = within(await screen.findByRole('article', { name: 'Post by Ana Lima' }))
  expect(card.getByRole('heading', { level: 2 }).textContent).toBe('Rain')
  expect(card.getByText('It rained all night')).toBeTruthy()
  expect(card.getByText('and nobody slept.')).toBeTruthy()
  const other = within(screen.getByRole('article', { name: 'Post by Ben' }))
  expect(other.getByRole('heading', { level: 2 }).textContent).toBe('The train left.')
  expect(other.getByText('It was late.').dataset['testid']).toBe('post-content')
})

test('a reader sees a category only on a post with one of its keywords [FEED-29]', async () => {
  const posts = [
    aPost({ content: 'A poem about rain' }),
    aPost({ content: 'Nothing of that kind', authorName: 'Ben' }),
  ]
  serveDays({ 0: posts })
  open()
  const card = (author: string) => within(screen.getByRole('article', { name: `Post by ${author}` }))
  await screen.findByText('A poem about rain')
  expect(card('Ana Lima').getByText('Poetry')).toBeTruthy()
  expect(card('Ben').queryByText('Lifestyle')).toBeNull()
})

test('a reader chooses a day by its date, and comes back by the button Today [FEED-09]', async () => {
  serveDays({
    0: [],
    9: [aPost({ content: 'of the first' })],
  })
  open()
  const field = screen.getByLabelText<HTMLInputElement>('Choose a day')
  expect([field.value, field.min, field.max]).toEqual(['2025-06-10', '1925-07-05', '2025-06-10'])
  expect(screen.queryByRole('button', { name: 'Today' })).toBeNull()
  fireEvent.change(field, { target: { value: '0002-06-01' } })
  expect(location.search).toBe('')
  fireEvent.change(field, { target: { value: '2025-06-01' } })
  await screen.findByText('of the first')
  expect(location.search).toBe('?date=2025-06-01')
  expect(screen.getByText('Sunday, Jun 1')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Today' }))
  await screen.findByText('No posts for Today')
  expect(location.search).toBe('')
  expect(field.value).toBe('2025-06-10')
  expect(document.activeElement).toBe(older())
})

test('a reader types a date: the field becomes visible, and only the whole date is opened, by Enter or by leaving the field [FEED-09]', async () => {
  serveDays({ 0: [], 8: [], 9: [] })
  open()
  await screen.findByText('No posts for Today')
  const field = screen.getByLabelText<HTMLInputElement>('Choose a day')
  const typeDate = (...values: string[]) => {
    for (const value of values) {
      fireEvent.keyDown(field, { key: '1' })
      fireEvent.change(field, { target: { value } })
      fireEvent.keyUp(field, { key: '1' })
    }
  }
  const steps = history.length
  expect(field.className).toContain('opacity-0')
  fireEvent.keyUp(field, { key: 'Tab' })
  expect(field.className).not.toContain('opacity-0')
  typeDate('2025-01-10', '2025-06-10', '2025-06-01')
  expect([location.search, history.length]).toEqual(['', steps])
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => expect(location.search).toBe('?date=2025-06-01'))
  typeDate('2025-06-02')
  expect(location.search).toBe('?date=2025-06-01')
  fireEvent.blur(field)
  expect(location.search).toBe('?date=2025-06-02')
  expect(history.length).toBe(steps + 2)
  expect(field.className).toContain('opacity-0')
})

test('a reader opens the day before with a link below the last post, and the focus goes to the title of the page', async () => {
  serveDays({
    0: [aPost()],
    1: [],
    2: [],
  })
  open()
  fireEvent.click(await screen.findByRole('link', { name: 'Monday, Jun 9' }))
  await screen.findByText('No posts for Yesterday')
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  fireEvent.click(screen.getByRole('link', { name: 'Sunday, Jun 8' }))
  await screen.findByText('No posts for Sunday, Jun 8')
})

test('a reader opens a day by its date, and an older link with a number gets the address with the date [LOOP-22]', async () => {
  serveDays({ 2: [aPost({ content: 'of Sunday' })] })
  open('/dashboard?date=2025-06-08')
  await screen.findByText('of Sunday')
  expect(older().getAttribute('href')).toBe('/dashboard?date=2025-06-07')
  cleanup()
  const steps = history.length
  open('/dashboard?day=2')
  await screen.findByText('of Sunday')
  expect([location.search, history.length]).toEqual(['?date=2025-06-08', steps])
})

test.each([
  ['2025-06-11', 'Future dates are not available'],
  ['2099-01-01', 'Future dates are not available'],
  ['2025-02-30', 'The feed has no such day.'],
  ['yesterday', 'The feed has no such day.'],
  ['1910-06-01', 'The feed has no such day.'],
])(
  'a reader who opens %s, which is no day of the feed, reads why and sees today at its own address [LOOP-22]',
  async (date, sentence) => {
    serveDays({ 0: [aPost({ content: 'of today' })] })
    open(`/dashboard?date=${date}`)
    await screen.findByText('of today')
    expect(await screen.findByText(sentence)).toBeTruthy()
    await waitFor(() => expect(location.search).toBe(''))
  },
)

test('a reader of an empty day goes on to the last day with posts, and the focus goes to the title of the page [LOOP-22]', async () => {
  serveDays({ 0: [], 5: [aPost({ content: 'of Thursday' })] })
  server.on(getLastFeedDay, ({ params }) => ({ day: params.day === '2025-06-10' ? '2025-06-05' : null }))
  open()
  const link = await screen.findByRole('link', { name: 'Last day with posts: Thursday, Jun 5' })
  expect(link.getAttribute('href')).toBe('/dashboard?date=2025-06-05')
  fireEvent.click(link)
  await screen.findByText('of Thursday')
  expect(location.search).toBe('?date=2025-06-05')
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  expect(screen.queryByText(/Last day with posts/)).toBeNull()
})

/** Answers the days of a server on which `today` is this day. */
const serveFrom = (today: string, days: Record<string, string>) =>
  server.on(getFeedDay, ({ params, answer }) => {
    const day = addDays(today, -Number(params.offset))
    return answer([aPost({ content: days[day]! })], { 'feed-day': day })
  })

test('a reader whose page stays open over midnight goes back to the day that the arrow names, and forward to the new day [LOOP-22]', async () => {
  const days = {
    '2025-06-11': 'of the 11th',
    '2025-06-10': 'of the 10th',
    '2025-06-09': 'of the 9th',
    '2025-06-08': 'of the 8th',
  }
  serveFrom('2025-06-10', days)
  open()
  await screen.findByText('of the 10th')
  fireEvent.click(older())
  await screen.findByText('of the 9th')
  serveFrom('2025-06-11', days)
  const named = older().getAttribute('href')
  fireEvent.click(older())
  await screen.findByText('of the 8th')
  expect(`${location.pathname}${location.search}`).toBe(named)
  expect(screen.getByText('Sunday, Jun 8')).toBeTruthy()
  // The days that were read before midnight have another distance from today now.
  fireEvent.click(newer())
  await screen.findByText('of the 9th')
  expect(screen.queryByText('Yesterday')).toBeNull()
  fireEvent.click(newer())
  await screen.findByText('of the 10th')
  expect(screen.getByText('Yesterday')).toBeTruthy()
  fireEvent.click(newer())
  await screen.findByText('of the 11th')
  expect([location.search, isOnToday()]).toEqual(['', true])
})

test('a feed that is open at midnight shows the new day within a minute [LOOP-22]', async () => {
  vi.useFakeTimers({
    now: new Date('2025-06-10T21:58:30Z'),
    toFake: ['Date', 'setInterval', 'clearInterval'],
  })
  const days = { '2025-06-11': 'of the 11th', '2025-06-10': 'of the 10th' }
  serveFrom('2025-06-10', days)
  open()
  await screen.findByText('of the 10th')
  await act(() => vi.advanceTimersByTimeAsync(minuteMs))
  expect(server.calls(getFeedDay)).toHaveLength(1)
  serveFrom('2025-06-11', days)
  await act(() => vi.advanceTimersByTimeAsync(minuteMs))
  await screen.findByText('of the 11th')
  expect(screen.getByText('Wednesday, Jun 11')).toBeTruthy()
})

test('a reader likes a post, and only the shown number changes [POST-25]', async () => {
  serveDays({ 0: [aPost({ likeCount: 4 })] })
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Like, 4' }))
  const liked = screen.getByRole('button', { name: 'Like, 5' })
  expect(liked.getAttribute('aria-pressed')).toBe('true')
  fireEvent.click(liked)
  expect(screen.getByRole('button', { name: 'Like, 4' })).toBeTruthy()
  expect(server.changes).toEqual([])
})

test('a reader opens the article of a long post by a button, and of any post by a click on its text [FEED-17 ART-02]', async () => {
  const long = aPost({ content: Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n') })
  serveDays({ 0: [long, aPost({ content: 'short' })] })
  open()
  expect(await screen.findAllByRole('link', { name: 'Continue reading' })).toHaveLength(1)
  fireEvent.click(screen.getByText('short'))
  expect(location.pathname).toMatch(/^\/posts\//)
})

test('a reader who selects a part of a text does not open the article [FEED-17]', async () => {
  const post = aPost({ content: 'A line to keep' })
  serveDays({ 0: [post] })
  open()
  const text = await screen.findByText('A line to keep')
  getSelection()?.selectAllChildren(text)
  fireEvent.click(text)
  expect(location.pathname).toBe('/dashboard')
  getSelection()?.removeAllRanges()
  fireEvent.click(text)
  expect(location.pathname).toBe(`/posts/${post.id}`)
})

test('a reader opens the post that has the focus by Enter, and Enter on a button of it does what the button says [ART-02]', async () => {
  const opened = aPost({ content: 'by Enter' })
  serveDays({ 0: [opened] })
  open()
  const post = (await screen.findByText('by Enter')).closest('article')!
  fireEvent.keyDown(within(post).getByRole('button', { name: /^Like/ }), { key: 'Enter' })
  fireEvent.keyDown(post, { key: 'o' })
  expect(location.pathname).toBe('/dashboard')
  fireEvent.keyDown(post, { key: 'Enter' })
  expect(location.pathname).toBe(`/posts/${opened.id}`)
})

test('a reader sees placeholders while a day loads [FEED-32]', () => {
  server.hold(getFeedDay)
  open()
  expect(screen.getByRole('status', { name: 'Loading the feed' })).toBeTruthy()
})

test('a reader of a day without posts reads that, and can write the first post of today alone [FEED-36]', async () => {
  serveDays({ 0: [], 3: [] })
  open('/dashboard?day=3')
  expect(await screen.findByText('No posts for Saturday, Jun 7')).toBeTruthy()
  expect(screen.getByText('Check another day or create the first post!')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Write the first post' })).toBeNull()
  fireEvent.click(await screen.findByRole('link', { name: 'Go to today' }))
  expect(await screen.findByText('No posts for Today')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Go to today' })).toBeNull()
  expect(screen.getByText('Check another day or create the first post!')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Write the first post' }))
  expect(await screen.findByRole('dialog', { name: 'Create Post' })).toBeTruthy()
})

test('a reader of a feed that fails sees the error and a button to try again, and the error is logged [FEED-33 FEED-34 FEED-35 ERR-13 ERR-14 GEN-19]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  server.refuse(getFeedDay, 'Unexpected')
  open()
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
  expect(server.calls(getFeedDay)).toHaveLength(4)
  expect(screen.getByRole('heading', { name: 'Error Loading Feed' })).toBeTruthy()
  expect(screen.getByText('Unable to load the content feed. Please try again.')).toBeTruthy()
  expect(console.error).toHaveBeenCalledWith('Failed to fetch day-specific posts', expect.any(Error))
  fireEvent.click(screen.getByRole('button', { name: 'Refresh Page' }))
  expect(location.reload).toHaveBeenCalled()
})

test('the name on a post leads to the page of its author, and without a page to the details of the author [PPL-03]', async () => {
  const authorId = 'b3n0000000'
  serveDays({
    0: [aPost({ authorName: 'Ben', authorId, authorHasPage: true }), aPost({ authorName: 'Cora', authorId })],
  })
  open()
  const link = await screen.findByRole('link', { name: 'Ben' })
  expect(link.getAttribute('href')).toBe(`/people/${authorId}`)
  expect(screen.queryByRole('link', { name: 'Cora' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Cora' }))
  expect(await screen.findByRole('dialog', { name: 'Ben' })).toBeTruthy()
})

test('the head of the feed leads registered readers, and nobody else, to the posts of people they follow [LOOP-18]', () => {
  serveDays({ 0: [] })
  const linkFor = (user: typeof ana | null) => {
    show(<FeedPage />, { at: '/dashboard', user })
    const link = screen.queryByRole('link', { name: 'Following' })?.getAttribute('href')
    cleanup()
    return link
  }
  expect([ana, guest, null].map(linkFor)).toEqual(['/following', undefined, undefined])
})
