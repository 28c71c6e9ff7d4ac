import { type SQL, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { coverPath } from '#contract/covers/paths.ts'
import { deleteUser } from '#contract/admin/endpoints.ts'
import { approvePost, createPost, submitPost } from '#contract/feed/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { blockPerson } from '#contract/friends/endpoints.ts'
import {
  changeRoomMembership,
  createRoom,
  deleteRoom,
  joinRoom,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { feedFormats, type FeedOf, feedPath, feedTypes } from '#contract/syndication/paths.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { aRoom, startLastPassage } from '#server/testing/rooms.ts'
import { longestTurnOf } from '#server/testing/loop-turns.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { listNewestPosts, listNewestPostsOf } from './queries.ts'
import { itemsOf, olderUrlOf, parseXml, textOf } from './testing.ts'

const minuteMs = 60_000
const origin = 'https://zimmer.example'
const posts: FeedOf = { kind: 'posts' }
const stories: FeedOf = { kind: 'stories' }
const ofPerson = ({ me }: Client): FeedOf => ({ kind: 'person', id: me.id })

async function startWriters() {
  const t = await startTestApp({ config: { limitsRates: false, publicOrigin: origin } })
  const [ana, boss] = [await t.person({ firstName: 'Ana', lastName: 'Lima' }), await t.admin()]
  const publish = async (content: string, who: Client = ana, authorName = 'Ana Lima') => {
    const { id } = await who.does(submitPost, { input: { content, authorName } })
    await boss.does(approvePost, { params: { id } })
    t.clock.advance(1000)
    return id
  }
  const write = async (name: string, passages: [who: Client, content: string][], room = {}) => {
    const { id } = await passages[0]![0].does(createRoom, { input: aRoom({ name, duration: 15, ...room }) })
    for (const [who, content] of passages) {
      if (who !== passages[0]![0]) await who.does(joinRoom, { params: { id } })
      await who.does(sendPassage, { params: { id }, input: { content } })
    }
    return id
  }
  const finish = async (...story: Parameters<typeof write>) => {
    const id = await write(...story)
    t.clock.advance(16 * minuteMs)
    return id
  }
  const get = (url: string, headers: Record<string, string> = {}) => t.request({ url, headers })
  /** What all formats of a feed list; fails when they differ. */
  const read = async (of: FeedOf) => {
    const [first, ...others] = await Promise.all(
      feedFormats.map(async (format) => {
        const answer = await get(feedPath(of, format))
        expect([format, answer.statusCode]).toEqual([format, 200])
        return itemsOf(format, answer.body)
      }),
    )
    for (const other of others) expect(other).toEqual(first)
    return first!
  }
  const titles = async (of: FeedOf) => (await read(of)).map(({ title }) => title)
  const statuses = (of: FeedOf) =>
    Promise.all(feedFormats.map(async (format) => (await get(feedPath(of, format))).statusCode))
  return { ...t, ana, boss, publish, write, finish, get, read, titles, statuses }
}

test('a reader subscribes to all published posts in three formats, newest first, with whole text [PUB-05]', async () => {
  const { ana, publish, read, get } = await startWriters()
  const first = await publish('First <b>line</b>\nsecond & third\n\nA paragraph', ana, 'Night Owl')
  const second = await publish('Another poem')
  expect(await read(posts)).toEqual([
    {
      id: `urn:uuid:${second}`,
      url: `${origin}/posts/${second}`,
      title: 'Another poem',
      text: 'Another poem',
      names: ['Ana Lima'],
    },
    {
      id: `urn:uuid:${first}`,
      url: `${origin}/posts/${first}`,
      title: 'First <b>line</b>',
      text: 'First <b>line</b>\nsecond & third\n\nA paragraph',
      names: ['Night Owl'],
    },
  ])
  for (const format of feedFormats) {
    const { headers, body } = await get(feedPath(posts, format), { host: 'evil.example' })
    expect(headers['content-type']).toBe(`${feedTypes[format]}; charset=utf-8`)
    expect(body).toContain(`${origin}${feedPath(posts, format)}`)
    expect(body).not.toContain('evil.example')
    // The page of an author behind a pen name is not named.
    expect(body.split(`${origin}/people/${ana.me.id}`)).toHaveLength(format === 'rss' ? 1 : 2)
  }
})

test.each([
  ['a heading is left out of the text below it', 'The train\n\nIt left at ten.', 'It left at ten.'],
  [
    'the indentation of the text below a heading stays',
    ' The train \n \n\n  It left\nat ten.',
    '  It left\nat ten.',
  ],
  [
    'the first line of a verse stays',
    'The train\nleft at ten.\n\nIt was late.',
    'The train\nleft at ten.\n\nIt was late.',
  ],
  ['a text of one line stays', 'The train', 'The train'],
  ['a heading above a blank rest stays', 'The train\n\n \u200b', 'The train\n\n \u200b'],
])('in the feeds a post begins with its title once: %s [PUB-05]', async (_what, content, text) => {
  const { publish, get } = await startWriters()
  await publish(content)
  for (const format of feedFormats) {
    const [item] = itemsOf(format, (await get(feedPath(posts, format))).body)
    // In HTML the indentation is made of other spaces.
    expect([format, item!.title, item!.text.replaceAll('\u00a0', ' ')]).toEqual([format, 'The train', text])
  }
})

test('a first line that is too long for a title stays in the text [PUB-05]', async () => {
  const { publish, read } = await startWriters()
  const content = `${'word '.repeat(20).trim()}\n\nIt left at ten.`
  await publish(content)
  expect((await read(posts))[0]!.text).toBe(content)
})

test('the feeds name the cover of a post by its absolute address, and no picture of unknown type [PUB-05]', async () => {
  const { db, publish, get } = await startWriters()
  const cover = coverPath({ id: '01900000-0000-7000-8000-000000000001', width: 1600, height: 900 })
  for (const imageUrl of [cover, '/assets/a.png']) {
    const id = await publish('A poem')
    await db.execute(sql`update posts set image_url = ${imageUrl} where id = ${id}`)
  }
  const [json, rss] = [await get(feedPath(posts, 'json')), await get(feedPath(posts, 'rss'))]
  const { items } = json.json<{ items: { image?: string }[] }>()
  expect(items.map(({ image }) => image)).toEqual([undefined, `${origin}${cover}`])
  expect(rss.body.match(/<media:content [^>]*/g)).toEqual([
    `<media:content url="${origin}${cover}" type="image/webp" medium="image" width="1600" height="900"`,
  ])
})

test('a reader finds no waiting and no hidden post in any feed, and each change of a post at once [PUB-03 PUB-05]', async () => {
  const { ana, boss, publish, titles } = await startWriters()
  const hasTitles = async (...expected: string[]) =>
    expect([await titles(posts), await titles(ofPerson(ana))]).toEqual([expected, expected])
  const id = await publish('One')
  await hasTitles('One')
  const { id: waiting } = await ana.does(submitPost, { input: { content: 'Two', authorName: 'Ana Lima' } })
  await boss.does(createPost, {
    input: { content: 'Hidden', authorName: 'Boss', postType: 'admin', isVisible: false },
  })
  await hasTitles('One')
  await boss.does(approvePost, { params: { id: waiting } })
  await hasTitles('Two', 'One')
  const change = (isVisible: boolean) =>
    boss.does(changePostVisibility, { params: { id }, input: { isVisible } })
  await change(false)
  await hasTitles('Two')
  await change(true)
  await hasTitles('Two', 'One')
  await ana.does(submitPost, { input: { content: 'Three', authorName: 'Ana Lima', type: 'premium' } })
  await hasTitles('Three', 'Two', 'One')
  await boss.does(createPost, { input: { content: 'Four', authorName: 'Boss', postType: 'admin' } })
  expect(await titles(posts)).toEqual(['Four', 'Three', 'Two', 'One'])
})

test('the feed of a person lists the posts of the page, and a page that is off has the same 404 as one that never was [PUB-03 PUB-05]', async () => {
  const { ana, boss, person, publish, titles, statuses, get } = await startWriters()
  const ben = await person()
  const missing = [404, 404, 404]
  expect(await statuses(ofPerson(ana))).toEqual(missing)
  await publish('Signed')
  await publish('By a pen name', ana, 'Night Owl')
  await publish('By another person', ben, 'Person3 Test')
  expect(await titles(ofPerson(ana))).toEqual(['Signed'])
  const { body } = await get(feedPath(ofPerson(ana), 'atom'))
  expect(textOf(parseXml(body), 'title')).toBe('Ana Lima · Z!mmer')
  // A session changes nothing.
  await ana.does(blockPerson, { input: { userId: ben.me.id } })
  expect((await ben.request({ url: feedPath(ofPerson(ana), 'atom') })).body).toBe(body)
  for (const hasPage of [false, true]) {
    await ana.does(changeSettings, { input: { hasPage } })
    expect(await statuses(ofPerson(ana))).toEqual(hasPage ? [200, 200, 200] : missing)
  }
  await ana.does(changeSettings, { input: { hasPage: false } })
  const answers = ['0000000000', ana.me.id].map((id) => get(feedPath({ kind: 'person', id }, 'atom')))
  const [never, off] = await Promise.all(answers)
  const shown = ({ statusCode, body, headers }: Awaited<ReturnType<typeof get>>) => {
    const { date: _date, 'x-request-id': _id, ...others } = headers
    return { statusCode, body, others }
  }
  expect(shown(off!)).toEqual(shown(never!))
  for (const id of ['nothing', ana.me.id.toUpperCase(), '%00', "a'b"])
    expect([id, (await get(`/people/${id}/feed.atom`)).statusCode]).toEqual([id, 404])
  await boss.does(changeSettings, { input: { hasPage: true } })
  expect(await titles(ofPerson(boss))).toEqual([])
  await boss.does(changeSettings, { input: { hasPage: false } })
  expect(await statuses(ofPerson(boss))).toEqual(missing)
})

test('after the deletion of an account no feed shows the name, and the feed of the person is not found [PUB-03 S15]', async () => {
  const { ana, boss, publish, read, statuses, finish, person } = await startWriters()
  const ben = await person({ firstName: 'Ben', lastName: 'Okoro' })
  await publish('One')
  await ben.does(changeSettings, { input: { hasPage: true } })
  await finish('A story', [[ana, 'A passage']])
  expect((await read(stories))[0]!.names).toEqual([`User ${ana.me.id}`])
  expect([await statuses(ofPerson(ana)), await statuses(ofPerson(ben))]).toEqual([
    [200, 200, 200],
    [200, 200, 200],
  ])
  await boss.does(deleteUser, { params: { id: ana.me.id } })
  await boss.does(deleteUser, { params: { id: ben.me.id } })
  for (const of of [posts, stories]) expect((await read(of))[0]!.names).toEqual(['Deleted user'])
  expect([await statuses(ofPerson(ana)), await statuses(ofPerson(ben))]).toEqual([
    [404, 404, 404],
    [404, 404, 404],
  ])
})

test('finished public stories have a feed with their passages in order, the latest end first [PUB-03 PUB-05]', async () => {
  const { ana, person, write, finish, read, titles } = await startWriters()
  const ben = await person({ firstName: 'Ben', lastName: 'Okoro' })
  const first = await finish('The harbour', [
    [ana, 'It was late.\nThe lamp went out.'],
    [ben, 'Nobody & nothing.'],
    [ana, 'Then <light>.'],
  ])
  await finish('Secret', [[ana, 'Hidden']], { isPublic: false })
  expect(await read(stories)).toEqual([
    {
      id: `urn:uuid:${first}`,
      url: `${origin}/stories/${first}`,
      title: 'The harbour',
      text: 'It was late.\nThe lamp went out.\n\nNobody & nothing.\n\nThen <light>.',
      names: [`User ${ana.me.id}`, `User ${ben.me.id}`],
    },
  ])
  await ben.does(changeRoomMembership, { params: { id: first }, input: { signsWithName: true } })
  expect((await read(stories))[0]!.names).toEqual([`User ${ana.me.id}`, 'Ben Okoro'])
  await ben.does(changeSettings, { input: { showName: false } })
  expect((await read(stories))[0]!.names).toEqual([`User ${ana.me.id}`, `User ${ben.me.id}`])
  await write('Second', [[ana, 'Still being written']])
  expect(await titles(stories)).toEqual(['The harbour'])
})

test('a story is in the feed from its end on, and its deletion removes it at once [PUB-03 PUB-05]', async () => {
  const { ana, boss, clock, write, titles, finish, read } = await startWriters()
  const id = await write('Second', [[ana, 'Still being written']])
  clock.advance(15 * minuteMs - 2000)
  expect(await titles(stories)).toEqual([])
  clock.advance(2000)
  expect(await titles(stories)).toEqual(['Second'])
  await boss.does(deleteRoom, { params: { id } })
  expect(await titles(stories)).toEqual([])
  const { id: empty } = await ana.does(createRoom, { input: aRoom({ name: 'Empty', duration: 15 }) })
  clock.advance(16 * minuteMs)
  expect(await read(stories)).toMatchObject([{ text: 'Nobody wrote a passage.', names: ['Z!mmer'] }])
  await finish('A last one', [[ana, 'x']])
  expect((await read(stories)).map(({ id: urn }) => urn.slice(9))).toContain(empty)
})

/** Posts of one page of a person, a minute between them. */
const addPosts = (db: Db, count: number, content: string, authorId: string | null = null) =>
  db.execute(sql`
    insert into posts (id, content, author_name, author_id, post_type, created_at, published_at, published_on, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${content}::text, 'Ana Lima', ${authorId}, 'standard', at, at, (at at time zone 'Europe/Berlin')::date, n::text
    from generate_series(1, ${count}::int) n, lateral (select timestamptz '2025-06-10 00:00Z' - (n / 2) * interval '37 minutes' as at) t`)

test.each(feedFormats)(
  'a reader who follows a feed in %s to its end finds every item once, 50 on a page [PUB-06]',
  async (format) => {
    const { ana, db, clock, get } = await startWriters()
    // Two at a time have the same moment, and the posts are of several days.
    await addPosts(db, 120, 'A line', ana.me.id)
    await db.execute(sql`
      insert into rooms (id, name, description, is_public, duration, created_at, expires_at)
      select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Story', 'd', true, 30,
        at - interval '30 minutes', at
      from generate_series(1, 120) n, lateral (select timestamptz '2025-06-10 00:00Z' - (n / 2) * interval '37 minutes' as at) t`)
    clock.advance(1000)
    for (const of of [posts, ofPerson(ana), stories]) {
      const counts: number[] = []
      const ids: string[] = []
      for (let url: string | undefined = `${origin}${feedPath(of, format)}`; url !== undefined;) {
        const { statusCode, body, headers } = await get(url.slice(origin.length))
        expect([statusCode, headers['content-type']]).toEqual([200, `${feedTypes[format]}; charset=utf-8`])
        const found = itemsOf(format, body)
        counts.push(found.length)
        ids.push(...found.map(({ id }) => id))
        url = olderUrlOf(format, body)
      }
      expect([counts, new Set(ids).size]).toEqual([[50, 50, 20], 120])
      const times = ids.map((id) => Math.floor(Number(id.slice(-12)) / 2))
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    }
    for (const before of ['', 'x', '2025-06-10', '2025-02-30T00:00:00.000Z_x', 'x&before=y'])
      expect([before, (await get(`${feedPath(posts, format)}?before=${before}`)).statusCode]).toEqual([
        before,
        400,
      ])
  },
)

test('a page of long posts has fewer items, and a reader who follows the older pages misses none [PUB-06 R24]', async () => {
  const { ana, db, get } = await startWriters()
  // 200,000 bytes each.
  await addPosts(db, 12, '🪔'.repeat(50_000), ana.me.id)
  for (const of of [posts, ofPerson(ana)]) {
    const counts: number[] = []
    for (let url: string | undefined = `${origin}${feedPath(of, 'atom')}`; url !== undefined;) {
      const { body } = await get(url.slice(origin.length))
      counts.push(itemsOf('atom', body).length)
      url = olderUrlOf('atom', body)
    }
    expect(counts).toEqual([5, 5, 2])
  }
})

test('a story longer than a page of a feed is cut between two passages, with a link to the rest and all its authors [PUB-05 R24]', async () => {
  const { ana, db, finish, get, person } = await startWriters()
  const ben = () => person({ firstName: 'Ben', lastName: 'Okoro' })
  const [one, other] = [await ben(), await ben()]
  const [short, long] = [
    await finish('Short', [[ana, 'A line']]),
    await finish('Long', [[ana, 'It begins.']]),
  ]
  await db.execute(sql`
    insert into room_messages (room_id, position, id, user_id, content, created_at, event)
    select ${long}, n, gen_random_uuid(), ${ana.me.id}, repeat('abcd ', 800), app_now(), n from generate_series(2, 500) n`)
  await db.execute(sql`update rooms set story_bytes = 2000000 where id = ${long}`)
  // Two people of one name, whose passages are in the part that is cut off.
  for (const [n, { me }] of [one, other].entries()) {
    await db.execute(
      sql`update room_messages set user_id = ${me.id} where room_id = ${long} and position = ${400 + n}`,
    )
    await db.execute(sql`update users set show_name = true where id = ${me.id}`)
  }
  const { body: first } = await get(feedPath(stories, 'json'))
  const [only, ...others] = itemsOf('json', first)
  expect(others).toEqual([])
  expect(only!.text.length).toBeGreaterThan(1_000_000)
  expect(only!.text.length).toBeLessThan(1_050_000)
  expect(only!.text.slice(-100)).toContain(`abcd \n\nRead on: ${origin}/stories/${long}`)
  for (const format of feedFormats) {
    const { body } = await get(feedPath(stories, format))
    const names = Array.from(body.matchAll(/(?:<name>|<dc:creator>|"name":")([^<"]+)/g), ([, name]) => name)
    const authors = names.filter((name) => name !== 'Z!mmer')
    expect([format, authors]).toEqual([format, [`User ${ana.me.id}`, 'Ben Okoro', 'Ben Okoro']])
  }
  const older = olderUrlOf('json', first)
  const { body } = await get(older!.slice(origin.length))
  expect(itemsOf('json', body)).toMatchObject([{ id: `urn:uuid:${short}`, text: 'A line' }])
})

test('a reader who has the feed gets 304 by its tag or by its time, until something changes [PUB-06]', async () => {
  const { ana, clock, publish, get } = await startWriters()
  await publish('One')
  for (const of of [posts, ofPerson(ana)])
    for (const format of feedFormats) {
      const url = feedPath(of, format)
      await get(url)
      // The time has seconds, so it is named when the second is over.
      clock.advance(1000)
      const { headers } = await get(url)
      const [etag, modified] = [headers.etag!, headers['last-modified']!]
      expect(new Date(modified).toUTCString()).toBe(modified)
      for (const known of [{ 'if-none-match': etag }, { 'if-modified-since': modified }] as Record<
        string,
        string
      >[]) {
        const answer = await get(url, known)
        expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', etag])
      }
      // The tag decides when both are sent.
      const other = await get(url, { 'if-none-match': '"x"', 'if-modified-since': modified })
      expect(other.statusCode).toBe(200)
      expect((await get(url, { 'if-modified-since': 'yesterday' })).statusCode).toBe(200)
      await publish(`Two for ${url}`)
      for (const known of [{ 'if-none-match': etag }, { 'if-modified-since': modified }] as Record<
        string,
        string
      >[])
        expect((await get(url, known)).statusCode).toBe(200)
    }
})

test('ids of feeds and items stay the same at another origin [PUB-05]', async () => {
  const { ana, publish, get, connection } = await startWriters()
  await publish('One')
  const idsOf = (body: string) => {
    const feed = parseXml(body)
    return [textOf(feed, 'id'), ...itemsOf('atom', body).map(({ id }) => id)]
  }
  const ids = idsOf((await get('/feed.atom')).body)
  expect(ids[0]).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const place = { name: 'of the test', connection, drop: async () => {} }
  const moved = await startTestApp({ place, config: { publicOrigin: 'https://moved.example' } })
  const { body } = await moved.request({ url: '/feed.atom' })
  expect(body).toContain('https://moved.example/posts/')
  expect(idsOf(body)).toEqual(ids)
  const ofAna = textOf(parseXml((await get(feedPath(ofPerson(ana), 'atom'))).body), 'id')
  const ofStories = textOf(parseXml((await get(feedPath(stories, 'atom'))).body), 'id')
  expect(new Set([ids[0], ofAna, ofStories]).size).toBe(3)
})

test('a passage that is not committed yet when its story ends is in the feed [PUB-05]', async () => {
  const { ana, clock, db, write, get } = await startWriters()
  const id = await write('The harbour', [[ana, 'First']])
  const last = await startLastPassage(db, id, ana.me.id)
  clock.advance(15 * minuteMs)
  const reading = get(feedPath(stories, 'json'))
  await last.commitWhenAwaited(1)
  expect(itemsOf('json', (await reading).body)).toMatchObject([{ text: 'First\n\nLast' }])
})

test('a page of a feed is found by an index among 20,000 posts [PUB-06 S30]', async () => {
  const { ana, db } = await startWriters()
  await addPosts(db, 20_000, 'A line', ana.me.id)
  await db.execute(sql`analyze posts`)
  const before = { createdAt: '2025-05-01T12:00:00.000Z', id: '00000000-0000-7000-8000-000000000001' }
  for (const cursor of [undefined, before]) {
    const planOf = async (query: { getSQL: () => SQL }) =>
      JSON.stringify((await db.execute(sql`explain ${query.getSQL()}`)).rows)
    const ofAll = await planOf(listNewestPosts(db, 'Europe/Berlin', cursor))
    expect(ofAll).toMatch(/Incremental Sort.*posts_of_feed_day/)
    const ofAna = await planOf(listNewestPostsOf(db, { id: ana.me.id, name: 'Ana Lima' }, cursor))
    expect(ofAna).toContain('posts_published_of_author')
    expect(ofAll + ofAna).not.toMatch(/Seq Scan on (?!suspensions)/)
  }
})

test.each([
  ['signs to escape', '"'.repeat(20_000)],
  ['paragraphs of one letter', 'x\n\n'.repeat(6600)],
])(
  'a page of a feed with a megabyte of %s keeps the server busy for less than 50 ms at a time [S51]',
  async (_what, text) => {
    const { db, get } = await startWriters()
    // Two pages of 50 posts. The second one is not kept.
    await addPosts(db, 100, text)
    for (const format of feedFormats) await get(feedPath(posts, format))
    for (const format of feedFormats) {
      const { body } = await get(feedPath(posts, format))
      const older = olderUrlOf(format, body)!.slice(origin.length)
      const read = async () => expect((await get(older)).body.length).toBeGreaterThan(1_000_000)
      expect([format, await longestTurnOf(read, 50)]).toEqual([
        format,
        expect.toSatisfy((ms: number) => ms < 50),
      ])
    }
  },
)

test('an address that has read 60 older pages in a minute gets 429 for the next one, and the first page still [S52 R24]', async () => {
  const { request, clock } = await startTestApp()
  const ms = clock.monotonicMs()
  clock.monotonicMs = () => ms
  const ask = async (n: number | undefined) => {
    const query =
      n === undefined ? '' : `?before=2025-06-01T12:00:00.000Z_00000000-0000-7000-8000-${1e11 + n}`
    const { statusCode } = await request({ url: `/feed.atom${query}`, remoteAddress: '203.0.113.9' })
    return statusCode
  }
  for (let n = 0; n < 60; n++) expect([n, await ask(n)]).toEqual([n, 200])
  expect([await ask(60), await ask(undefined)]).toEqual([429, 200])
})
