import { act, cleanup, screen } from '@testing-library/react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { PageData } from '#contract/app/page-data.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { getPerson, listPersonPosts, listPersonStories } from '#contract/people/endpoints.ts'
import { getRoom, listFinishedRooms, listPassages } from '#contract/rooms/endpoints.ts'
import { getSealFingerprint } from '#contract/rooms/credit/endpoints.ts'
import { shelfPath, storyPath } from '#contract/rooms/paths.ts'
import type { Room } from '#contract/rooms/room.ts'
import { aPost } from '#web/features/feed/testing.tsx'
import { createQueryClient } from '#web/lib/query-client.ts'
import { config, startTestPage } from '#web/testing/page.tsx'
import { noTurns, unfolded } from '#web/testing/rooms.ts'
import { App } from './app.tsx'
import { storePageData } from './embedded.ts'
import { render } from './render.tsx'

const server = startTestPage()

const poem = 'Rain\n\nIt rained\nall night.\n\nIt was\nlate.'
const answers = { '/api/config': config }
const person = {
  id: 'b3n0000000',
  name: 'Ana Lima',
  introduction: 'I write.',
  joinedAt: '2025-01-02T03:04:05.000Z',
  postCount: 1,
  storyCount: 0,
}
const post = aPost({ content: poem })
const none = { items: [], nextBefore: null }

const pages: [address: string, data: PageData, shows: RegExp[]][] = [
  ['/', { title: '', answers, lists: {} }, [/<h1[^>]*>About us</, /Read what people write each day/]],
  ['/about', { title: 'About', answers, lists: {} }, [/is a home for people who write/]],
  [
    '/dashboard',
    { title: 'Feed', answers: { ...answers, '/api/feed/day/0': [post] }, lists: {} },
    [/<h2[^>]*>Rain<\/h2>/, /It rained/, /href="\/dashboard\?date=2025-06-09"/],
  ],
  [
    '/dashboard?date=2025-06-08',
    {
      title: 'Feed',
      answers: {
        ...answers,
        '/api/feed/day/2': [],
        '/api/feed/last-day-before/2025-06-08': { day: '2025-06-05' },
      },
      lists: {},
    },
    [
      /No posts for/,
      /href="\/dashboard\?date=2025-06-05"[^>]*>Last day with posts: (<!-- -->)?Thursday, Jun 5</,
      /href="\/dashboard\?date=2025-06-07"/,
      /href="\/dashboard\?date=2025-06-09"/,
    ],
  ],
  [
    // A card shows 1,500 characters, which end within an emoji here.
    '/dashboard?date=2025-06-06',
    {
      title: 'Feed',
      answers: {
        ...answers,
        '/api/feed/day/4': [aPost({ content: `${'a'.repeat(1499)}${'🪔'.repeat(9)}` })],
      },
      lists: {},
    },
    [/Continue reading/],
  ],
  [
    `/posts/${post.id}`,
    {
      title: 'Rain · Ana Lima',
      answers: {
        ...answers,
        [`/api/posts/${post.id}`]: post,
        [`/api/posts/${post.id}/neighbours`]: {
          previous: null,
          next: { id: post.id, title: 'The lamp', authorName: 'Ben' },
        },
      },
      lists: {},
    },
    [
      /<h1[^>]*>Rain<\/h1>/,
      /Next<!-- -->: <!-- -->The lamp<!-- --> · <!-- -->Ben/,
      /href="\/dashboard\?date=2025-06-10"[^>]*>All posts of <!-- -->Tuesday, Jun 10/,
      /<p[^>]*><span dir="auto" class="verse-line">It rained\n<br hidden=""\/><\/span>/,
    ],
  ],
  [
    `/people/${person.id}`,
    {
      title: person.name,
      answers: { ...answers, [`/api/people/${person.id}`]: person },
      lists: {
        [`/api/people/${person.id}/posts?limit=10`]: { items: [post], nextBefore: null },
        [`/api/people/${person.id}/stories?limit=5`]: none,
      },
    },
    [/<h1[^>]*>Ana Lima<\/h1>/, /I write\./, /<h3[^>]*>Rain<\/h3>/, /It rained/],
  ],
  [
    `/people/${person.id}?posts-before=2025-06-09T12:00:00.000Z_${post.id}`,
    {
      title: person.name,
      answers: { ...answers, [`/api/people/${person.id}`]: person },
      lists: {
        [`/api/people/${person.id}/posts?limit=10&before=2025-06-09T12%3A00%3A00.000Z_${post.id}`]: {
          items: [post],
          nextBefore: `2025-06-08T12:00:00.000Z_${post.id}`,
        },
        [`/api/people/${person.id}/stories?limit=5`]: none,
      },
    },
    [
      /It rained/,
      new RegExp(`href="/people/${person.id}"[^>]*>← Newest posts`),
      new RegExp(`href="/people/${person.id}\\?posts-before=2025-06-08T12:00:00.000Z_${post.id}"`),
    ],
  ],
]

const room: Room = {
  id: '01900000-0000-7000-8000-0000000000aa',
  name: 'The long night',
  description: 'Nobody sleeps.',
  createdByUserId: 'b3n0000000',
  createdAt: '2025-06-09T10:00:00.000Z',
  expiresAt: '2025-06-09T10:30:00.000Z',
  duration: 30,
  isPublic: true,
  ...noTurns,
  isActive: false,
  isMember: false,
  memberCount: 2,
}
const passages = ['The lamp went out.', 'It was\nnot the wind.'].map((content, i) => ({
  id: `01900000-0000-7000-8000-00000000010${i}`,
  content,
  isErased: false,
  ...unfolded,
  userId: 'b3n0000000',
  authorName: null,
  roomId: room.id,
  createdAt: room.createdAt,
  position: i + 1,
}))
pages.push(
  [
    storyPath(room.id),
    {
      title: room.name,
      answers: { ...answers, [`/api/zimmers/${room.id}`]: room },
      lists: {},
      story: { path: `/api/zimmers/${room.id}/messages`, passages },
    },
    [/<h1[^>]*>The long night<\/h1>/, /The lamp went out\./, /not the wind\./, /href="\/projects\/finished"/],
  ],
  [
    shelfPath,
    {
      title: 'Finished stories',
      answers,
      lists: {
        '/api/zimmers/finished?limit=24': {
          items: [{ ...room, endedAt: room.expiresAt, lineCount: 2, contributorCount: 1 }],
          nextBefore: null,
        },
      },
    },
    [/<h1[^>]*>Finished stories<\/h1>/, /Nobody sleeps\./, new RegExp(`href="/stories/${room.id}"`)],
  ],
  [
    `${shelfPath}?before=2025-06-09T12:00:00.000Z_${room.id}`,
    {
      title: 'Finished stories',
      answers,
      lists: {
        [`/api/zimmers/finished?limit=24&before=2025-06-09T12%3A00%3A00.000Z_${room.id}`]: {
          items: [{ ...room, endedAt: room.expiresAt, lineCount: 2, contributorCount: 1 }],
          nextBefore: `2025-06-08T12:00:00.000Z_${room.id}`,
        },
      },
    },
    [
      new RegExp(`href="/stories/${room.id}"`),
      /href="\/projects\/finished"/,
      new RegExp(`href="/projects/finished\\?before=2025-06-08T12:00:00.000Z_${room.id}"`),
    ],
  ],
  ['/404', { title: '', answers, lists: {}, isMissing: true }, [/<h1[^>]*>404 Page Not Found<\/h1>/]],
)

let root: Root | undefined
const page = document.createElement('div')
beforeEach(() => document.body.append(page))
afterEach(() => {
  act(() => root?.unmount())
  root = undefined
  page.remove()
  cleanup()
})

test.each(pages)('the server renders the text of %s [PUB-01]', async (address, data, shows) => {
  const html = await render(address, data)
  for (const text of shows) expect(html).toMatch(text)
})

test.each(pages)('the server keeps no answers of %s after it is rendered [R24]', async (address, data) => {
  // The query client sets a timer for each answer that it keeps.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await render(address, data)
  expect(vi.getTimerCount()).toBe(0)
})

/** Hydrates what the server rendered. Returns the failures, and the HTML before and after. */
async function hydrate(html: string, address: string, data: PageData) {
  // The server sends UTF-8, which has no half characters.
  page.innerHTML = Buffer.from(html).toString()
  const before = page.innerHTML
  history.replaceState(null, '', address)
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  // The page requests again what may be old.
  server.on(getFeedDay, [])
  server.on(getPerson, person)
  server.on(listPersonPosts, [post])
  server.on(listPersonStories, [])
  server.on(getRoom, room)
  server.on(getSealFingerprint, { fingerprint: null })
  server.on(listPassages, passages)
  server.on(listFinishedRooms, [])
  const client = createQueryClient()
  storePageData(client, data)
  const failures: unknown[] = []
  root = hydrateRoot(page, <App client={client} />, { onRecoverableError: (error) => failures.push(error) })
  let after = ''
  await act(async () => {
    await Promise.resolve()
    after = page.innerHTML
  })
  return { failures, before, after }
}

test.each(pages)(
  'hydration changes nothing on %s and writes nothing to the console [PUB-04]',
  async (address, data) => {
    const { failures, before, after } = await hydrate(await render(address, data), address, data)
    expect(failures).toEqual([])
    expect(console.error).not.toHaveBeenCalled()
    expect(after).toBe(before)
  },
)

test('hydration changes nothing on the 404 page of an article that is hidden, and requests nothing [PUB-03 PUB-04]', async () => {
  const data: PageData = { title: '', answers, lists: {}, isMissing: true }
  const { failures, before, after } = await hydrate(await render('/404', data), `/posts/${post.id}`, data)
  expect(failures).toEqual([])
  expect(after).toBe(before)
  expect(server.requests).toEqual([])
})

test('a person sees what only this browser knows after hydration [PUB-04]', async () => {
  const [address, data] = pages.find(([path]) => path === '/dashboard')!
  const html = await render(address, data)
  localStorage.setItem('sidebar', 'collapsed')
  const { failures } = await hydrate(html, address, data)
  expect(failures).toEqual([])
  expect(console.error).not.toHaveBeenCalled()
  expect(screen.getByRole('button', { name: 'Expand sidebar' })).toBeTruthy()
})

const hostile = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '&lt;b&gt; &amp; "quoted" \'single\'',
  ']]> <!-- --> <![CDATA[',
  '\u202eevil\u2066',
  '👩‍👩‍👧‍👦 e\u0301\u0323',
  '$& $` $1 {{x}}',
]

test.each(hostile)('a text stays text in what the server renders: %j [PUB-11]', async (text) => {
  const shown = aPost({ content: `${text}\n\nBelow ${text}`, authorName: text })
  const data = { title: text, answers: { ...answers, '/api/feed/day/0': [shown] }, lists: {} }
  page.innerHTML = await render('/dashboard', data)
  expect(page.querySelector('script, img, b')).toBeNull()
  expect(page.querySelector('[data-testid=post-content]')!.textContent).toBe(`${text}Below ${text}`)
})
