import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { approvePost, submitPost } from '#contract/feed/endpoints.ts'
import { takeBackPost } from '#contract/feed/own/endpoints.ts'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import {
  followPerson,
  listFollowedIds,
  listFollowedPosts,
  listFollows,
  unfollowPerson,
} from '#contract/follows/endpoints.ts'
import { followsMax } from '#contract/follows/follow.ts'
import { blockPerson, unblockPerson } from '#contract/friends/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { planOf } from '#server/testing/plan.ts'
import { type Answer, type Client, startTestApp } from '#server/testing/test-app.ts'
import { followedPostsQuery } from './queries.ts'

interface Whom {
  me: { id: string }
}
const nobody: Whom = { me: { id: '0000000000' } }
const paramsOf = (whom: Whom) => ({ params: { personId: whom.me.id } })
const follow = (who: Client, whom: Whom) => who.tries(followPerson, paramsOf(whom))
const unfollow = (who: Client, whom: Whom) => who.does(unfollowPerson, paramsOf(whom))
const followedBy = async (who: Client) => {
  const ids = (await who.does(listFollows)).map(({ id }) => id)
  expect((await who.does(listFollowedIds)).toSorted()).toEqual(ids.toSorted())
  return ids
}
const textsFor = async (who: Client) => (await who.does(listFollowedPosts)).map(({ content }) => content)

async function startWriters(config = {}) {
  const t = await startTestApp({ config: { limitsRates: false, ...config } })
  const [ana, ben, reader, boss] = [
    await t.person({ firstName: 'Ana', lastName: 'Lima' }),
    await t.person({ firstName: 'Ben', lastName: 'Okoro' }),
    await t.person(),
    await t.admin(),
  ]
  const nameOf = ({ me }: Client) => `${me.firstName} ${me.lastName}`
  /** Sends a post and has it approved, a second later than the post before. */
  const publish = async (who: Client, content: string, authorName = nameOf(who)) => {
    const { id } = await who.does(submitPost, { input: { content, authorName } })
    await boss.does(approvePost, { params: { id } })
    t.clock.advance(1000)
    return id
  }
  return { ...t, ana, ben, reader, boss, publish }
}

test('a person follows two writers on one device and finds them and their posts on another, until they are unfollowed [LOOP-17 LOOP-18]', async () => {
  const { ana, ben, reader, clock, publish, visitor } = await startWriters()
  await ana.does(changeSettings, { input: { introduction: 'I write at night.', base: '' } })
  const first = await publish(ana, 'A poem')
  await publish(ben, 'A note')
  expect(await follow(reader, ana)).toMatchObject({ status: 200, body: { ok: true } })
  clock.advance(1000)
  await follow(reader, ben)
  const otherDevice = visitor()
  for (const [name, value] of reader.cookies) otherDevice.cookies.set(name, value)
  const [, followed] = await otherDevice.does(listFollows)
  expect(followed).toEqual({
    id: ana.me.id,
    name: 'Ana Lima',
    introduction: 'I write at night.',
    followedAt: expect.any(String),
  })
  expect(await followedBy(otherDevice)).toEqual([ben.me.id, ana.me.id])
  const [, post] = await otherDevice.does(listFollowedPosts)
  expect(post).toEqual(await visitor().does(getPost, { params: { id: first } }))
  expect(await textsFor(otherDevice)).toEqual(['A note', 'A poem'])
  await unfollow(otherDevice, ben)
  expect(await textsFor(reader)).toEqual(['A poem'])
  expect(await followedBy(reader)).toEqual([ana.me.id])
})

test('following somebody twice, or unfollowing somebody who is not followed, changes nothing [LOOP-17 R7]', async () => {
  const { ana, ben, reader, clock, db, publish } = await startWriters()
  for (const who of [ana, ben]) await publish(who, 'A poem')
  await follow(reader, ana)
  const before = await contentOf(db)
  clock.advance(1000)
  expect(await follow(reader, ana)).toMatchObject({ status: 200 })
  for (const whom of [ben, nobody, reader]) expect(await unfollow(reader, whom)).toEqual({ ok: true })
  expect(await contentOf(db)).toEqual(before)
})

test('nobody follows the caller, a person without a page, a guest, a blocked person or nobody: each is the same 404 [LOOP-17 PPL-05]', async () => {
  const { ana, ben, reader, guest, boss, db, person, publish } = await startWriters()
  const [passer, blocker] = [await guest(), await person({ firstName: 'Cem', lastName: 'Kaya' })]
  for (const who of [ana, ben, reader, blocker])
    await publish(who, 'A poem', `${who.me.firstName} ${who.me.lastName}`)
  const { id } = await passer.does(submitPost, { input: { content: 'Passing', authorName: 'Passer' } })
  await boss.does(approvePost, { params: { id } })
  await ana.does(changeSettings, { input: { hasPage: false } })
  await reader.does(blockPerson, { input: { userId: ben.me.id } })
  await blocker.does(blockPerson, { input: { userId: reader.me.id } })
  const before = await contentOf(db)
  const answers = []
  for (const whom of [nobody, reader, ana, passer, ben, blocker]) {
    const { status, body } = await follow(reader, whom)
    answers.push([status, body])
  }
  expect(answers).toEqual(Array(6).fill([404, { code: 'PersonNotFound', error: 'This person has no page.' }]))
  expect(await contentOf(db)).toEqual(before)
})

test('posts of a followed person that carry another name, wait, are hidden or were taken back are never listed [LOOP-18 PPL-03]', async () => {
  const { ana, reader, boss, publish } = await startWriters()
  await publish(ana, 'Under the own name')
  await publish(ana, 'In small letters', 'ana lima')
  await publish(ana, 'By a pen name', 'Night Owl')
  const hidden = await publish(ana, 'Hidden')
  await boss.does(changePostVisibility, { params: { id: hidden }, input: { isVisible: false } })
  const takenBack = await publish(ana, 'Taken back')
  await ana.does(takeBackPost, { params: { id: takenBack } })
  await ana.does(submitPost, { input: { content: 'Waits', authorName: 'Ana Lima' } })
  await follow(reader, ana)
  expect(await textsFor(reader)).toEqual(['In small letters', 'Under the own name'])
})

test('a person whose page is switched off is followed again, with the same posts, once it is on [LOOP-17 LOOP-18 PPL-02]', async () => {
  const { ana, ben, reader, publish } = await startWriters()
  for (const who of [ana, ben]) {
    await publish(who, `Of ${who.me.firstName}`)
    await follow(reader, who)
  }
  const shown = async () => [(await followedBy(reader)).toSorted(), await textsFor(reader)]
  const all = await shown()
  // Whether passages in rooms carry the name says nothing about posts.
  await ana.does(changeSettings, { input: { hasPage: false, showName: false } })
  expect(await shown()).toEqual([[ben.me.id], ['Of Ben']])
  await ana.does(changeSettings, { input: { hasPage: true } })
  expect(await shown()).toEqual(all)
})

test('two people of whom one has blocked the other do not follow each other, until the block ends [LOOP-17 LOOP-18 PPL-05]', async () => {
  const { ana, ben, publish } = await startWriters()
  for (const who of [ana, ben]) await publish(who, `Of ${who.me.firstName}`)
  await follow(ana, ben)
  await follow(ben, ana)
  for (const [one, other] of [
    [ana, ben],
    [ben, ana],
  ] as const) {
    await one.does(blockPerson, { input: { userId: other.me.id } })
    for (const who of [ana, ben]) expect([await followedBy(who), await textsFor(who)]).toEqual([[], []])
    await one.does(unblockPerson, { params: { userId: other.me.id } })
    expect([await textsFor(ana), await textsFor(ben)]).toEqual([['Of Ben'], ['Of Ana']])
  }
})

test('a follow is in no answer to the followed person, to an admin or to another reader, and nobody changes it but its owner [LOOP-17 LOOP-34]', async () => {
  const { ana, ben, reader, boss, db, publish } = await startWriters()
  await publish(ana, 'A poem')
  const audited = (await contentOf(db)).audit_log
  await follow(reader, ana)
  expect((await contentOf(db)).audit_log).toEqual(audited)
  for (const who of [ana, ben, boss]) {
    expect([await followedBy(who), await textsFor(who)]).toEqual([[], []])
    await unfollow(who, ana)
    await unfollow(who, reader)
  }
  expect((await ana.does(listNotifications)).filter(({ type }) => type !== 'post.approved')).toEqual([])
  expect(await followedBy(reader)).toEqual([ana.me.id])
})

/** Adds people with a page and, where `isFollowed`, the follow of the reader. */
async function addPeople(
  { db, reader }: Pick<Awaited<ReturnType<typeof startWriters>>, 'db' | 'reader'>,
  count: number,
  isFollowed: boolean,
) {
  const { rows } = await db.execute<{ id: string }>(sql`
    insert into users (id, username, first_name, has_page, created_at)
    select 'zz' || lpad((n + (select count(*) from users))::text, 8, '0'),
      'writer' || n + (select count(*) from users), 'Writer', true, app_now()
    from generate_series(1, ${count}::int) n returning id`)
  if (isFollowed)
    await db.execute(sql`
      insert into follows select ${reader.me.id}, id, app_now() from unnest(${sql.param(rows.map(({ id }) => id))}::text[]) id`)
  return rows.map(({ id }) => ({ me: { id } }))
}

test('of 50 people whom a person follows at once only as many are followed as there is room for, and each refusal changes nothing [LOOP-17 R6 S31]', async () => {
  const t = await startWriters()
  const { reader, db } = t
  await addPeople(t, followsMax - 7, true)
  const others = await addPeople(t, 50, false)
  const answers = await Promise.all(others.map((other) => follow(reader, other)))
  const statuses = answers.map(({ status, code }) => [status, code])
  expect(statuses.filter(([status]) => status === 200)).toHaveLength(7)
  expect(statuses.filter(([status, code]) => status === 400 && code === 'FollowsFull')).toHaveLength(43)
  expect(await db.$count(sql`follows`)).toBe(followsMax)
  expect(await reader.does(listFollowedIds)).toHaveLength(followsMax)
  const before = await contentOf(db)
  const left = others.find((_, n) => answers[n]!.status === 400)!
  expect(await follow(reader, left)).toMatchObject({ code: 'FollowsFull' })
  const kept = others.find((_, n) => answers[n]!.status === 200)!
  expect(await follow(reader, kept)).toMatchObject({ status: 200 })
  expect(await contentOf(db)).toEqual(before)
  await unfollow(reader, kept)
  expect(await follow(reader, left)).toMatchObject({ status: 200 })
})

test('a person who follows one writer 50 times at once follows the writer once [LOOP-17 R6]', async () => {
  const { ana, reader, db, publish } = await startWriters()
  await publish(ana, 'A poem')
  const answers = await Promise.all(Array.from({ length: 50 }, () => follow(reader, ana)))
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
  expect(await db.$count(sql`follows`)).toBe(1)
})

test('a person who follows and unfollows more than 300 times in an hour waits, and nothing changes meanwhile [LOOP-17 S47]', async () => {
  const { ana, reader, db, clock, publish, ben } = await startWriters({ limitsRates: true })
  await publish(ana, 'A poem')
  for (let n = 0; n < 150; n++) {
    await follow(reader, ana)
    await unfollow(reader, ana)
  }
  const before = await contentOf(db)
  expect(await follow(reader, ana)).toMatchObject({ status: 429 })
  expect(await reader.tries(unfollowPerson, paramsOf(ana))).toMatchObject({ status: 429 })
  expect(await contentOf(db)).toEqual(before)
  expect(await follow(ben, ana)).toMatchObject({ status: 200 })
  clock.advance(3600_000)
  expect(await follow(reader, ana)).toMatchObject({ status: 200 })
})

/** Reads a list page by page. */
async function readPages(who: Client, path: string, limit: number) {
  const pages: string[][] = []
  let next = ''
  do {
    const url = `${path}?limit=${limit}${next && `&before=${next}`}`
    const answer = await who.request({ method: 'GET', url })
    pages.push(answer.json<{ id: string }[]>().map(({ id }) => id))
    next = String(answer.headers['next-before'] ?? '')
  } while (next !== '')
  return pages
}

test('a reader goes through posts and people page by page, newest first, each once, also when many have the same time or are left out [LOOP-17 LOOP-18]', async () => {
  const t = await startWriters()
  const { ana, ben, reader, db, publish } = t
  for (let n = 0; n < 3; n++) for (const who of [ana, ben]) await publish(who, `Post ${n}`)
  await publish(ana, 'By a pen name', 'Night Owl')
  // Four posts have one time, and so have all follows.
  await db.execute(sql`
    update posts set published_at = (select min(published_at) from posts) where content in ('Post 0', 'Post 1')`)
  for (const who of [ana, ben]) await follow(reader, who)
  const others = await addPeople(t, 5, true)
  // Two people in the middle of the list have no page.
  await db.execute(sql`update follows set created_at = (select min(created_at) from follows)`)
  await db.execute(
    sql`update users set has_page = false where id in (${others[2]!.me.id}, ${others[3]!.me.id})`,
  )

  const { rows } = await db.execute<{ id: string }>(sql`
    select id from posts where author_name <> 'Night Owl' order by published_at desc, id desc`)
  const posts = await readPages(reader, '/api/feed/following', 2)
  expect(posts.map(({ length }) => length)).toEqual([2, 2, 2])
  expect(posts.flat()).toEqual(rows.map(({ id }) => id))
  const people = await readPages(reader, '/api/follows', 2)
  expect(people.map(({ length }) => length)).toEqual([2, 2, 1])
  expect(people.flat()).toEqual(
    [ana.me.id, ben.me.id, ...[0, 1, 4].map((n) => others[n]!.me.id)].toSorted().toReversed(),
  )
  for (const call of [listFollows, listFollowedPosts])
    expect(await reader.tries(call, { query: { before: '2025-02-30T00:00:00.000Z_x' } })).toMatchObject({
      status: 400,
      code: 'InvalidInput',
    })
})

test('a page of very long posts ends early, and a reader who goes on misses none [LOOP-18 S30]', async () => {
  const { ana, reader, db } = await startWriters()
  await ana.does(changeSettings, { input: { hasPage: true } })
  await follow(reader, ana)
  // 50,000 characters of four bytes each.
  await db.execute(sql`
    insert into posts (id, content, author_name, author_id, post_type, created_at, published_at, published_on, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, repeat('🪔', 50000), 'Ana Lima', ${ana.me.id}, 'standard', at, at, at::date, n::text
    from generate_series(1, 30) n, lateral (select timestamptz '2025-06-10 00:00Z' - n * interval '1 minute' as at) t`)
  const pages = await readPages(reader, '/api/feed/following', 50)
  expect(pages.map(({ length }) => length)).toEqual([21, 9])
  expect(new Set(pages.flat()).size).toBe(30)
})

test('the deletion of either account removes the follow [LOOP-34 S15]', async () => {
  const { ana, ben, reader, db, publish } = await startWriters()
  for (const who of [ana, ben]) await publish(who, 'A poem')
  await follow(reader, ana)
  await follow(reader, ben)
  await follow(ben, ana)
  await ana.does(deleteAccount)
  expect(await followedBy(reader)).toEqual([ben.me.id])
  await reader.does(deleteAccount)
  expect(await db.$count(sql`follows`)).toBe(0)
})

test('two people who follow each other delete their accounts at the same time [LOOP-34 S15 R5 R6]', async () => {
  const { ana, ben, db, publish } = await startWriters()
  for (const who of [ana, ben]) await publish(who, 'A poem')
  await follow(ana, ben)
  await follow(ben, ana)
  const [low, high] = ana.me.id < ben.me.id ? [ana, ben] : [ben, ana]
  const answers: Promise<Answer>[] = []
  await db.transaction(async (tx) => {
    // Without one order the first deletion waits for this row, the second one for this row with the other row locked.
    await tx.execute(sql`select 1 from follows where follower_id = ${high.me.id} for update`)
    for (const who of [high, low]) {
      answers.push(who.tries(deleteAccount))
      await untilLockWaits(db, answers.length)
    }
  })
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200])
})

test('the posts of followed people are read from an index, in its order [LOOP-18]', async () => {
  const { db, person } = await startTestApp()
  const reader = await person()
  const before = { createdAt: '2030-01-01T00:00:00.000Z', id: '01900000-0000-7000-8000-000000000000' }
  for (const page of [
    { limit: 11, before: undefined },
    { limit: 11, before },
  ]) {
    const plan = await db.transaction(async (tx) => {
      // Postgres reads a small table, or one that was not vacuumed yet, as a whole.
      await tx.execute(sql`set local enable_seqscan = off`)
      await tx.execute(sql`set local enable_bitmapscan = off`)
      await tx.execute(sql`set local enable_sort = off`)
      return planOf(tx, followedPostsQuery(reader.me.id, page))
    })
    expect(
      plan.match(/Limit .*\n(.*InitPlan.*\n.*\n)? *->  Index Only Scan using posts_published_of_author/g),
    ).toHaveLength(2)
  }
})
