import { expect, test } from 'vitest'
import {
  approvePost,
  createPost,
  getFeedDay,
  listPendingPosts,
  submitPost,
} from '#contract/feed/endpoints.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { Client, startTestApp } from '#server/testing/test-app.ts'
import { posts } from './schema.ts'

const poem = 'Two windows, one lamp.\n\n\tThe moth reads\r\n  what I crossed out. '
const storedPoem = 'Two windows, one lamp.\n\n\tThe moth reads\n  what I crossed out. '
const today = { params: { offset: '0' } }

const stored = (db: Db) => db.select().from(posts).orderBy(posts.id)

/** A browser at some address of the internet, where the limits by address hold. */
const browserAt = ({ app }: Awaited<ReturnType<typeof startTestApp>>, remoteAddress: string) =>
  new Client((options) => app.inject({ ...options, remoteAddress }))

test('a visitor submits a post, which waits for review without an author id and shows nowhere [POST-03 POST-07 POST-14 POST-20 POST-23 POST-24 API-11 API-47 PERM-03 S45]', async () => {
  const { visitor, admin, db } = await startTestApp()
  const browser = visitor()
  const answer = await browser.tries(submitPost, { input: { content: poem, authorName: ' Ana R. ' } })
  expect(answer).toMatchObject({ status: 201, body: { status: 'pending' } })
  expect(answer.body).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    status: 'pending',
    createdAt: expect.stringMatching(/^2025-06-10T12:00:\d\d\.\d{3}Z$/),
  })
  expect(await stored(db)).toMatchObject([
    { content: storedPoem, authorName: ' Ana R. ', authorId: null, postType: 'standard', publishedAt: null },
  ])
  expect(await browser.does(getFeedDay, today)).toEqual([])
  const boss = await admin()
  expect(await boss.does(listPendingPosts)).toMatchObject([{ content: storedPoem, status: 'pending' }])
})

test('a standard post of a person waits for review under their id [POST-07 POST-14 POST-24 S3]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  for (const type of [undefined, 'standard']) {
    const input = { content: `A line ${type}`, authorName: 'Ana', ...(type && { type }) }
    expect(await ana.does(submitPost, { input })).toMatchObject({ status: 'pending' })
  }
  const rows = await stored(db)
  expect(rows.map(({ authorId }) => authorId)).toEqual([ana.me.id, ana.me.id])
  expect(rows.map(({ postType, publishedAt }) => [postType, publishedAt])).toEqual([
    ['standard', null],
    ['standard', null],
  ])
})

test('a premium post of a person is in the feed at once [POST-08 POST-15 POST-22 S45]', async () => {
  const { person, visitor } = await startTestApp()
  const ana = await person()
  const reader = visitor()
  expect(await reader.does(getFeedDay, today)).toEqual([])
  const { id, status } = await ana.does(submitPost, {
    input: { content: poem, authorName: 'Ana', type: 'premium' },
  })
  expect(status).toBe('published')
  expect(await reader.does(getFeedDay, today)).toMatchObject([
    { id, content: storedPoem, authorName: 'Ana', authorId: ana.me.id, postType: 'premium' },
  ])
})

test('premium from a visitor or a guest is taken and waits for review [POST-15 POST-22 S16 S45]', async () => {
  const { visitor, guest, db } = await startTestApp()
  const somebody = await guest()
  for (const [browser, content] of [
    [visitor(), 'of a visitor'],
    [somebody, 'of a guest'],
  ] as const) {
    const input = { content, authorName: 'Nightingale', type: 'premium' }
    expect(await browser.does(submitPost, { input })).toMatchObject({ status: 'pending' })
  }
  expect((await stored(db)).map(({ authorId, publishedAt }) => [authorId, publishedAt])).toEqual([
    [null, null],
    [somebody.me.id, null],
  ])
  expect(await visitor().does(getFeedDay, today)).toEqual([])
})

test.each([
  ['everyone', ['published', 'published', 'published']],
  ['registered', ['pending', 'pending', 'published']],
  ['nobody', ['pending', 'pending', 'pending']],
] as const)('who may publish at once is one setting: %s [POST-22 S45]', async (premiumPublish, expected) => {
  const { visitor, guest, person } = await startTestApp({ config: { premiumPublish } })
  const found: string[] = []
  for (const browser of [visitor(), await guest(), await person()]) {
    const input = { content: `Premium ${found.length}`, authorName: 'Nightingale', type: 'premium' }
    found.push((await browser.does(submitPost, { input })).status)
  }
  expect(found).toEqual(expected)
  expect(await visitor().does(getFeedDay, today)).toHaveLength(
    expected.filter((s) => s === 'published').length,
  )
})

test('an id, a type of the server or counts in a submission are ignored or refused [POST-02 POST-24 POST-25 S3]', async () => {
  const { visitor, person, db } = await startTestApp()
  const ben = await person()
  const input = {
    content: 'Mine',
    authorName: 'Somebody',
    authorId: ben.me.id,
    likeCount: 99,
    isVisible: false,
    publishedAt: '2025-06-10T12:00:00.000Z',
    sortOrder: 7,
  }
  await visitor().does(submitPost, { input })
  expect(await stored(db)).toMatchObject([
    { authorId: null, likeCount: 0, shareCount: 0, commentCount: 0, isVisible: true, sortOrder: 0 },
  ])
  for (const type of ['admin', 'generated', 'gold', '', null, 1]) {
    const answer = await visitor().tries(submitPost, { input: { content: 'x', authorName: 'y', type } })
    expect(answer).toMatchObject({ status: 400, code: 'InvalidInput' })
  }
  expect(await stored(db)).toHaveLength(1)
})

test.each([
  ['without a text', { content: undefined }],
  ['of spaces', { content: ' \n\t ' }],
  ['of characters that nobody sees', { content: '\u200b\u2060\u3000' }],
  ['with a number for a text', { content: 5 }],
  ['with half a character', { content: 'a\ud800b' }],
  ['with U+0000', { content: 'a\0b' }],
  ['of 50,001 characters', { content: 'a'.repeat(50_001) }],
  ['without an author', { authorName: undefined }],
  ['with a blank author', { authorName: ' \u200d ' }],
  ['with an author of 81 characters', { authorName: 'a'.repeat(81) }],
])(
  'a post %s is refused with a sentence for the field, and nothing is stored [API-47 S28 S31]',
  async (_what, change) => {
    const { visitor, db } = await startTestApp()
    const answer = await visitor().tries(submitPost, {
      input: { content: 'Text', authorName: 'Ana', ...change },
    })
    expect(answer).toMatchObject({ status: 400, code: 'InvalidInput', error: expect.stringMatching(/\w/) })
    expect(answer.fields).toEqual({ [Object.keys(change)[0]!]: expect.any(String) })
    expect(await stored(db)).toEqual([])
  },
)

test('the longest post and name are kept to the last byte, and a body over 512 KiB is not read [S28 S31]', async () => {
  const { visitor, person, db } = await startTestApp()
  const authorName = '𝔄'.repeat(80)
  // Both have 50,000 characters as people count them; the second is stored decomposed, as typed.
  const contents = ['𝔄\n'.repeat(25_000), 'e\u0301'.repeat(50_000)]
  for (const content of contents) await visitor().does(submitPost, { input: { content, authorName } })
  const rows = await stored(db)
  expect(rows.map((row) => row.content).toSorted()).toEqual(contents.toSorted())
  expect(rows.map((row) => row.authorName)).toEqual([authorName, authorName])
  const ana = await person()
  const answer = await ana.tries(submitPost, { input: { content: 'x'.repeat(530_000), authorName: 'Ana' } })
  expect(answer).toMatchObject({ status: 413, code: 'PayloadTooLarge' })
  expect(await stored(db)).toHaveLength(2)
})

test('markup is text like any other: stored and answered as typed [S36]', async () => {
  const { person, visitor } = await startTestApp()
  const content = '<script>alert(1)</script> & "quotes" \u2028 {{x}} ${y}'
  const authorName = '<b>Ana</b>'
  const ana = await person()
  await ana.does(submitPost, { input: { content, authorName, type: 'premium' } })
  const answer = await visitor().tries(getFeedDay, today)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.body).toMatchObject([{ content, authorName }])
})

test.each([
  'Z!mmer',
  'Zimmer',
  'zimmer team',
  'ADMIN',
  ' The  Admin ',
  'Ａｄｍｉｎ',
  'ad\u200bmin',
  'Mira Boss',
  'MIRA\u00a0BOSS',
  'mi\u2060ra boss',
])('nobody without an account can sign as %j, and people can [S45]', async (authorName) => {
  const { visitor, guest, person, admin, db } = await startTestApp()
  await admin({ firstName: 'Mira', lastName: 'Boss' })
  for (const browser of [visitor(), await guest()]) {
    const answer = await browser.tries(submitPost, { input: { content: 'Hello', authorName } })
    expect(answer).toMatchObject({ status: 400, code: 'AuthorNameReserved' })
  }
  expect(await stored(db)).toEqual([])
  const ana = await person()
  await ana.does(submitPost, { input: { content: 'Hello', authorName } })
  expect(await stored(db)).toMatchObject([{ authorId: ana.me.id }])
})

test('a name that only begins like a reserved one is free [S45]', async () => {
  const { visitor, db } = await startTestApp()
  for (const authorName of ['Zimmermann', 'Adminah Okafor', '☀'])
    await visitor().does(submitPost, { input: { content: `by ${authorName}`, authorName } })
  expect(await stored(db)).toHaveLength(3)
})

test('the same text is refused for a day, from the same address only [S47]', async () => {
  const t = await startTestApp()
  const here = browserAt(t, '203.0.113.5')
  const input = { content: 'Once only', authorName: 'Ana' }
  await here.does(submitPost, { input })
  const again = await here.tries(submitPost, { input: { ...input, authorName: 'Ben' } })
  expect(again).toMatchObject({ status: 400, code: 'SubmittedAlready' })
  expect(await stored(t.db)).toHaveLength(1)
  await browserAt(t, '203.0.113.6').does(submitPost, { input })
  t.clock.advance(24 * 3_600_000 + 1000)
  await here.does(submitPost, { input })
  expect(await stored(t.db)).toHaveLength(3)
})

test('a visitor submits 5 posts in 10 minutes and 20 a day; one /64 is one address [S47]', async () => {
  const t = await startTestApp()
  let sent = 0
  const submit = (address: string) =>
    browserAt(t, address).tries(submitPost, { input: { content: `Line ${++sent}`, authorName: 'Ana' } })
  for (let batch = 0; batch < 4; batch++) {
    for (let i = 0; i < 5; i++) expect((await submit(`2001:db8::${i + 1}`)).status).toBe(201)
    const refused = await submit('2001:db8::99')
    expect(refused).toMatchObject({ status: 429, code: 'TooManyRequests' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500)
    t.clock.advance(601_000)
  }
  expect((await submit('2001:db8::1')).status).toBe(429)
  expect(await stored(t.db)).toHaveLength(20)
  expect((await submit('2001:db8:0:1::1')).status).toBe(201)
})

test('20 posts of one address may wait at a time; approving makes room [S47]', async () => {
  const t = await startTestApp()
  const browser = browserAt(t, '203.0.113.5')
  let sent = 0
  const submit = () => browser.tries(submitPost, { input: { content: `Line ${++sent}`, authorName: 'Ana' } })
  for (let i = 0; i < 20; i++) {
    if (i % 5 === 0) t.clock.advance(601_000)
    expect((await submit()).status).toBe(201)
  }
  t.clock.advance(25 * 3_600_000)
  expect(await submit()).toMatchObject({ status: 429, code: 'PendingListFull' })
  const rows = await stored(t.db)
  expect(rows).toHaveLength(20)
  const boss = await t.admin()
  await boss.does(approvePost, { params: { id: rows[0]!.id } })
  expect((await submit()).status).toBe(201)
})

test('5000 posts may wait in all: then visitors wait, and people do not [S47]', async () => {
  const t = await startTestApp()
  await t.db.execute(`
    insert into posts (id, content, author_name, post_type, created_at, content_digest)
    select gen_random_uuid(), 'Line ' || n, 'Ana', 'standard', app_now(), n::text from generate_series(1, 5000) n`)
  const input = { content: 'One more', authorName: 'Ana' }
  const answer = await browserAt(t, '203.0.113.5').tries(submitPost, { input })
  expect(answer).toMatchObject({ status: 429, code: 'PendingListFull' })
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect(await stored(t.db)).toHaveLength(5000)
  const ana = await t.person()
  await ana.does(submitPost, { input })
  expect(await stored(t.db)).toHaveLength(5001)
})

test('a person submits 60 posts an hour, 10 of a day premium, on this machine too [S47]', async () => {
  const { person, clock, db } = await startTestApp()
  const ana = await person()
  const submit = (content: string, type: 'standard' | 'premium') =>
    ana.tries(submitPost, { input: { content, authorName: 'Ana', type } })
  for (let i = 0; i < 10; i++) expect((await submit(`Premium ${i}`, 'premium')).status).toBe(201)
  expect((await submit('Premium 11', 'premium')).status).toBe(429)
  for (let i = 0; i < 49; i++) expect((await submit(`Line ${i}`, 'standard')).status).toBe(201)
  expect(await submit('Line 50', 'standard')).toMatchObject({ status: 429, code: 'TooManyRequests' })
  expect(await stored(db)).toHaveLength(59)
  clock.advance(3_601_000)
  expect((await submit('Line 50', 'standard')).status).toBe(201)
  expect((await submit('Premium 11', 'premium')).status).toBe(429)
  clock.advance(24 * 3_600_000)
  expect((await submit('Premium 11', 'premium')).status).toBe(201)
})

test('with the limits off any number of equal posts is taken [S47]', async () => {
  const t = await startTestApp({ config: { limitsRates: false } })
  const browser = browserAt(t, '203.0.113.5')
  const input = { content: 'Once more', authorName: 'Ana' }
  for (let i = 0; i < 25; i++) await browser.does(submitPost, { input })
  expect(await stored(t.db)).toHaveLength(25)
})

test('50 equal submissions with one key at once make one post and get one answer [R6 R7]', async () => {
  const { person, visitor, db } = await startTestApp()
  const ana = await person()
  for (const [browser, authorName] of [
    [ana, 'Ana'],
    [visitor(), 'Nightingale'],
  ] as const) {
    const input = { content: `Of ${authorName}`, authorName }
    const headers = { 'idempotency-key': 'one-action' }
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => browser.tries(submitPost, { input, headers })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    const other = await browser.tries(submitPost, { input: { ...input, content: 'Another' }, headers })
    expect(other).toMatchObject({ status: 400, code: 'IdempotencyKeyReused' })
  }
  expect(await stored(db)).toHaveLength(2)
})

test('50 equal submissions without a key at once make one post and plain refusals [R6]', async () => {
  const { visitor, db } = await startTestApp()
  const input = { content: 'Once only', authorName: 'Ana' }
  const answers = await Promise.all(Array.from({ length: 50 }, () => visitor().tries(submitPost, { input })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'SubmittedAlready')).toHaveLength(49)
  expect(await stored(db)).toHaveLength(1)
})

test('an admin publishes a post of their own through its form as the acting admin [S3]', async () => {
  const { admin, person, db } = await startTestApp()
  const [boss, ben] = [await admin(), await person()]
  const input = { content: 'News', authorName: 'The house', authorId: ben.me.id }
  expect(await boss.does(createPost, { input })).toMatchObject({ authorId: boss.me.id, postType: 'admin' })
  expect(await stored(db)).toMatchObject([{ authorId: boss.me.id }])
})
