import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { deleteAccount, login } from '#contract/account/endpoints.ts'
import { uploadCover } from '#contract/covers/endpoints.ts'
import { approvePost, createPost, submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay, getPost } from '#contract/feed/reading/endpoints.ts'
import { changePost, getOwnPost, takeBackPost } from '#contract/feed/own/endpoints.ts'
import { listOwnPosts } from '#contract/feed/review/endpoints.ts'
import {
  changePublishTime,
  listScheduledPosts,
  publishScheduledPost,
  unschedulePost,
} from '#contract/feed/scheduled/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { purgeCovers } from '#server/features/covers/routes.ts'
import { createLog } from '#server/log.ts'
import { testClock } from '#server/platform/clock.ts'
import { contentOf } from '#server/testing/content.ts'
import { startTwoApps } from '#server/testing/messengers.ts'
import { planOf } from '#server/testing/plan.ts'
import { startReview } from '#server/testing/reviewing.ts'
import { inMinutes, placeOf, publishDue, schedule } from '#server/testing/scheduling.ts'
import { type Answer, startTestApp } from '#server/testing/test-app.ts'
import { aPng, formOf } from '#server/testing/uploads.ts'
import { defaultInstance } from '#server/features/instance/index.ts'
import { duePosts, publishDuePosts } from './due-posts.ts'
import { posts } from './schema.ts'
import { openUploads } from '#server/platform/uploads/open-uploads.ts'

const never = new AbortController().signal
const patience = { timeout: 10_000, interval: 50 }
const today = { params: { offset: '0' } }
const callsAtOnce = 50

test.for(['NOTIFY', 'Redis'] as const)(
  'over %s readers at both processes see a scheduled post once, within 5 s of its time [LOOP-11]',
  async (messenger, context) => {
    const t = await startTwoApps(messenger, context)
    const ana = await t.person()
    const readers = [t.visitor(), t.atOther(t.visitor())]
    const shown = () =>
      Promise.all(
        readers.map(async (reader) => (await reader.does(getFeedDay, today)).map(({ content }) => content)),
      )
    const publishAt = inMinutes(t, 5)
    for (const content of ['one', 'other']) await schedule(ana, content, publishAt)
    expect(await shown()).toEqual([[], []])
    t.clock.set(publishAt)
    const both = expect.arrayContaining(['one', 'other'])
    await vi.waitFor(async () => expect(await shown()).toEqual([both, both]), { ...patience, timeout: 5000 })
    for (const day of await shown()) expect(day).toHaveLength(2)
    expect(await ana.does(listScheduledPosts)).toEqual([])
  },
)

test('processes that look at the same time publish each post once, and each event follows once [LOOP-11]', async () => {
  const t = await startReview()
  const publishAt = inMinutes(t, 5)
  const ids = await Promise.all(Array.from({ length: 45 }, (_, n) => schedule(t.ana, `text ${n}`, publishAt)))
  // The app of this test must not take some of them.
  await t.app.close()
  t.clock.advance(6 * 60_000)
  const events = new DomainEvents()
  const [published, days]: [string[], Set<string>] = [[], new Set()]
  events.on('postsPublished', (some) => published.push(...some))
  events.on('feedDayChanged', (day) => days.add(day))
  await Promise.all(Array.from({ length: 5 }, () => publishDue(t, events)))
  expect(published.toSorted()).toEqual(ids.toSorted())
  expect([...days]).toEqual(['2025-06-10'])
  expect(await t.db.$count(posts)).toBe(45)
})

test('after a stop a start publishes the posts whose time went by, under the days of their times [LOOP-11]', async () => {
  const t = await startReview()
  const [first, second] = ['2025-06-10T14:00:00.000Z', '2025-06-11T14:00:00.000Z']
  const id = await schedule(t.ana, 'of the first day', first)
  await schedule(t.ana, 'of the second day', second)
  await t.app.close()
  t.clock.set('2025-06-12T12:00:00Z')
  const started = await startTestApp({ place: placeOf(t), clock: t.clock })
  const reader = started.visitor()
  const day = async (offset: string) =>
    (await reader.does(getFeedDay, { params: { offset } })).map(({ content }) => content)
  await vi.waitFor(async () => expect(await day('1')).toEqual(['of the second day']), {
    ...patience,
    timeout: 5000,
  })
  expect([await day('2'), await day('0')]).toEqual([['of the first day'], []])
  expect(await reader.does(getPost, { params: { id } })).toMatchObject({
    publishedAt: first,
    createdAt: first,
  })
})

test.each([
  ['2025-06-10T21:59:59.999Z', '2025-06-10'],
  ['2025-06-10T22:00:00.000Z', '2025-06-11'],
  ['2025-10-25T22:00:00.000Z', '2025-10-26'],
  ['2025-10-26T22:59:59.999Z', '2025-10-26'],
  ['2025-10-26T23:00:00.000Z', '2025-10-27'],
  ['2026-03-28T23:00:00.000Z', '2026-03-29'],
  ['2026-03-29T21:59:59.999Z', '2026-03-29'],
  ['2026-03-29T22:00:00.000Z', '2026-03-30'],
])('a post scheduled for %s appears under %s in Berlin [LOOP-11]', async (publishAt, day) => {
  const t = await startReview()
  await schedule(t.ana, 'A letter', publishAt)
  t.clock.set(new Date(Date.parse(publishAt) + 2 * 86_400_000))
  await publishDue(t)
  const { rows } = await t.db.execute(
    sql`select published_at as "publishedAt", published_on::text as day from posts`,
  )
  expect(rows).toEqual([{ publishedAt: publishAt, day }])
})

test('when premium posts are reviewed by then, or an admin is none any more, their posts wait for review [LOOP-11]', async () => {
  const t = await startReview()
  const { ana, boss, chief } = t
  await schedule(ana, 'of Ana', inMinutes(t, 60))
  const input = { authorName: 'Bela', publishAt: inMinutes(t, 60) }
  await boss.does(createPost, { input: { ...input, content: 'of one who left' } })
  await chief.does(createPost, { input: { ...input, content: 'of an admin' } })
  await t.db.execute(sql`update users set is_admin = false where id = ${boss.me.id}`)
  await t.app.close()
  const config = { premiumPublish: 'nobody' } as const
  t.clock.advance(2 * 60 * 60_000)
  const started = await startTestApp({ place: placeOf(t), clock: t.clock, config })
  await vi.waitFor(async () => expect(await duePosts(t.db)).toEqual([]), patience)
  const { rows } = await t.db.execute(sql`
    select content, published_at is null as waits, is_visible as visible,
      created_at > app_now() - interval '1 minute' as new from posts order by content`)
  expect(rows).toEqual([
    { content: 'of Ana', waits: true, visible: true, new: true },
    { content: 'of an admin', waits: false, visible: true, new: false },
    { content: 'of one who left', waits: true, visible: true, new: true },
  ])
  const shown = await started.visitor().does(getFeedDay, today)
  expect(shown.map(({ content }) => content)).toEqual(['of an admin'])
})

test('an author is notified when a scheduled post waits for review at its time, and not when it appears [LOOP-11]', async () => {
  const t = await startReview()
  await schedule(t.ana, 'On the shore', inMinutes(t, 30))
  const held = await schedule(t.ana, 'In the café', inMinutes(t, 60))
  t.clock.advance(31 * 60_000)
  await vi.waitFor(async () => expect(await t.readFeed()).toEqual(['On the shore']), patience)
  Object.assign(t.config, { premiumPublish: 'nobody' })
  t.clock.advance(30 * 60_000)
  await vi.waitFor(async () => expect(await t.queue()).toEqual([held]), patience)
  const data = { id: held, beginning: 'In the café', count: 1, status: 'pending', hasReason: false }
  expect(await t.ana.does(listNotifications)).toMatchObject([{ type: 'post.shown', data }])
})

test('an author who may no longer publish and publishes a scheduled post now sends it to the review [LOOP-11]', async () => {
  const t = await startReview()
  const id = await schedule(t.ana, 'A letter', inMinutes(t, 60))
  Object.assign(t.config, { premiumPublish: 'nobody' })
  expect(await t.ana.does(publishScheduledPost, { params: { id } })).toMatchObject({ id, status: 'pending' })
  expect(await t.readFeed()).toEqual([])
  expect(await t.queue()).toEqual([id])
  expect(await t.ana.does(listOwnPosts)).toMatchObject([{ id, status: 'pending' }])
})

test('a post that cannot be published holds up no other, is logged, and is tried again in a minute [LOOP-11]', async () => {
  const lines: string[] = []
  const logger = createLog('error', { write: (line: string) => void lines.push(line) })
  const t = await startTestApp({ config: { limitsRates: false }, logger })
  const ana = await t.person()
  const [broken, whole] = [
    await schedule(ana, 'broken', inMinutes(t, 5)),
    await schedule(ana, 'whole', inMinutes(t, 6)),
  ]
  // A post with the same id is in its way.
  const taken = await ana.does(submitPost, { input: { content: 'in the way', authorName: 'Ana' } })
  await t.db.execute(sql`update posts set id = ${broken}::uuid where id = ${taken.id}::uuid`)
  t.clock.advance(7 * 60_000)
  await vi.waitFor(async () => expect(await duePosts(t.db)).toEqual([]), patience)
  expect(await t.visitor().does(getPost, { params: { id: whole } })).toMatchObject({ content: 'whole' })
  const logged = lines.filter((line) => line.includes('could not be published'))
  expect(logged).toHaveLength(1)
  expect(logged[0]).toContain(broken)
  expect(logged[0]).not.toContain('"content"')
  expect(await ana.does(listScheduledPosts)).toMatchObject([{ id: broken }])

  await t.db.execute(sql`delete from posts where id = ${broken}::uuid`)
  t.clock.advance(61_000)
  await publishDue(t)
  expect(await t.visitor().does(getPost, { params: { id: broken } })).toMatchObject({ content: 'broken' })
})

test('the cover of a scheduled post waits with it, and everybody reads it from its time on [LOOP-11]', async () => {
  const t = await startReview()
  const { boss, clock, config, db, visitor } = t
  const upload = async () => {
    const payload = formOf(uploadCover.file.field, aPng())
    const answer = await boss.request({ method: 'POST', url: uploadCover.path, payload })
    return answer.json<{ imageUrl: string }>().imageUrl
  }
  const read = async (url: string) => (await visitor().request({ method: 'GET', url })).statusCode
  const plan = async (imageUrl: string) => {
    const input = { content: 'News', authorName: 'Bela', imageUrl, publishAt: inMinutes(t, 3 * 24 * 60) }
    return (await boss.does(createPost, { input })).id
  }
  const [kept, left] = [await upload(), await upload()]
  const id = await plan(kept)
  await boss.does(unschedulePost, { params: { id: await plan(left) } })
  expect([await read(kept), await read(left)]).toEqual([404, 200])
  // The cover has one post.
  const input = { content: 'News', authorName: 'Bela', imageUrl: kept, publishAt: inMinutes(t, 60) }
  const before = await contentOf(db)
  expect(await boss.tries(createPost, { input })).toMatchObject({ fields: { imageUrl: expect.any(String) } })
  expect(await contentOf(db)).toEqual(before)

  clock.advance(2 * 86_400_000)
  await purgeCovers({ database: db, uploads: openUploads(config) }, never)
  expect([await read(kept), await read(left)]).toEqual([404, 404])
  clock.advance(2 * 86_400_000)
  const post = { params: { id } }
  await vi.waitFor(
    async () => expect(await visitor().does(getPost, post)).toMatchObject({ imageUrl: kept }),
    patience,
  )
  clock.advance(2 * 86_400_000)
  await purgeCovers({ database: db, uploads: openUploads(config) }, never)
  expect(await read(kept)).toBe(200)
})

test('the cover of a scheduled article that waits for review stays when its author changes it [LOOP-11 LOOP-10]', async () => {
  const t = await startReview()
  const { boss, clock, config, db, visitor } = t
  const payload = formOf(uploadCover.file.field, aPng())
  const answer = await boss.request({ method: 'POST', url: uploadCover.path, payload })
  const { imageUrl } = answer.json<{ imageUrl: string }>()
  const read = async () => (await visitor().request({ method: 'GET', url: imageUrl })).statusCode
  const input = { content: 'News', authorName: 'Bela', imageUrl, publishAt: inMinutes(t, 60) }
  const { id } = await boss.does(createPost, { input })
  await db.execute(sql`update users set is_admin = false where id = ${boss.me.id}`)
  clock.advance(61 * 60_000)
  await vi.waitFor(async () => expect(await duePosts(db)).toEqual([]), patience)
  await boss.does(login, { input: { email: boss.me.email!, password: 'a long admin password' } })
  const { updatedAt: base } = await boss.does(getOwnPost, { params: { id } })
  const changed = await boss.does(changePost, { params: { id }, input: { content: 'Other news', base } })
  expect(changed).toMatchObject({ status: 'pending', id: expect.not.stringMatching(id) })
  clock.advance(2 * 86_400_000)
  await purgeCovers({ database: db, uploads: openUploads(config) }, never)
  expect(await read()).toBe(404)
  await t.chief.does(login, { input: { email: t.chief.me.email!, password: 'a long admin password' } })
  await t.chief.does(approvePost, { params: { id: changed.id } })
  expect(await visitor().does(getPost, { params: { id: changed.id } })).toMatchObject({ imageUrl })
  expect(await read()).toBe(200)
})

test('an author takes a post back that was scheduled, like any other [LOOP-11 LOOP-08]', async () => {
  const t = await startReview()
  const id = await schedule(t.ana, 'A letter', inMinutes(t, 5))
  t.clock.advance(6 * 60_000)
  await publishDue(t)
  await t.ana.does(takeBackPost, { params: { id } })
  expect(await t.visitor().tries(getPost, { params: { id } })).toMatchObject({ code: 'PostNotFound' })
})

/** On a busy machine the queue for the database refuses calls before they run. A browser repeats them, too. */
async function repeated(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await call()
    if (answer.status !== 503) return answer
    // A refusal needs no database, so the answers of the database would never get a turn.
    await setImmediate()
  }
}

/** What the author and the task do at once with a post that becomes due. */
async function race(first: number, others: (t: Review) => Promise<Answer>[]) {
  const t = await startReview()
  const { ana, db } = t
  const id = await schedule(ana, 'A letter', inMinutes(t, 5))
  t.clock.advance(5 * 60_000)
  const params = { id }
  const later = { publishAt: inMinutes(t, 60) }
  const works = [
    () => repeated(() => ana.tries(changePublishTime, { params, input: later })),
    () => repeated(() => ana.tries(publishScheduledPost, { params })),
    async () =>
      void (await publishDuePosts(
        { config: t.config, database: db, events, instance: defaultInstance },
        never,
        fail,
      )),
    () => repeated(() => ana.tries(unschedulePost, { params })),
  ]
  const events = new DomainEvents()
  const answers = await Promise.all([
    ...Array.from({ length: callsAtOnce / 2 }, async (_, n) => works[(n * 3 + first) % works.length]!()),
    ...others(t),
    ...Array.from({ length: callsAtOnce / 2 }, async (_, n) => works[(n * 3 + first) % works.length]!()),
  ])
  for (const answer of answers) expect([undefined, 200, 201, 401, 404]).toContain(answer?.status)
  const count = async (table: string) =>
    (await db.execute(sql`select 1 from ${sql.identifier(table)}`)).rowCount
  return { db, places: [await count('scheduled_posts'), await count('drafts'), await count('posts')] }
}
type Review = Awaited<ReturnType<typeof startReview>>

test.each([0, 1, 2, 3])(
  'while a post becomes due, its author changes its time, publishes it and makes it a draft in fifty calls at once: it ends in one place (%i first) [LOOP-11 LOOP-34]',
  async (first) => {
    const { places } = await race(first, () => [])
    expect(places.toSorted()).toEqual([0, 0, 1])
  },
)

test.each([0, 1, 2, 3])(
  'an account that is deleted meanwhile takes the post with it, or leaves it published without a name (%i first) [LOOP-11 LOOP-34]',
  async (first) => {
    const { db, places } = await race(first, ({ ana }) => [repeated(() => ana.tries(deleteAccount))])
    expect(places.slice(0, 2)).toEqual([0, 0])
    const { rows } = await db.execute(sql`select author_id, author_name from posts`)
    expect([[], [{ author_id: null, author_name: 'Deleted user' }]]).toContainEqual(rows)
  },
)

const fail = (error: unknown) => {
  throw error
}

test('a look for due posts reads one index, however many posts are scheduled [LOOP-11]', async () => {
  const clock = testClock('2025-06-10T12:00:00Z')
  const t = await startTestApp({ clock })
  const ana = await t.person()
  await t.db.execute(sql`
    insert into scheduled_posts (id, content, author_name, post_type, created_at, author_id, publish_at, attempt_at)
    select gen_random_uuid(), 'x', 'Ana', 'premium', app_now(), ${ana.me.id}, app_now() + n * interval '1 hour',
      app_now() + n * interval '1 hour' from generate_series(1, 5000) n`)
  await t.db.execute(sql`analyze scheduled_posts`)
  const plan = await planOf(t.db, duePosts(t.db))
  expect(plan).toContain('Index Scan using scheduled_posts_by_attempt')
  expect(plan).toMatch(/Index Cond: \(attempt_at <= /)
})
