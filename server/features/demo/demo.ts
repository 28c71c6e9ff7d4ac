import { splitName } from '#contract/account/display-name.ts'
import { addDays, dayOf, startOfDay } from '#contract/days.ts'
import { users } from '#server/features/account/index.ts'
import { digestOf, posts } from '#server/features/feed/index.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { newId, newPersonId, type Random } from '#server/platform/ids.ts'
import { samplePending, samplePeople, samplePosts } from './texts.ts'

export class NotEmpty extends Error {}

/** Fills an empty instance with sample people, posts of 30 days and some that wait for review. */
export async function fillDemo(
  database: Database,
  timeZone: string,
  sources: { clock: Clock; random: Random },
): Promise<string> {
  const { clock, random } = sources
  const now = clock.now()
  const today = dayOf(now, timeZone)
  await database.transaction(async (tx) => {
    const found = await tx.select({ id: posts.id }).from(posts).limit(1)
    if (found.length > 0)
      throw new NotEmpty('This instance already holds posts: the samples are for an empty one.')
    const people = samplePeople.map((name, i) => ({
      id: newPersonId(random),
      ...splitName(name),
      username: `sample-${i + 1}`,
      createdAt: now.toISOString(),
    }))
    await tx.insert(users).values(people).onConflictDoNothing()
    const written = (by: number, content: string) => ({
      id: newId(sources),
      content,
      contentDigest: digestOf(content),
      authorName: samplePeople[by]!,
      authorId: people[by]!.id,
      postType: 'standard' as const,
    })
    await tx.insert(posts).values(
      samplePosts.map(({ by, daysAgo, content }, i) => {
        const publishedOn = addDays(today, -daysAgo)
        const publishedAt = momentOf(publishedOn, i).toISOString()
        const likeCount = (content.length * 7 + i * 31) % 1800
        return {
          ...written(by, content),
          createdAt: publishedAt,
          publishedAt,
          publishedOn,
          likeCount,
          shareCount: likeCount % 40,
          commentCount: likeCount % 23,
        }
      }),
    )
    await tx
      .insert(posts)
      .values(
        samplePending.map(({ by, content }) => ({ ...written(by, content), createdAt: now.toISOString() })),
      )
  })
  return `${samplePeople.length} people, ${samplePosts.length} posts and ${samplePending.length} that wait for review are there.`

  /** Somewhere in the day, and never in the future. */
  function momentOf(day: string, i: number): Date {
    const start = startOfDay(day, timeZone).getTime()
    const end = Math.min(now.getTime(), startOfDay(addDays(day, 1), timeZone).getTime())
    return new Date(start + (end - start) * (0.9 - ((i * 13) % 60) / 100))
  }
}
