import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { submitPost } from '#contract/feed/endpoints.ts'
import { getPostNeighbours, listMoreByAuthor } from '#contract/feed/links/endpoints.ts'
import { getPost, getLastFeedDay } from '#contract/feed/reading/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { planOf } from '#server/testing/plan.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { furtherByAuthor, lastDayBefore, neighboursOf } from './neighbours.ts'
import { posts } from './schema.ts'

const missing = '00000000-0000-7000-8000-000000000001'

async function startWriters() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const [ana, boss] = [await t.person({ firstName: 'Ana', lastName: 'Lima' }), await t.admin()]
  /** Publishes a post at the moment of the clock. */
  const publish = async (content: string, authorName = 'Ana Lima') => {
    const { id } = await ana.does(submitPost, { input: { content, authorName, type: 'premium' } })
    t.clock.advance(1000)
    return id
  }
  // The session of an admin ends after half a day.
  const hide = async (id: string) =>
    (await t.admin()).does(changePostVisibility, { params: { id }, input: { isVisible: false } })
  return { ...t, ana, boss, publish, hide, reader: t.visitor() }
}

const at = (id: string) => ({ params: { id } })
const aroundOf = async (reader: Client, id: string) => {
  const { previous, next } = await reader.does(getPostNeighbours, at(id))
  return [previous?.title, next?.title]
}
const moreOf = async (reader: Client, id: string) =>
  (await reader.does(listMoreByAuthor, at(id))).map(({ title }) => title)

test('a reader goes through a day from post to post, in the order of the feed, and not beyond the day [LOOP-20]', async () => {
  const { clock, db, publish, reader } = await startWriters()
  await publish('of the 10th')
  clock.set('2025-06-11T09:00:00Z')
  const [first, second, third] = [
    await publish('The lamp\n\nIt burns.'),
    await publish('A line\nand another'),
    await publish('x'.repeat(100)),
  ]
  clock.set('2025-06-12T09:00:00Z')
  await publish('of the 12th')
  expect(await reader.does(getPostNeighbours, at(second))).toEqual({
    previous: { id: third, title: `${'x'.repeat(60)}…`, authorName: 'Ana Lima' },
    next: { id: first, title: 'The lamp', authorName: 'Ana Lima' },
  })
  expect(await aroundOf(reader, third)).toEqual([undefined, 'A line'])
  expect(await aroundOf(reader, first)).toEqual(['A line', undefined])
  // An admin has moved the oldest post to the top, and two posts have one time.
  await db.update(posts).set({ sortOrder: 1 }).where(eq(posts.id, first))
  await db.execute(sql`update posts set published_at = (select published_at from posts where id = ${third})
    where id = ${second}`)
  const walked = [first]
  for (let next; (next = (await reader.does(getPostNeighbours, at(walked.at(-1)!))).next);)
    walked.push(next.id)
  expect(walked).toEqual([first, third, second])
})

test('a post that waits, is hidden or is missing has no neighbours and no list, and is in none [LOOP-20 S6]', async () => {
  const { ana, publish, hide, reader, boss } = await startWriters()
  const [older, hidden, newer] = [await publish('older'), await publish('hidden'), await publish('newer')]
  const { id: waiting } = await ana.does(submitPost, {
    input: { content: 'waits', authorName: 'Ana Lima' },
  })
  expect(await aroundOf(reader, newer)).toEqual([undefined, 'hidden'])
  await hide(hidden)
  expect([await aroundOf(reader, newer), await aroundOf(reader, older)]).toEqual([
    [undefined, 'older'],
    ['newer', undefined],
  ])
  expect(JSON.stringify([await moreOf(reader, newer), await moreOf(reader, older)])).toBe('[[],[]]')
  for (const call of [getPostNeighbours, listMoreByAuthor])
    for (const id of [hidden, waiting, missing, 'x'])
      expect(await boss.tries(call, at(id))).toMatchObject({ status: 404, code: 'PostNotFound' })
})

test('a reader finds three further texts of an author, the newest first, and never a neighbour [LOOP-20]', async () => {
  const { clock, publish, reader } = await startWriters()
  for (const content of ['one', 'two', 'three', 'four', 'five']) await publish(content)
  clock.set('2025-06-11T09:00:00Z')
  await publish('of another person', 'Night Owl')
  await publish('before')
  const id = await publish('shown')
  await publish('after')
  expect(await moreOf(reader, id)).toEqual(['five', 'four', 'three'])
})

test('a list of further texts never leads from a pen name to its author, nor back [LOOP-20 PPL-03 S41]', async () => {
  const { clock, publish, reader } = await startWriters()
  await publish('under the own name')
  const secret = await publish('under a pen name', 'Night Owl')
  clock.set('2025-06-11T09:00:00Z')
  const open = await publish('under the own name again')
  expect(await reader.does(getPost, at(secret))).toMatchObject({ authorId: null })
  expect(await reader.does(listMoreByAuthor, at(secret))).toEqual([])
  expect(await moreOf(reader, open)).toEqual(['under the own name'])
})

test('a reader of an empty day is led to the last day with posts, over hidden and waiting ones [LOOP-22]', async () => {
  const { clock, ana, publish, hide, reader } = await startWriters()
  const before = async (day: string) => (await reader.does(getLastFeedDay, { params: { day } })).day
  expect(await before('2025-06-10')).toBeNull()
  await publish('of the 10th')
  clock.set('2025-06-12T09:00:00Z')
  const hidden = await publish('of the 12th')
  clock.set('2025-06-14T09:00:00Z')
  await ana.does(submitPost, { input: { content: 'waits', authorName: 'Ana Lima' } })
  expect([await before('2025-06-15'), await before('2025-06-12')]).toEqual(['2025-06-12', '2025-06-10'])
  await hide(hidden)
  expect([await before('2025-06-15'), await before('2025-06-10')]).toEqual(['2025-06-10', null])
  for (const day of ['2025-02-30', 'today', '10'])
    expect(await reader.tries(getLastFeedDay, { params: { day } })).toMatchObject({
      status: 400,
      code: 'InvalidInput',
    })
})

test('a reader who asks for these lists too often waits [LOOP-20 S47]', async () => {
  const { request } = await startTestApp()
  for (const path of [
    `/api/posts/${missing}/neighbours`,
    `/api/posts/${missing}/more-by-author`,
    '/api/feed/last-day-before/2025-06-10',
  ]) {
    const ask = () => request({ url: path, remoteAddress: '203.0.113.7' })
    for (let n = 0; n < 100; n++) expect((await ask()).statusCode).not.toBe(429)
    expect([path, (await ask()).statusCode]).toEqual([path, 429])
  }
})

test('neighbours, the last day with posts and further texts are each read from an index, without a sort [LOOP-20 LOOP-22]', async () => {
  const { db, ana } = await startWriters()
  await db.execute(sql`
    insert into posts (id, content, author_name, author_id, post_type, created_at, published_at, published_on, content_digest)
    select gen_random_uuid(), 'Line ' || n, 'Ana Lima', ${ana.me.id}, 'admin', at, at, at::date, n::text
    from generate_series(1, 20000) n, lateral (select timestamptz '2025-06-10 23:59Z' - n * interval '1 minute' as at) t`)
  await db.execute(sql`analyze posts`)
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from posts where published_on = '2025-06-05' limit 1`,
  )
  const { id } = rows[0]!
  const plans = {
    neighbours: [neighboursOf(id), 'posts_of_feed_day'],
    'last day': [lastDayBefore(db, '2025-06-05'), 'posts_of_feed_day'],
    more: [furtherByAuthor(db, id, [id]), 'posts_published_of_author'],
  } as const
  for (const [name, [query, index]] of Object.entries(plans)) {
    const plan = await planOf(db, query)
    expect([name, plan]).toEqual([name, expect.stringContaining(index)])
    expect([name, plan]).toEqual([name, expect.not.stringContaining('Sort')])
  }
})
