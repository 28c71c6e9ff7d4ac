import { and, eq } from 'drizzle-orm'
import { splitName } from '#contract/account/display-name.ts'
import { addDays, dayOf, startOfDay } from '#contract/days.ts'
import type { Config } from '#server/config.ts'
import { users } from '#server/features/account/index.ts'
import { calendarTexts } from '#server/features/calendar/index.ts'
import { openVault, saveDayText } from '#server/features/day-texts/index.ts'
import { diaryTexts } from '#server/features/diary/index.ts'
import { digestOf, posts, savePostWords } from '#server/features/feed/index.ts'
import { addMissingRoomWords, rooms } from '#server/features/rooms/index.ts'
import type { Database, Db } from '#server/platform/database/pool.ts'
import { type IdSources, newId, newPersonId } from '#server/platform/ids.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { sampleDiary, sampleNotes, samplePending, samplePeople, samplePosts, sampleRooms } from './content.ts'
import { addSampleRooms } from './rooms.ts'

const hourMs = 3_600_000

/** Fills an empty instance with sample people, who cannot sign in, posts of 30 days, some that wait for review, diaries and rooms. */
export async function fillDemo(
  database: Database,
  timeZone: string,
  sources: IdSources & { config: Pick<Config, 'diaryKey'> },
): Promise<string> {
  const { clock, random } = sources
  const now = clock.now()
  const today = dayOf(now, timeZone)
  await database.transaction(async (tx) => {
    if (!(await isEmpty(tx)))
      throw new OperatorError('Here are people or posts already: the samples are only for an empty instance.')
    const people = samplePeople.map((name, by) => ({
      id: newPersonId(random),
      ...splitName(name),
      username: usernameOf(name),
      showName: true,
      createdAt: joinedAt(by),
    }))
    await tx.insert(users).values(people)
    const written = (by: number, content: string) => ({
      id: newId(sources),
      content,
      contentDigest: digestOf(content),
      authorName: samplePeople[by]!,
      authorId: people[by]!.id,
      postType: 'standard' as const,
    })
    const published = samplePosts.map(({ by, daysAgo, content }, i) => {
      const publishedOn = addDays(today, -daysAgo)
      const publishedAt = momentOf(publishedOn, i)
      return {
        ...written(by, content),
        ...countsOf(content, daysAgo, i),
        createdAt: publishedAt,
        publishedAt,
        publishedOn,
      }
    })
    await tx.insert(posts).values(published)
    await tx.insert(posts).values(
      samplePending.map(({ by, content }, i) => ({
        ...written(by, content),
        createdAt: new Date(now.getTime() - (i + 1) * hourMs).toISOString(),
      })),
    )
    const demo = await tx.select({ id: users.id }).from(users).where(eq(users.isDemo, true))
    const lookers = demo.map(({ id }) => id)
    await addDiaries(tx, [people[0]!.id, ...lookers])
    await addSampleRooms(tx, sources, { people: people.map(({ id }) => id), lookers })
    await savePostWords(
      tx,
      published.map(({ id }) => id),
    )
    await addMissingRoomWords(tx, new AbortController().signal)
  })
  return `${samplePeople.length} people, ${samplePosts.length} posts, ${samplePending.length} that wait for review and ${sampleRooms.length} Z!mmers are there.`

  /** Adds diaries for the first sample person and the demo account, which everybody can open. A day with a text stays. */
  async function addDiaries(tx: Db, userIds: string[]) {
    const vault = await openVault({ ...sources, database: tx })
    for (const userId of userIds) {
      for (const [texts, days] of [
        [diaryTexts, sampleDiary],
        [calendarTexts, sampleNotes],
      ] as const)
        for (const { daysAgo, content } of days)
          await saveDayText(
            tx,
            { texts, vault, userId },
            { day: addDays(today, -daysAgo), content, base: null },
          )
    }
  }

  /** A time of the day, never in the future. */
  function momentOf(day: string, i: number): string {
    const start = startOfDay(day, timeZone).getTime()
    const end = Math.min(now.getTime(), startOfDay(addDays(day, 1), timeZone).getTime())
    return new Date(start + (end - start) * (0.9 - ((i * 13) % 60) / 100)).toISOString()
  }

  /** The day before the first post. */
  function joinedAt(by: number): string {
    const daysAgo = Math.max(...samplePosts.filter((post) => post.by === by).map((post) => post.daysAgo))
    return momentOf(addDays(today, -daysAgo - 1), by)
  }
}

/** Whether the instance has no people but an admin or the demo account, and no texts. */
async function isEmpty(db: Db): Promise<boolean> {
  const strangers = await db.$count(users, and(eq(users.isAdmin, false), eq(users.isDemo, false)))
  const written = await db.$count(posts)
  const opened = await db.$count(rooms)
  return strangers + written + opened === 0
}

/** Such as 'siobhan-kerr'. The server makes usernames without a dash, so that the two cannot be equal. */
const usernameOf = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[^a-z ]/gi, '')
    .toLowerCase()
    .replaceAll(' ', '-')

/** A few posts have many likes, most have some, and the posts of today have few. */
function countsOf(content: string, daysAgo: number, i: number) {
  const warmth = ((content.length * 7 + i * 31) % 97) / 97
  const likeCount = Math.round((14 + 1800 * warmth ** 4) / (daysAgo === 0 ? 6 : 1))
  return { likeCount, shareCount: Math.round(likeCount / 14), commentCount: Math.round(likeCount / 9) }
}
