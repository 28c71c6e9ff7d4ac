import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { approvePost, createPost, submitPost } from '#contract/feed/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { changeRoomMembership, createRoom, deleteFeedRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { shelfPath, storyPath } from '#contract/rooms/paths.ts'
import { users } from './features/account/index.ts'
import { posts } from './features/feed/schema.ts'
import { rooms } from './features/rooms/schema.ts'
import { createLog } from './log.ts'
import { dataIn, makePageFolder } from './testing/page-folder.ts'
import { aRoom } from './testing/rooms.ts'
import { startTestApp } from './testing/test-app.ts'

const names = { firstName: 'Ana', lastName: 'Lima' }
const config = { publicOrigin: 'https://zimmer.example' }

/** The texts in the head of a page by the names of their tags. */
function tagsIn(page: string) {
  const tags: Record<string, string | undefined> = { title: /<title>(.*?)<\/title>/s.exec(page)?.[1] }
  for (const [, name, content] of page.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g))
    tags[name!] = content
  tags['canonical'] = /<link rel="canonical" href="([^"]+)"/.exec(page)?.[1]
  return tags
}
const structuredIn = (page: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)![1]!) as Record<
    string,
    unknown
  >

test('each public page has its own title, description, address and fields for previews [PUB-02]', async () => {
  const t = await startTestApp({ config })
  const [ana, boss] = [await t.person(names), await t.admin()]
  await ana.does(changeSettings, { input: { introduction: 'I write by the sea.' } })
  const { id } = await ana.does(submitPost, {
    input: { content: 'The train\n\nIt left\nat ten.', authorName: 'Ana Lima' },
  })
  const post = await boss.does(approvePost, { params: { id } })

  const article = (await t.request({ url: `/posts/${id}` })).body
  expect(tagsIn(article)).toEqual({
    title: 'The train · Ana Lima · Z!mmer',
    description: 'The train It left at ten.',
    canonical: `https://zimmer.example/posts/${id}`,
    'og:site_name': 'Z!mmer',
    'og:type': 'article',
    'og:title': 'The train · Ana Lima',
    'og:description': 'The train It left at ten.',
    'og:url': `https://zimmer.example/posts/${id}`,
    'og:image': `https://zimmer.example/preview/posts/${id}.png`,
    'og:image:width': '1200',
    'og:image:height': '630',
    'twitter:card': 'summary_large_image',
    'twitter:title': 'The train · Ana Lima',
    'twitter:description': 'The train It left at ten.',
    'twitter:image': `https://zimmer.example/preview/posts/${id}.png`,
    'article:published_time': post.publishedAt,
    'article:author': `https://zimmer.example/people/${ana.me.id}`,
  })
  expect(structuredIn(article)).toEqual({
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: 'The train · Ana Lima',
    description: 'The train It left at ten.',
    datePublished: post.publishedAt,
    author: [{ '@type': 'Person', name: 'Ana Lima', url: `https://zimmer.example/people/${ana.me.id}` }],
    url: `https://zimmer.example/posts/${id}`,
    image: `https://zimmer.example/preview/posts/${id}.png`,
  })

  const person = (await t.request({ url: `/people/${ana.me.id}` })).body
  expect(tagsIn(person)).toMatchObject({
    title: 'Ana Lima · Z!mmer',
    description: 'I write by the sea.',
    canonical: `https://zimmer.example/people/${ana.me.id}`,
    'og:type': 'profile',
  })
  expect(structuredIn(person)).toMatchObject({
    '@type': 'ProfilePage',
    mainEntity: { '@type': 'Person', name: 'Ana Lima', description: 'I write by the sea.' },
  })

  const heads = []
  for (const url of ['/', '/about', '/dashboard', '/dashboard?day=1', '/dashboard?date=2025-06-09']) {
    const { title, canonical, 'og:type': type } = tagsIn((await t.request({ url })).body)
    heads.push([title, canonical, type])
  }
  expect(heads).toEqual([
    ['Z!mmer', 'https://zimmer.example/', 'website'],
    ['About · Z!mmer', 'https://zimmer.example/about', 'website'],
    ['Feed · Z!mmer', 'https://zimmer.example/dashboard', 'website'],
    ['Feed of Yesterday · Z!mmer', 'https://zimmer.example/dashboard?date=2025-06-09', 'website'],
    ['Feed of Yesterday · Z!mmer', 'https://zimmer.example/dashboard?date=2025-06-09', 'website'],
  ])
  // A page that needs a session is not for search engines.
  expect(tagsIn((await t.request({ url: '/diary' })).body)).toMatchObject({
    robots: 'noindex',
    canonical: undefined,
  })
})

test('a finished public story has a page, and an open, private or deleted room has none [PUB-01 PUB-02 PUB-03]', async () => {
  const t = await startTestApp({ config })
  const [ana, boss] = [await t.person(names), await t.admin()]
  const write = async (room: object) => {
    const { id } = await ana.does(createRoom, {
      input: aRoom({ name: 'The harbour', duration: 15, ...room }),
    })
    await ana.does(sendPassage, { params: { id }, input: { content: 'It was late.' } })
    return id
  }
  const [id, secret, removed] = [await write({}), await write({ isPublic: false }), await write({})]
  const missing = (await t.request({ url: '/nowhere' })).body
  expect((await t.request({ url: storyPath(id) })).body).toBe(missing)
  t.clock.advance(16 * 60_000)
  await boss.does(deleteFeedRoom, { params: { id: removed } })
  for (const url of [storyPath(secret), storyPath(removed), '/stories/no-id']) {
    const { statusCode, body } = await t.request({ url })
    expect([url, statusCode, body === missing]).toEqual([url, 404, true])
  }
  const { statusCode, body } = await t.request({ url: storyPath(id) })
  expect([statusCode, body.includes(`rendered ${storyPath(id)}`)]).toEqual([200, true])
  expect(dataIn(body).story?.passages).toMatchObject([{ content: 'It was late.' }])
  expect(tagsIn(body)).toMatchObject({
    title: 'The harbour · Z!mmer',
    canonical: `https://zimmer.example/stories/${id}`,
    'og:type': 'article',
    'og:image': `https://zimmer.example/preview/stories/${id}.png`,
  })
  const shelf = await t.request({ url: shelfPath })
  expect(dataIn(shelf.body).lists['/api/zimmers/finished?limit=24']?.items).toMatchObject([{ id }])
  expect(tagsIn(shelf.body)).toMatchObject({ title: 'Finished stories · Z!mmer' })
})

/** An instance with a finished public story of one passage by Ana. */
async function startWithStory(options: { pageFolder?: string } = {}) {
  const t = await startTestApp(options)
  const ana = await t.person(names)
  const { id } = await ana.does(createRoom, { input: aRoom({ duration: 15 }) })
  await ana.does(sendPassage, { params: { id }, input: { content: 'It was late.' } })
  t.clock.advance(16 * 60_000)
  return { ...t, ana, id }
}

test('the page of a story that counts for more than a megabyte is sent without its passages [R24]', async () => {
  const { id, ...t } = await startWithStory()
  await t.db.update(rooms).set({ storyBytes: 1024 * 1024 + 1 })
  const { statusCode, body } = await t.request({ url: storyPath(id) })
  expect([statusCode, dataIn(body).story]).toEqual([200, undefined])
})

test('a reader of a story sees the signature that its author has now [PUB-01]', async () => {
  const { ana, id, ...t } = await startWithStory()
  const authorsNow = async () =>
    dataIn((await t.request({ url: storyPath(id) })).body).story?.passages.map(({ authorName }) => authorName)
  expect(await authorsNow()).toEqual([null])
  await ana.does(changeRoomMembership, { params: { id }, input: { signsWithName: true } })
  expect(await authorsNow()).toEqual(['Ana Lima'])
})

test('a page of a story with names newer than its version is not cached: a name that is put back is shown [PUB-01 R24]', async () => {
  const { ana, id, ...t } = await startWithStory()
  await ana.does(changeRoomMembership, { params: { id }, input: { signsWithName: true } })
  const authorNow = async (headers = {}) =>
    dataIn((await t.request({ url: storyPath(id), headers })).body).story?.passages[0]?.authorName
  // Another program writes, so this process does not hear of the change. It reads the room once in 5 s, and makes a page
  // for browsers that expect a session and another one for visitors.
  const rename = (firstName: string) => t.db.update(users).set({ firstName }).where(eq(users.id, ana.me.id))
  expect(await authorNow({ cookie: 'signed-in=1' })).toBe('Ana Lima')
  await rename('Eva')
  expect(await authorNow()).toBe('Eva Lima')
  await rename('Ana')
  expect(await authorNow()).toBe('Ana Lima')
})

test('an article, a person and a story that another program deletes are not found after 5 s, and shown until then [PUB-01 R24]', async () => {
  const t = await startTestApp()
  const [ana, boss] = [await t.person(names), await t.admin()]
  await ana.does(changeSettings, { input: { hasPage: true } })
  const { id: room } = await ana.does(createRoom, { input: aRoom({ duration: 15 }) })
  const { id: post } = await boss.does(createPost, { input: { content: 'A text', authorName: 'Ana' } })
  t.clock.advance(16 * 60_000)
  const urls = [`/posts/${post}`, `/people/${ana.me.id}`, storyPath(room)]
  const statuses = () => Promise.all(urls.map(async (url) => (await t.request({ url })).statusCode))
  expect(await statuses()).toEqual([200, 200, 200])
  await t.db.delete(posts).where(eq(posts.id, post))
  await t.db.update(users).set({ hasPage: false }).where(eq(users.id, ana.me.id))
  await t.db.delete(rooms).where(eq(rooms.id, room))
  expect(await statuses()).toEqual([200, 200, 200])
  t.clock.advance(5000)
  expect(await statuses()).toEqual([404, 404, 404])
})

test('the page of a person shows a new introduction and a new post at once, and an article the deletion of its author [PUB-01 S15]', async () => {
  const t = await startTestApp()
  const [ana, boss] = [await t.person(names), await t.admin()]
  await ana.does(changeSettings, { input: { hasPage: true, introduction: 'I write by the sea.' } })
  const path = `/people/${ana.me.id}`
  const personNow = async () => JSON.stringify(dataIn((await t.request({ url: path })).body))
  expect(await personNow()).toContain('I write by the sea.')
  await ana.does(changeSettings, { input: { introduction: 'I write in the hills.' } })
  expect(await personNow()).toContain('I write in the hills.')
  const { id } = await ana.does(submitPost, { input: { content: 'The train', authorName: 'Ana Lima' } })
  await boss.does(approvePost, { params: { id } })
  expect(await personNow()).toContain('The train')
  const authorNow = async () => tagsIn((await t.request({ url: `/posts/${id}` })).body)['article:author']
  expect(await authorNow()).toContain(path)
  await ana.does(deleteAccount)
  expect(await authorNow()).toBeUndefined()
  expect((await t.request({ url: path })).statusCode).toBe(404)
})

test('each page names the feeds of its texts [PUB-07]', async () => {
  const t = await startTestApp({ config })
  const ana = await t.person(names)
  await ana.does(changeSettings, { input: { hasPage: true } })
  const { id: story } = await ana.does(createRoom, { input: aRoom({ duration: 15 }) })
  t.clock.advance(16 * 60_000)
  const feedsAt = async (url: string) =>
    [...(await t.request({ url })).body.matchAll(/<link rel="alternate" href="([^"]+)" type="([^"]+)"/g)].map(
      ([, href, type]) => [href, type],
    )
  const feedsOf = (folder: string) => [
    [`https://zimmer.example${folder}/feed.atom`, 'application/atom+xml'],
    [`https://zimmer.example${folder}/feed.rss`, 'application/rss+xml'],
    [`https://zimmer.example${folder}/feed.json`, 'application/feed+json'],
  ]
  for (const url of ['/', '/dashboard', '/about']) expect(await feedsAt(url)).toEqual(feedsOf(''))
  expect(await feedsAt(`/people/${ana.me.id}`)).toEqual(feedsOf(`/people/${ana.me.id}`))
  for (const url of [shelfPath, storyPath(story)]) expect(await feedsAt(url)).toEqual(feedsOf('/stories'))
})

test('a reader of what is pending, hidden, switched off or was never there gets one and the same 404 page [PUB-03]', async () => {
  const t = await startTestApp()
  const [ana, boss] = [await t.person(names), await t.admin()]
  await ana.does(changeSettings, { input: { hasPage: true } })
  const pending = await ana.does(submitPost, { input: { content: 'A secret', authorName: 'Ana' } })
  const hidden = await boss.does(createPost, { input: { content: 'A secret', authorName: 'Ana' } })
  expect((await t.request({ url: `/posts/${hidden.id}` })).statusCode).toBe(200)
  expect((await t.request({ url: `/people/${ana.me.id}` })).statusCode).toBe(200)
  await boss.does(changePostVisibility, { params: { id: hidden.id }, input: { isVisible: false } })
  await ana.does(changeSettings, { input: { hasPage: false } })
  const answers = await Promise.all(
    [
      '/nowhere',
      `/posts/${pending.id}`,
      `/posts/${hidden.id}`,
      '/posts/01900000-0000-7000-8000-000000000000',
      '/posts/no-id',
      `/people/${ana.me.id}`,
      '/people/b3n0000000',
    ].map(async (url) => {
      const { statusCode, body, headers } = await t.request({ url })
      return [statusCode, headers['cache-control'], body]
    }),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  const [[status, cacheControl, body]] = answers as [[number, string, string]]
  expect([status, cacheControl]).toEqual([404, 'no-store'])
  expect(body).toContain('rendered /404')
  expect(body).not.toContain('A secret')
})

test('a visitor gets the rendered page, and a browser that expects a session the page without it [PUB-01]', async () => {
  const t = await startTestApp()
  const ana = await t.person(names)
  await ana.does(changeSettings, { input: { hasPage: true } })
  const rendered = []
  const days = ['/dashboard?day=3', '/dashboard?date=2025-06-07']
  for (const url of ['/', '/dashboard', ...days, '/about', `/people/${ana.me.id}`]) {
    const answer = await t.request({ url })
    expect(answer.headers['vary']).toBe('accept-encoding, cookie')
    expect(answer.body).toContain('<html data-rendered="true" lang="en">')
    expect(answer.body).toMatch(/<div id="root"><main>rendered [^<]*<\/main><\/div>/)
    rendered.push(/<main>rendered (\S+) /.exec(answer.body)?.[1])
    const known = await t.request({ url, headers: { cookie: 'signed-in=1' } })
    expect(known.body).toContain('<div id="root"></div>')
    expect(known.body).not.toContain('rendered')
    expect(known.headers['etag']).not.toBe(answer.headers['etag'])
  }
  expect(rendered).toEqual([
    '/',
    '/dashboard',
    '/dashboard?date=2025-06-07',
    '/dashboard?date=2025-06-07',
    '/about',
    `/people/${ana.me.id}`,
  ])
  // For these queries the browser shows another page. At `/` it ignores the query.
  const unknownDays = ['2025-06-11', '2025-02-30', '1900-01-01', 'today'].map(
    (date) => `/dashboard?date=${date}`,
  )
  const others = ['/dashboard?tab=diary', '/dashboard?day=-1', '/dashboard?day=1&x=1', '/diary', '/?x=1']
  for (const url of [...unknownDays, ...others])
    expect([url, (await t.request({ url })).body.includes('rendered')]).toEqual([url, url === '/?x=1'])
})

test('a page that cannot be rendered is sent without its text, and is rendered for the next reader [PUB-01]', async () => {
  const pageFolder = makePageFolder()
  writeFileSync(
    join(pageFolder, 'render.js'),
    `let count = 0
    export const render = async (address) => {
      if (address === '/about' && count++ === 0) throw new Error('No about page')
      return 'rendered'
    }`,
  )
  const t = await startTestApp({ pageFolder })
  const about = await t.request({ url: '/about' })
  expect([about.statusCode, about.body.includes('data-rendered')]).toEqual([200, false])
  expect(about.body).toContain('embedded-data')
  expect((await t.request({ url: '/about' })).body).toContain('data-rendered')
  expect((await t.request({ url: '/dashboard' })).body).toContain('rendered')
})

/** A renderer whose pages wait until a file exists. It writes another file when it begins. */
const waitsFor = (file: string, begun = `${file}-begun`) =>
  `import { existsSync, writeFileSync } from 'node:fs'
  import { setTimeout } from 'node:timers/promises'
  export const render = async () => {
    writeFileSync(${JSON.stringify(begun)}, '')
    while (!existsSync(${JSON.stringify(file)})) await setTimeout(5)
    return 'rendered'
  }`

test('a page whose HTML is too long is sent without it, to the next reader too [R24]', async () => {
  const pageFolder = makePageFolder()
  writeFileSync(
    join(pageFolder, 'render.js'),
    `let isFirst = true
    export const render = async () => {
      const text = isFirst ? '<br>'.repeat(1024 * 1024 + 1) : 'short'
      isFirst = false
      return text
    }`,
  )
  const t = await startTestApp({ pageFolder })
  for (const reader of ['first', 'next']) {
    const { statusCode, body } = await t.request({ url: '/about' })
    expect([reader, statusCode, body.includes('data-rendered')]).toEqual([reader, 200, false])
  }
})

test('a visitor who requests the pages of 30 people at once is refused some, and others read other pages [R24 R14]', async () => {
  const pageFolder = makePageFolder()
  const goOn = join(pageFolder, 'go-on')
  writeFileSync(join(pageFolder, 'render.js'), waitsFor(goOn))
  const t = await startTestApp({ pageFolder })
  const people: string[] = []
  for (let i = 0; i < 30; i++) {
    const person = await t.person()
    await person.does(changeSettings, { input: { hasPage: true } })
    people.push(person.me.id)
  }
  const answers: Record<number, number> = {}
  const pages = people.map(async (id) => {
    const { statusCode } = await t.request({ url: `/people/${id}` })
    answers[statusCode] = (answers[statusCode] ?? 0) + 1
  })
  await expect.poll(() => answers[503], { timeout: 60_000 }).toBeGreaterThan(0)
  // Other pages do not wait for them.
  expect((await t.request({ url: '/diary' })).statusCode).toBe(200)
  writeFileSync(goOn, '')
  await Promise.all(pages)
  expect(answers[200]).toBeGreaterThanOrEqual(21)
})

test('the page of a person does not wait while the page of a long story is rendered [S58]', async () => {
  const pageFolder = makePageFolder()
  const [isGiven, goOn] = [join(pageFolder, 'is-given'), join(pageFolder, 'go-on')]
  writeFileSync(join(pageFolder, 'render.js'), waitsFor(goOn, isGiven))
  const { ana, id, db, request } = await startWithStory({ pageFolder })
  await ana.does(changeSettings, { input: { hasPage: true } })
  await db.update(rooms).set({ storyBytes: 300 * 1024 })
  const answered: string[] = []
  const story = request({ url: storyPath(id) }).then(() => answered.push('story'))
  await expect.poll(() => existsSync(isGiven), { timeout: 60_000, interval: 5 }).toBe(true)
  // This browser gets the page without rendered text, so only the page of the story needs the renderer.
  await request({ url: `/people/${ana.me.id}`, headers: { cookie: 'signed-in=1' } })
  answered.push('person')
  writeFileSync(goOn, '')
  await story
  expect(answered).toEqual(['person', 'story'])
})

test('visitors who request too many pages at once cause no line in the log [S52 R14]', async () => {
  const pageFolder = makePageFolder()
  const goOn = join(pageFolder, 'go-on')
  writeFileSync(join(pageFolder, 'render.js'), waitsFor(goOn))
  const lines: string[] = []
  const logger = createLog('warn', { write: (line) => void lines.push(line) })
  const t = await startTestApp({ pageFolder, logger })
  const boss = await t.admin()
  const ids: string[] = []
  for (let i = 0; i < 53; i++)
    ids.push((await boss.does(createPost, { input: { content: `Text ${i}`, authorName: 'Ana' } })).id)
  let bare = 0
  const pages = ids.map(async (id) => {
    const { body } = await t.request({ url: `/posts/${id}` })
    if (!body.includes('data-rendered')) bare++
  })
  // One page is rendered and 50 wait.
  await expect.poll(() => bare, { timeout: 60_000 }).toBeGreaterThanOrEqual(2)
  writeFileSync(goOn, '')
  await Promise.all(pages)
  expect(lines.filter((line) => line.includes('Unavailable'))).toEqual([])
})

test('visitors who request too many days at once cause no line in the log, and get pages without the feed [S52 R14]', async () => {
  const lines: string[] = []
  const logger = createLog('warn', { write: (line) => void lines.push(line) })
  const t = await startTestApp({ logger })
  let answered = 0
  await t.db.transaction(async (tx) => {
    await tx.execute(sql`lock table posts in access exclusive mode`)
    const pages = Array.from({ length: 105 }, async (_, n) => {
      const { statusCode } = await t.request({ url: `/dashboard?day=${n + 1}` })
      expect(statusCode).toBe(200)
      answered++
    })
    void Promise.all(pages)
    // One day is read and 100 wait.
    await expect.poll(() => answered, { timeout: 20_000 }).toBe(4)
  })
  await expect.poll(() => answered, { timeout: 60_000 }).toBe(105)
  expect(lines.filter((line) => line.includes('Unavailable'))).toEqual([])
})

const hostile = [
  '</script><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "&lt;b&gt; &amp; 'single'",
  ']]> <!-- --> <![CDATA[',
  '\u202eevil\u2066',
  '👩‍👩‍👧‍👦 e\u0301',
  '$& $` $1 $$',
]

test.each(hostile)(
  'a hostile text stays text in the head and in the data of a page: %j [PUB-11]',
  async (text) => {
    const t = await startTestApp()
    const boss = await t.admin()
    const content = `${text}\n\n${text}`
    const { id } = await boss.does(createPost, { input: { content, authorName: 'Ana' } })
    const { body } = await t.request({ url: `/posts/${id}` })
    const decoded = (html: string | undefined) =>
      html?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
    const { title, 'og:description': description } = tagsIn(body)
    expect(decoded(title)).toBe(`${text} · Ana · Z!mmer`)
    expect(decoded(description)).toBe(`${text} ${text}`)
    expect(structuredIn(body)).toMatchObject({ headline: `${text} · Ana` })
    expect(dataIn(body).answers[`/api/posts/${id}`]).toMatchObject({ content })
    // Only the scripts of the page itself.
    expect(body.match(/<script|<img/g)).toHaveLength(2)
  },
)

test.each(['', 'x'])(
  'a long text of emoji after %j is whole in the data of its page [PUB-11]',
  async (start) => {
    const t = await startTestApp()
    const boss = await t.admin()
    const content = start + '👩'.repeat(49_999)
    const { id } = await boss.does(createPost, { input: { content, authorName: 'Ana' } })
    const { body } = await t.request({ url: `/posts/${id}` })
    expect(dataIn(body).answers[`/api/posts/${id}`]).toMatchObject({ content })
  },
)

test('a text of 50,000 characters gives a short title and description [PUB-11]', async () => {
  const t = await startTestApp()
  const boss = await t.admin()
  const { id } = await boss.does(createPost, {
    input: { content: 'word '.repeat(9999), authorName: 'x'.repeat(80) },
  })
  const { title, description } = tagsIn((await t.request({ url: `/posts/${id}` })).body)
  expect(title!.length).toBeLessThan(200)
  expect(description!.length).toBeLessThan(170)
})
