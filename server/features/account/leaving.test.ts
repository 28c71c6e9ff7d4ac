import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount, getMe, register } from '#contract/account/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { posts } from '#server/features/feed/index.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { newId, systemRandom } from '#server/platform/ids.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { startTestApp } from '#server/testing/test-app.ts'

const noon = '2025-06-10T12:00:00.000Z'

/** Begins to write a pending and a published post before the call begins, and commits them before the call ends. */
async function amidPosts(db: Database, authorId: string, call: () => Promise<{ status: number }>) {
  let answer: Promise<{ status: number }> | undefined
  await db.transaction(async (tx) => {
    for (const publication of [{}, { publishedAt: noon, publishedOn: '2025-06-10' }]) {
      await tx.insert(posts).values({
        id: newId({ clock: systemClock, random: systemRandom }),
        content: 'On the way',
        authorName: 'Ana',
        authorId,
        postType: 'standard',
        contentDigest: '',
        createdAt: noon,
        ...publication,
      })
    }
    answer = call()
    await untilLockWaits(db)
  })
  expect((await answer!).status).toBeLessThan(300)
}

test('posts that are written during the deletion of their account are deleted, or stay without a name [S15 R5]', async () => {
  const { db, person } = await startTestApp()
  const ana = await person()
  await amidPosts(db, ana.me.id, () => ana.tries(deleteAccount))
  const left = await db.select().from(posts)
  expect(left.map(({ authorName, authorId, publishedAt }) => [authorName, authorId, publishedAt])).toEqual([
    ['Deleted user', null, noon],
  ])
})

test('a guest keeps a post that is written during the sign-up [S16 R5]', async () => {
  const { db, guest } = await startTestApp()
  const ana = await guest()
  const input = { email: 'ana@example.org', password: 'lamps and ink' }
  await amidPosts(db, ana.me.id, () => ana.tries(register, { input }))
  const { id } = await ana.does(getMe)
  const left = await db.select().from(posts)
  expect(left.filter(({ publishedAt }) => publishedAt === null).map(({ authorId }) => authorId)).toEqual([id])
})

test('posts that are sent during the deletion of their account are stored or refused, and none keeps the name [S15 R6]', async () => {
  const { db, person } = await startTestApp()
  const ana = await person()
  const [deletion, ...answers] = await Promise.all([
    ana.tries(deleteAccount),
    ...Array.from({ length: 12 }, (_, n) => {
      const input = { content: `Line ${n}`, authorName: 'Ana', type: n % 2 ? 'premium' : 'standard' } as const
      return ana.tries(submitPost, { input })
    }),
  ])
  expect(deletion.status).toBe(200)
  for (const { status } of answers) expect([201, 401]).toContain(status)
  // After the session has ended the writer is a visitor, whose post has the name that was typed.
  const ofAna = and(eq(posts.authorName, 'Ana'), isNull(posts.submittedFrom))
  expect(await db.select().from(posts).where(ofAna)).toEqual([])
})
