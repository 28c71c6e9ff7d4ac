import { expect, test } from 'vitest'
import { approvePost, submitPost } from '#contract/feed/endpoints.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { Client, startTestApp } from '#server/testing/test-app.ts'
import { posts } from './schema.ts'

const stored = (db: Db) => db.select().from(posts).orderBy(posts.id)

/** A browser with a public address, for which the limits by address hold. */
const browserAt = ({ app }: Awaited<ReturnType<typeof startTestApp>>, remoteAddress: string) =>
  new Client((options) => app.inject({ ...options, remoteAddress }))

test('a visitor cannot submit the same text twice within a day, and a visitor at another address can [S47]', async () => {
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

test('a visitor has at most 20 waiting posts, and can submit again after an approval [S47]', async () => {
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

test('with 5000 waiting posts a visitor is refused, and a registered person is not [S47]', async () => {
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

test('a person submits 60 posts an hour and 10 premium posts a day, also on the machine of the server [S47]', async () => {
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

test('a visitor submits the same text any number of times when the limits are off [S47]', async () => {
  const t = await startTestApp({ config: { limitsRates: false } })
  const browser = browserAt(t, '203.0.113.5')
  const input = { content: 'Once more', authorName: 'Ana' }
  for (let i = 0; i < 25; i++) await browser.does(submitPost, { input })
  expect(await stored(t.db)).toHaveLength(25)
})

test('50 equal submissions with one key at the same time make one post and get one answer [R6 R7]', async () => {
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

test('50 equal submissions without a key at the same time make one post and 49 refusals [R6]', async () => {
  const { visitor, db } = await startTestApp()
  const input = { content: 'Once only', authorName: 'Ana' }
  const answers = await Promise.all(Array.from({ length: 50 }, () => visitor().tries(submitPost, { input })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'SubmittedAlready')).toHaveLength(49)
  expect(await stored(db)).toHaveLength(1)
})
