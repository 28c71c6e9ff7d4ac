import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { changeSettings, getSettings, introductionMaxLength } from '#contract/account/settings/endpoints.ts'
import { approvePost, createPost, listPendingPosts, submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay, getPost } from '#contract/feed/reading/endpoints.ts'
import { blockPerson, unblockPerson } from '#contract/friends/endpoints.ts'
import { getPerson, listPersonPosts, listPersonStories } from '#contract/people/endpoints.ts'
import { changeRoomMembership, createRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { listPosts } from './queries.ts'

const minuteMs = 60_000
const names = { firstName: 'Ana', lastName: 'Lima' }
const pageOf = (who: Client | { me: { id: string } }) => ({ params: { id: who.me.id } })
const today = { params: { offset: '0' } }

async function startWriters() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben, boss] = [
    await t.person(names),
    await t.person({ firstName: 'Ben', lastName: 'Okoro' }),
    await t.admin(),
  ]
  /** Sends a post and has it approved. */
  const publish = async (who: Client, content: string, authorName = 'Ana Lima') => {
    const { id } = await who.does(submitPost, { input: { content, authorName } })
    await boss.does(approvePost, { params: { id } })
    t.clock.advance(1000)
    return id
  }
  /** Writes a story of the texts in a room that then ends. */
  const finish = async (
    name: string,
    passages: [who: Client, content: string, signsWithName?: boolean][],
    room = {},
  ) => {
    const { id } = await passages[0]![0].does(createRoom, { input: aRoom({ name, duration: 15, ...room }) })
    for (const [who, content, signsWithName = true] of passages) {
      if (who !== passages[0]![0]) await who.does(joinRoom, { params: { id } })
      await who.does(changeRoomMembership, { params: { id }, input: { signsWithName } })
      await who.does(sendPassage, { params: { id }, input: { content } })
    }
    t.clock.advance(16 * minuteMs)
    return id
  }
  return { ...t, ana, ben, boss, publish, finish }
}

/** The three calls of a page, by anybody. */
const callsOf = (reader: Client, whose: { me: { id: string } }) =>
  Promise.all(
    [getPerson, listPersonPosts, listPersonStories].map(async (call) => {
      const { status, body } = await reader.tries(call, pageOf(whose))
      return [status, body]
    }),
  )
const statusesOf = async (reader: Client, whose: Client) =>
  (await callsOf(reader, whose)).map(([status]) => status)
const nobody = { me: { id: '0000000000' } }
const textsOf = async (reader: Client, who: Client) =>
  (await reader.does(listPersonPosts, pageOf(who))).map(({ content }) => content)

test('a visitor reads the page of a writer: name, introduction, posts and stories, and nothing private [PPL-01]', async () => {
  const { ana, boss, visitor, publish, finish } = await startWriters()
  const post = await publish(ana, 'A poem')
  const story = await finish('The harbour', [[ana, 'It was late.']])
  await ana.does(submitPost, { input: { content: 'Still waiting', authorName: 'Ana Lima' } })
  const introduction = 'I write at night.\nMostly poems.'
  await ana.does(changeSettings, { input: { introduction } })
  expect(await visitor().does(getPerson, pageOf(ana))).toEqual({
    id: ana.me.id,
    name: 'Ana Lima',
    introduction,
    joinedAt: ana.me.createdAt,
    postCount: 1,
    storyCount: 1,
  })
  const shown = await boss.does(getPost, { params: { id: post } })
  expect(await visitor().does(listPersonPosts, pageOf(ana))).toEqual([shown])
  const [found, ...others] = await visitor().does(listPersonStories, pageOf(ana))
  expect([found, others]).toEqual([
    {
      id: story,
      name: 'The harbour',
      endedAt: expect.any(String),
      passageCount: 1,
      passages: [{ id: expect.any(String), content: 'It was late.', position: 1 }],
    },
    [],
  ])
  expect(JSON.stringify(await callsOf(visitor(), ana))).not.toMatch(/example\.org|analima/)
})

test('posts that wait, are hidden or carry another name than that of their author are on no page [PPL-01]', async () => {
  const { ana, boss, visitor, publish } = await startWriters()
  await publish(ana, 'First')
  await publish(ana, 'By a pen name', 'Night Owl')
  await publish(ana, 'In small letters', 'ana lima')
  await ana.does(submitPost, { input: { content: 'Waits', authorName: 'Ana Lima' } })
  const ofAdmin = { authorName: 'Boss Test', postType: 'admin' } as const
  await boss.does(createPost, { input: { ...ofAdmin, content: 'Hidden', isVisible: false } })
  await boss.does(createPost, { input: { ...ofAdmin, content: 'For Ana', authorName: 'Ana Lima' } })
  await boss.does(changeSettings, { input: { hasPage: true } })
  expect(await textsOf(visitor(), ana)).toEqual(['In small letters', 'First'])
  expect(await textsOf(visitor(), boss)).toEqual([])
  expect(await visitor().does(getPerson, pageOf(ana))).toMatchObject({ postCount: 2 })
})

test('a page never names the author of a pen name: it stays off, and no name of a post leads there [PPL-01 PPL-02 PPL-03]', async () => {
  const { ana, visitor, publish } = await startWriters()
  const id = await publish(ana, 'By a pen name', 'Night Owl')
  const answers = async () =>
    JSON.stringify([
      await visitor().does(getPost, { params: { id } }),
      await visitor().does(getFeedDay, today),
      await visitor().does(getFeedDay, { ...today, query: { limit: '5' } }),
      (await visitor().request({ method: 'GET', url: `/posts/${id}` })).body,
    ])
  expect(await visitor().tries(getPerson, pageOf(ana))).toMatchObject({ status: 404 })
  expect(await answers()).not.toContain(ana.me.id)
  await ana.does(changeSettings, { input: { hasPage: true } })
  expect(await answers()).not.toContain(ana.me.id)
  expect(await visitor().does(getPost, { params: { id } })).toMatchObject({
    authorId: null,
    authorHasPage: false,
  })
  expect(await textsOf(visitor(), ana)).toEqual([])
})

test('a page of a person without a name stays off and lists no post under a pen name [PPL-01 PPL-02 S41]', async () => {
  const { person, visitor, publish } = await startWriters()
  const zoe = await person({ firstName: undefined, lastName: undefined })
  const id = await publish(zoe, 'A line', 'Zoe')
  await publish(zoe, 'Another line', 'Night Owl')
  expect(await visitor().tries(getPerson, pageOf(zoe))).toMatchObject({ status: 404 })
  await zoe.does(changeSettings, { input: { hasPage: true } })
  expect(await visitor().does(getPerson, pageOf(zoe))).toMatchObject({
    name: `User ${zoe.me.id}`,
    postCount: 0,
  })
  expect(await textsOf(visitor(), zoe)).toEqual([])
  expect(await visitor().does(getPost, { params: { id } })).toMatchObject({ authorId: null })
})

test('a story is on the page of those who signed it with their name, and only once it is finished and if it is public [PPL-01 S41]', async () => {
  const { ana, ben, visitor, publish, finish } = await startWriters()
  for (const who of [ana, ben]) await publish(who, 'A poem', `${who.me.firstName} ${who.me.lastName}`)
  const namesOf = async (who: Client) =>
    (await visitor().does(listPersonStories, pageOf(who))).map(({ name }) => name)
  const shared = await finish('Shared', [
    [ana, 'one'],
    [ben, 'two', false],
  ])
  await finish('Secret', [[ana, 'three']], { isPublic: false })
  const silent = await ana.does(createRoom, { input: aRoom({ name: 'Joined only', duration: 15 }) })
  await ben.does(joinRoom, { params: { id: silent.id }, input: { signsWithName: true } })
  await ana.does(sendPassage, { params: { id: silent.id }, input: { content: 'four' } })
  await ana.does(changeRoomMembership, { params: { id: silent.id }, input: { signsWithName: true } })
  expect([await namesOf(ana), await namesOf(ben)]).toEqual([['Shared'], []])
  const clockAfter = await finish('Open until now', [[ben, 'five', false]])
  expect([await namesOf(ana), await namesOf(ben)]).toEqual([['Joined only', 'Shared'], []])
  await ben.does(changeRoomMembership, { params: { id: clockAfter }, input: { signsWithName: true } })
  await ana.does(changeRoomMembership, { params: { id: shared }, input: { signsWithName: false } })
  expect([await namesOf(ana), await namesOf(ben)]).toEqual([['Joined only'], ['Open until now']])
  expect(await visitor().does(getPerson, pageOf(ana))).toMatchObject({ storyCount: 1 })
})

test('a story of many passages is listed with the first three of the person and their number [PPL-01]', async () => {
  const { ana, visitor, publish, finish } = await startWriters()
  await publish(ana, 'A poem')
  await finish(
    'Long',
    ['one', 'two', 'three', 'four', 'five'].map((content) => [ana, content]),
  )
  const [story] = await visitor().does(listPersonStories, pageOf(ana))
  expect([story!.passageCount, story!.passages.map(({ content }) => content)]).toEqual([
    5,
    ['one', 'two', 'three'],
  ])
})

test('a reader goes through posts and stories page by page, newest first, and misses none [PPL-01]', async () => {
  const { ana, visitor, publish, finish, db } = await startWriters()
  for (const content of ['1', '2', '3', '4', '5']) await publish(ana, content)
  // Two of them at the same moment.
  await db.execute(sql`update posts set published_at = (select published_at from posts where content = '3')
    where content = '4'`)
  for (const name of ['a', 'b', 'c']) await finish(name, [[ana, 'text']])
  const reader = visitor()
  for (const [call, field, expected] of [
    ['posts', 'id', 5],
    ['stories', 'id', 3],
  ] as const) {
    const seen: string[] = []
    let before = ''
    for (let page = 0; page < 5; page++) {
      const url = `/api/people/${ana.me.id}/${call}?limit=2${before && `&before=${before}`}`
      const answer = await reader.request({ method: 'GET', url })
      seen.push(...answer.json<{ id: string }[]>().map((row) => row[field]))
      const next = answer.headers['next-before']
      if (next === undefined) break
      before = String(next)
    }
    const all = await reader.does(call === 'posts' ? listPersonPosts : listPersonStories, pageOf(ana))
    expect([seen.length, new Set(seen).size]).toEqual([expected, expected])
    expect(seen).toEqual(all.map(({ id }) => id))
  }
  const dates = (await reader.does(listPersonPosts, pageOf(ana))).map(({ publishedAt }) => publishedAt)
  expect(dates).toEqual(dates.toSorted().toReversed())
  for (const before of ['x', '2025-06-10', '2025-02-30T00:00:00.000Z_x'])
    expect(await reader.tries(listPersonPosts, { ...pageOf(ana), query: { before } })).toMatchObject({
      status: 400,
      code: 'InvalidInput',
    })
})

test('a page of very long posts ends early, and a reader who goes on misses none [PPL-01 S30]', async () => {
  const { ana, visitor, db } = await startWriters()
  // 50,000 characters of four bytes each.
  await db.execute(sql`
    insert into posts (id, content, author_name, author_id, post_type, created_at, published_at, published_on, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, repeat('🪔', 50000), 'Ana Lima', ${ana.me.id}, 'standard', at, at, at::date, n::text
    from generate_series(1, 7) n, lateral (select timestamptz '2025-06-10 00:00Z' - n * interval '1 minute' as at) t`)
  const counts: number[] = []
  let next = ''
  do {
    const url = `/api/people/${ana.me.id}/posts${next && `?before=${next}`}`
    const answer = await visitor().request({ method: 'GET', url })
    counts.push(answer.json<unknown[]>().length)
    next = String(answer.headers['next-before'] ?? '')
  } while (next !== '')
  expect(counts).toEqual([3, 3, 1])
})

test('a reader who asks for the posts of people too often waits [PPL-01 S47]', async () => {
  const { request } = await startTestApp()
  const ask = (list: string) =>
    request({ method: 'GET', url: `/api/people/${nobody.me.id}/${list}`, remoteAddress: '203.0.113.7' })
  for (const list of ['posts', 'stories']) {
    for (let n = 0; n < 60; n++) expect((await ask(list)).statusCode).toBe(404)
    expect((await ask(list)).statusCode).toBe(429)
  }
})

test('a page is off until a post is published under the name, and then on; the switch decides after that [PPL-02]', async () => {
  const { ana, visitor, publish } = await startWriters()
  const isOn = async () => {
    const { status } = await visitor().tries(getPerson, pageOf(ana))
    expect((await ana.does(getSettings)).hasPage).toBe(status === 200)
    return status === 200
  }
  expect(await isOn()).toBe(false)
  await ana.does(submitPost, { input: { content: 'Waits', authorName: 'Ana Lima' } })
  expect(await isOn()).toBe(false)
  await publish(ana, 'A poem')
  expect(await isOn()).toBe(true)
  await ana.does(changeSettings, { input: { hasPage: false } })
  expect(await isOn()).toBe(false)
  await publish(ana, 'Another poem')
  expect(await isOn()).toBe(false)
  await ana.does(changeSettings, { input: { hasPage: true } })
  expect(await isOn()).toBe(true)
})

test('a person who has published nothing switches the page on, and a visitor finds it empty [PPL-02]', async () => {
  const { ana, visitor } = await startWriters()
  await ana.does(changeSettings, { input: { hasPage: true } })
  expect(await visitor().does(getPerson, pageOf(ana))).toMatchObject({
    introduction: '',
    postCount: 0,
    storyCount: 0,
  })
  expect(await textsOf(visitor(), ana)).toEqual([])
  expect(await visitor().does(listPersonStories, pageOf(ana))).toEqual([])
})

test('a page that is off, of a guest, of a deleted person and of nobody is the same 404, also for its owner [PPL-02]', async () => {
  const { ana, ben, boss, guest, person, visitor, publish } = await startWriters()
  await publish(ana, 'A poem')
  await ana.does(changeSettings, { input: { hasPage: false } })
  const passer = await guest()
  const { id } = await passer.does(submitPost, { input: { content: 'Passing by', authorName: 'Passer' } })
  await boss.does(approvePost, { params: { id } })
  const gone = await person()
  await publish(gone, 'A last poem', 'Person4 Test')
  await gone.does(deleteAccount)
  const expected = await callsOf(visitor(), nobody)
  expect(expected).toMatchObject(Array(3).fill([404, { code: 'PersonNotFound' }]))
  for (const whose of [ana, passer, gone, ben])
    for (const reader of [visitor(), ana, boss]) expect(await callsOf(reader, whose)).toEqual(expected)
})

test('two people of whom one has blocked the other find no page of each other, and others still do [PPL-02 PPL-05]', async () => {
  const { ana, ben, visitor, publish } = await startWriters()
  await publish(ana, 'A poem')
  await publish(ben, 'A note', 'Ben Okoro')
  const expected = await callsOf(visitor(), nobody)
  await ana.does(blockPerson, { input: { userId: ben.me.id } })
  expect(await callsOf(ben, ana)).toEqual(expected)
  expect(await callsOf(ana, ben)).toEqual(expected)
  for (const [reader, whose] of [
    [visitor(), ana],
    [ana, ana],
    [ben, ben],
  ] as const)
    expect(await statusesOf(reader, whose)).toEqual([200, 200, 200])
  await ana.does(unblockPerson, { params: { userId: ben.me.id } })
  expect(await statusesOf(ben, ana)).toEqual([200, 200, 200])
})

test('the name on a post leads to the page while there is one: in the feed, on the page of the post, at once [PPL-03]', async () => {
  const { ana, visitor, publish } = await startWriters()
  const id = await publish(ana, 'A poem')
  const reader = visitor()
  const leads = async () => [
    (await reader.does(getFeedDay, today)).map(({ authorHasPage }) => authorHasPage),
    (await reader.does(getFeedDay, { ...today, query: { limit: '5' } })).map((post) => post.authorHasPage),
    (await reader.does(getPost, { params: { id } })).authorHasPage,
  ]
  expect(await leads()).toEqual([[true], [true], true])
  for (const hasPage of [false, true]) {
    await ana.does(changeSettings, { input: { hasPage } })
    expect(await leads()).toEqual([[hasPage], [hasPage], hasPage])
  }
  await ana.does(deleteAccount)
  expect(await leads()).toEqual([[false], [false], false])
})

test('the name on a post of a visitor or a guest leads nowhere [PPL-03]', async () => {
  const { boss, guest, visitor } = await startWriters()
  for (const [n, who] of [visitor(), await guest()].entries()) {
    const { id } = await who.does(submitPost, { input: { content: `Line ${n}`, authorName: 'Somebody' } })
    await boss.does(approvePost, { params: { id } })
  }
  const found = await visitor().does(getFeedDay, today)
  expect(found.map(({ authorHasPage }) => authorHasPage)).toEqual([false, false])
  expect(await boss.does(listPendingPosts)).toEqual([])
})

test('the address of a page answers 404 exactly when a visitor finds no page there [PPL-02]', async () => {
  const { ana, request, publish } = await startWriters()
  const statusOf = async (id: string) => (await request({ method: 'GET', url: `/people/${id}` })).statusCode
  expect(await statusOf(ana.me.id)).toBe(404)
  await publish(ana, 'A poem')
  expect(await statusOf(ana.me.id)).toBe(200)
  for (const id of [nobody.me.id, 'nothing', '%00', ana.me.id.toUpperCase(), `${ana.me.id}0`])
    expect([id, await statusOf(id)]).toEqual([id, 404])
  await ana.does(changeSettings, { input: { hasPage: false } })
  expect(await statusOf(ana.me.id)).toBe(404)
})

test('an introduction has at most 500 characters; a longer one is refused and changes nothing [PPL-01 S31]', async () => {
  const { ana, db } = await startWriters()
  // Emoji are one character each, and two for JavaScript.
  const longest = '🪔'.repeat(introductionMaxLength)
  expect(await ana.does(changeSettings, { input: { introduction: longest } })).toMatchObject({
    introduction: longest,
  })
  const before = await contentOf(db)
  for (const introduction of [`${longest}!`, 'null \u0000 byte'])
    expect(await ana.tries(changeSettings, { input: { introduction } })).toMatchObject({
      status: 400,
      code: 'InvalidInput',
    })
  expect(await contentOf(db)).toEqual(before)
})

test('a later page of somebody with 20,000 posts is read from the index, without a sort [PPL-01 S30]', async () => {
  const { ana, ben, db } = await startWriters()
  await db.execute(sql`
    insert into posts (id, content, author_name, author_id, post_type, created_at, published_at, published_on, content_digest)
    select gen_random_uuid(), 'Line ' || n, 'Ana Lima', ${ana.me.id}, 'standard', at, at, at::date, n::text
    from generate_series(1, 20000) n, lateral (select timestamptz '2025-06-10 23:59Z' - n * interval '1 minute' as at) t`)
  await db.execute(sql`analyze posts, users`)
  const before = { createdAt: '2025-06-05T12:00:00.000Z', id: '00000000-0000-7000-8000-000000000001' }
  const query = listPosts(db, ben.me.id, ana.me.id, { limit: 11, before })
  const { rows } = await db.execute(sql`explain ${query.getSQL()}`)
  const plan = JSON.stringify(rows)
  expect(plan).toContain('posts_published_of_author')
  expect(plan).not.toContain('Sort')
})
