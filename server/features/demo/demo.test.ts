import { eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import { getCalendar } from '#contract/calendar/endpoints.ts'
import { demoAccount } from '#contract/account/rules.ts'
import { addDays, dayOf } from '#contract/days.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import { categories, categoryOf } from '#contract/feed/categories.ts'
import { listPendingPosts, submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import {
  joinRoom,
  listFinishedRooms,
  listPassages,
  listRooms,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import type { Post } from '#contract/feed/post.ts'
import { search } from '#contract/search/endpoints.ts'
import { trendingOf } from '#contract/feed/trending.ts'
import { emails, users } from '#server/features/account/index.ts'
import { diaryEntries } from '#server/features/diary/index.ts'
import { posts } from '#server/features/feed/index.ts'
import { testClock } from '#server/platform/clock.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { fillDemo } from './index.ts'

async function startDemo(now = '2025-06-10T12:00:00Z') {
  const clock = testClock(now)
  const t = await startTestApp({ clock })
  const boss = await t.admin()
  const sentence = await fillDemo(t.db, t.config.timeZone, { clock, random: systemRandom, config: t.config })
  return { ...t, boss, sentence }
}

test('an empty instance fills with people and posts of 30 days that anybody can read', async () => {
  const { visitor, boss, db, sentence, clock, config } = await startDemo()
  expect(sentence).toBe('12 people, 62 posts, 3 that wait for review and 6 Z!mmers are there.')
  const reader = visitor()
  const days: Post[][] = []
  for (let offset = 0; offset < 30; offset++)
    days.push(await reader.does(getFeedDay, { params: { offset: String(offset) } }))
  const all = days.flat()
  expect(all).toHaveLength(62)
  expect(Math.min(days[0]!.length, days[1]!.length)).toBeGreaterThanOrEqual(5)
  expect(days.filter((day) => day.length > 0).length).toBeGreaterThan(25)
  expect(new Set(all.map(({ content }) => content)).size).toBe(62)
  expect(new Set(all.map(({ authorName }) => authorName)).size).toBe(12)
  expect(new Set(all.map(({ content }) => categoryOf(content)))).toEqual(new Set(categories))
  // The first page shows trending posts and posts of every category.
  expect(trendingOf(days[0]!).length).toBeGreaterThanOrEqual(5)
  expect(new Set(days[0]!.map(({ content }) => categoryOf(content)))).toEqual(new Set(categories))
  const now = clock.now()
  for (const [offset, posts] of days.entries()) {
    const day = addDays(dayOf(now, config.timeZone), -offset)
    for (const { publishedAt } of posts) {
      expect(dayOf(new Date(publishedAt!), config.timeZone)).toBe(day)
      expect(new Date(publishedAt!) <= now).toBe(true)
    }
  }
  expect(all.every(({ likeCount, shareCount }) => likeCount >= shareCount && shareCount >= 0)).toBe(true)
  expect(all.some(({ likeCount }) => likeCount > 1000)).toBe(true)
  expect(all.some(({ content }) => content.includes('\n'))).toBe(true)
  expect(await boss.does(listPendingPosts)).toHaveLength(3)
  const people = await db.select().from(users).where(eq(users.isAdmin, false))
  expect(people.map(({ username }) => username)).toContain('siobhan-kerr')
  const writers = await db.select().from(posts).innerJoin(users, eq(users.id, posts.authorId))
  expect(writers.filter((row) => row.users.createdAt >= row.posts.createdAt)).toEqual([])
})

test('a person with the demo account finds a diary of some weeks and a few notes', async () => {
  const clock = testClock('2025-06-10T12:00:00Z')
  const t = await startTestApp({ clock, config: { demoMode: true } })
  await fillDemo(t.db, t.config.timeZone, { clock, random: systemRandom, config: t.config })
  const looker = t.visitor()
  await looker.does(login, { input: demoAccount })
  const diary = await looker.does(getDiary)
  expect(diary.length).toBeGreaterThan(10)
  expect(diary[0]!.entry_date < '2025-05-25').toBe(true)
  expect(diary.at(-1)!.entry_date).toBe('2025-06-09')
  expect(await looker.does(getCalendar)).toHaveLength(3)
  // The sample people have diaries too, and each person reads only their own.
  expect(await t.db.$count(diaryEntries)).toBe(2 * diary.length)
  expect(await (await t.person()).does(getDiary)).toEqual([])
})

test('a visitor finds open rooms, one of them private, and finished stories on the shelf', async () => {
  const clock = testClock('2025-06-10T12:00:00Z')
  const t = await startTestApp({ clock, config: { demoMode: true } })
  await fillDemo(t.db, t.config.timeZone, { clock, random: systemRandom, config: t.config })
  const reader = t.visitor()
  const open = (await reader.does(listRooms)).filter(({ isActive }) => isActive)
  expect(open.map(({ isPublic }) => isPublic)).toEqual([true, true, false, true])
  const [newest, oldest] = await reader.does(listFinishedRooms)
  expect([newest!.lineCount, newest!.contributorCount, oldest!.lineCount]).toEqual([8, 5, 5])
  const story = await reader.does(listPassages, { params: { id: newest!.id } })
  expect(story.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(story[0]!.authorName).toBe('Jonas Lindqvist')
  const times = [newest!.createdAt, ...story.map(({ createdAt }) => createdAt), newest!.endedAt]
  expect(times).toEqual(times.toSorted())
  const secret = { params: { id: open[2]!.id } }
  expect((await reader.tries(listPassages, secret)).status).toBe(401)
  await reader.does(login, { input: demoAccount })
  expect(await reader.does(listPassages, secret)).toHaveLength(2)
  // A new passage follows the last sample.
  const looker = await t.person()
  const { id } = open[3]!
  await looker.does(joinRoom, { params: { id } })
  const line = await looker.does(sendPassage, { params: { id }, input: { content: 'And then' } })
  expect(line.position).toBe(4)
})

test('a visitor finds the samples by their words [LOOP-13]', async () => {
  const { visitor } = await startDemo()
  const { posts: found, stories } = await visitor().does(search, { query: { q: 'the' } })
  expect([found.found.length, stories.found.length > 0]).toEqual([5, true])
})

test('a reader just after midnight sees no samples from the future', async () => {
  const { visitor, db, clock } = await startDemo('2025-06-09T22:00:05Z')
  expect((await visitor().does(getFeedDay, { params: { offset: '0' } })).length).toBeGreaterThanOrEqual(5)
  const rows = await db.select({ at: posts.publishedAt, made: posts.createdAt }).from(posts)
  expect(rows.filter(({ at, made }) => (at ?? made) > clock.now().toISOString())).toEqual([])
})

test('nobody can sign in as one of the sample people [S18]', async () => {
  const { visitor, db } = await startDemo()
  const withoutEmail = await db
    .select()
    .from(users)
    .leftJoin(emails, eq(emails.userId, users.id))
    .where(isNull(emails.userId))
  expect(withoutEmail).toHaveLength(12)
  for (const email of ['siobhan-kerr@example.org', 'mira-castellan'])
    for (const password of ['', 'password'])
      expect((await visitor().tries(login, { input: { email, password } })).status).toBeGreaterThan(399)
})

test('an instance in use refuses the samples with a sentence, and nothing changes', async () => {
  const { db, clock, config, visitor, person } = await startTestApp()
  const fill = () => fillDemo(db, config.timeZone, { clock, random: systemRandom, config })
  const everything = async () => [await db.select().from(users), await db.select().from(posts)]
  const refusal = 'Here are people or posts already: the samples are only for an empty instance.'
  const ana = await person()
  const before = await everything()
  await expect(fill()).rejects.toThrow(refusal)
  expect(await everything()).toEqual(before)
  await ana.request({ method: 'DELETE', url: '/api/delete-account' })
  await visitor().does(submitPost, { input: { content: 'A line', authorName: 'Somebody' } })
  await expect(fill()).rejects.toThrow(refusal)
  expect(await db.$count(posts)).toBe(1)
  await db.delete(posts)
  await fill()
  await expect(fill()).rejects.toThrow(refusal)
  expect(await db.$count(users)).toBe(12)
})
