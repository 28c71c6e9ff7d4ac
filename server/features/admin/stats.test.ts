import { type SQL, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { closeAbuseReport, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { requestRegistration } from '#contract/account/registration/endpoints.ts'
import { countWaiting, getStats } from '#contract/admin/endpoints.ts'
import { approvePosts, createPost, submitPost } from '#contract/feed/endpoints.ts'
import { changePostVisibility, generateContent, listAdminPosts } from '#contract/feed/review/endpoints.ts'
import { posts, publishedPerDay } from '#server/features/feed/index.ts'
import { changeInstanceSettings } from '#contract/instance/endpoints.ts'
import { planOf } from '#server/testing/plan.ts'
import { asked } from '#server/testing/registration.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { countNewUsers, countRegistered } from './stats.ts'

test('an admin reads the numbers: hidden posts count, waiting ones count apart, guests never [ADM-01 ADM-17 API-41]', async () => {
  const { db, admin, guest, person } = await startTestApp()
  const [boss, ana] = [await admin(), await person()]
  await guest()
  const ids: string[] = []
  for (const content of ['one', 'two', 'three', 'four']) {
    const { id } = await ana.does(submitPost, { input: { content, authorName: 'Ana' } })
    ids.push(id)
  }
  await boss.does(approvePosts, { input: { postIds: ids.slice(0, 2) } })
  await boss.does(createPost, { input: { content: 'News', authorName: 'The house' } })
  await db
    .update(posts)
    .set({ likeCount: 3, commentCount: 2 })
    .where(sql`published_at is not null`)
  const hidden = { isVisible: false }
  await boss.does(changePostVisibility, { params: { id: ids[0]! }, input: hidden })
  await boss.does(changePostVisibility, { params: { id: ids[2]! }, input: hidden })
  const { perDay, ...totals } = await boss.does(getStats)
  expect(totals).toEqual({
    totalPosts: 3,
    totalLikes: 9,
    totalComments: 6,
    totalUsers: 2,
    newUsers: 2,
    pendingPosts: 1,
  })
  expect(perDay).toHaveLength(30)
  expect(perDay[0]).toEqual({ day: '2025-05-12', posts: 0, users: 0 })
  expect(perDay[29]).toEqual({ day: '2025-06-10', posts: 3, users: 2 })
})

test('a generated post counts at once, and towards the day when it is first shown, as in the list of published posts [ADM-17 API-38 API-41 API-45]', async () => {
  const { admin, clock } = await startTestApp()
  const boss = await admin()
  const { posts: made } = await boss.does(generateContent, { input: { count: 2 } })
  const read = async () => {
    const reader = await admin()
    const { totalPosts, perDay } = await reader.does(getStats)
    const listed = await reader.does(listAdminPosts, { query: { status: 'published' } })
    expect(listed).toHaveLength(totalPosts)
    return [totalPosts, ...perDay.slice(-2).map(({ posts }) => posts)]
  }
  expect(await read()).toEqual([2, 0, 0])
  clock.set('2025-06-11T12:00:00Z')
  const chief = await admin()
  const decide = (isVisible: boolean) =>
    chief.does(changePostVisibility, { params: { id: made[0]!.id }, input: { isVisible } })
  await decide(true)
  expect(await read()).toEqual([2, 0, 1])
  await decide(false)
  expect(await read()).toEqual([2, 0, 1])
})

test('an empty installation answers zeros [API-41]', async () => {
  const { admin } = await startTestApp()
  const boss = await admin()
  expect(await boss.does(getStats)).toMatchObject({
    totalPosts: 0,
    totalLikes: 0,
    totalComments: 0,
    pendingPosts: 0,
  })
})

test.each([
  ['23 hours and 59 minutes', '2025-06-11T11:59:00Z', 1],
  ['24 hours', '2025-06-11T12:00:00Z', 0],
])('who registered %s ago counts as new: %s [ADM-02]', async (_what, now, newUsers) => {
  const { db, clock, admin, person } = await startTestApp()
  await person()
  await db.execute(sql`update users set created_at = '2025-06-10T12:00:00Z'`)
  clock.set(now)
  const boss = await admin()
  await db.execute(sql`update users set created_at = '2025-01-01T12:00:00Z' where is_admin`)
  expect(await boss.does(getStats)).toMatchObject({ newUsers, totalUsers: 2 })
})

test('days are those of the calendar in the zone of the installation, also where the clocks change [ADM-17 API-41 R20]', async () => {
  const { db, clock, admin, person } = await startTestApp({ config: { timeZone: 'Europe/Berlin' } })
  clock.set('2025-04-10T12:00:00Z')
  const boss = await admin()
  // On the 30th of March the clocks in Berlin went from 2 to 3: the day began at 23:00 and ended at 22:00 UTC.
  for (const at of [
    '2025-03-29T22:59:59Z',
    '2025-03-29T23:00:00Z',
    '2025-03-30T21:59:59Z',
    '2025-03-30T22:00:00Z',
  ]) {
    const { me } = await person()
    await db.execute(sql`update users set created_at = ${at}::timestamptz where id = ${me.id}`)
  }
  const { perDay } = await boss.does(getStats)
  expect(perDay.filter(({ users }) => users > 0)).toEqual([
    { day: '2025-03-29', posts: 0, users: 1 },
    { day: '2025-03-30', posts: 0, users: 2 },
    { day: '2025-03-31', posts: 0, users: 1 },
    { day: '2025-04-10', posts: 0, users: 1 },
  ])
})

test('the numbers are read from indexes alone, without the texts of the posts [ADM-01 API-41]', async () => {
  const { db } = await startTestApp()
  await db.execute(sql`insert into users (id, username, created_at)
    select 'n' || i, 'n' || i, app_now() - i * interval '1 minute' from generate_series(1, 5000) i`)
  await db.execute(sql`analyze users`)
  const planByIndex = (query: { getSQL(): SQL }) =>
    db.transaction(async (tx) => {
      // Postgres reads a small table, or one that was not vacuumed yet, as a whole.
      await tx.execute(sql`set local enable_seqscan = off`)
      await tx.execute(sql`set local enable_bitmapscan = off`)
      return planOf(tx, query)
    })
  expect(await planByIndex(publishedPerDay(db))).toContain('Index Only Scan using posts_counted')
  // A condition of the index: one that is computed for each person takes several times as long.
  for (const query of [countRegistered(db, [new Date()]), countNewUsers(db)])
    expect(await planByIndex(query)).toMatch(
      /Index Only Scan using users_registered.*\n *Index Cond: \(+created_at >/,
    )
})

test('a moderator reads how many posts and reports wait, without own posts and without reports about themself; an admin reads all, and how many sign-ups wait [INST-02 INST-05 S46]', async () => {
  const t = await startTestApp({ config: { limitsRates: false } })
  const [mia, boss, ana] = [await t.moderator(), await t.admin(), await t.person()]
  const write = (by: Client, type: 'standard' | 'premium') =>
    by.does(submitPost, { input: { content: `A letter of ${by.me.id}`, authorName: 'Nightingale', type } })
  const report = (id: string, by: Client) =>
    by.does(reportAbuse, { input: { kind: 'post', targetId: id, reason: 'It is rude.' } })
  expect(await mia.does(countWaiting)).toEqual({ posts: 0, reports: 0, signUps: 0 })
  await t.visitor().does(submitPost, { input: { content: 'A line', authorName: 'Nia' } })
  for (const by of [ana, mia]) await write(by, 'standard')
  const ofMia = await write(mia, 'premium')
  const ofAna = await write(ana, 'premium')
  await report(ofMia.id, ana)
  const { id } = await report(ofAna.id, mia)
  await report(ofAna.id, boss)
  await boss.does(changeInstanceSettings, { input: { base: null, registration: 'approval' } })
  await t.visitor().does(requestRegistration, { input: asked })
  expect(await mia.does(countWaiting)).toEqual({ posts: 2, reports: 2, signUps: 0 })
  expect(await boss.does(countWaiting)).toEqual({ posts: 3, reports: 3, signUps: 1 })
  await boss.does(closeAbuseReport, { params: { id }, input: { outcome: 'kept', note: '' } })
  expect(await mia.does(countWaiting)).toEqual({ posts: 2, reports: 1, signUps: 0 })
})
