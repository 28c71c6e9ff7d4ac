import type { FastifyInstance } from 'fastify'
import { and, eq, sql } from 'drizzle-orm'
import { dayOf } from '#contract/days.ts'
import type { Needs } from '#server/feature.ts'
import { isSuspended } from '#server/features/account/index.ts'
import { notifyPeople } from '#server/features/inbox/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { ifAvailable, isDatabaseUnavailable } from '#server/platform/database/unavailable.ts'
import { schedule } from '#server/platform/schedule.ts'
import { emitPublished, emitPublishing } from './emit-published.ts'
import { lockAuthorAgainstDeletion, moveToPosts } from './scheduled-posts.ts'
import { scheduledPosts } from './schema.ts'

export type Deps = Pick<Needs, 'config' | 'database' | 'events' | 'instance'>

const everyMs = 2000
const batch = 20

/** Each process looks for due posts every 2 s. Its first look finds those that became due while no process ran. */
export const startPublishingDuePosts = (app: FastifyInstance, deps: Deps): void =>
  schedule(app, 'publishing scheduled posts', everyMs, (signal) =>
    ifAvailable(() =>
      publishDuePosts(deps, signal, (err, postId) =>
        app.log.error({ err, postId }, 'a scheduled post could not be published; the server tries again'),
      ),
    ),
  )

/** Publishes the posts whose time has come. One that fails does not hold up the others, and is tried again in a minute. */
export async function publishDuePosts(
  deps: Deps,
  signal: AbortSignal,
  onFailure: (error: unknown, postId: string) => void,
): Promise<void> {
  for (;;) {
    const due = await duePosts(deps.database)
    let handled = 0
    for (const { id, authorId } of due) {
      if (signal.aborted) return
      try {
        if (await publishDuePost(deps, id, authorId)) handled++
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error
        onFailure(error, id)
        await delay(deps.database, id)
        handled++
      }
    }
    // Another process publishes those that this one did not get.
    if (due.length < batch || handled === 0) return
  }
}

/** The posts of a suspended person wait for the end of the suspension. */
const isDue = sql`${scheduledPosts.attemptAt} <= app_now() and not ${isSuspended(scheduledPosts.authorId)}`

export const duePosts = (db: Db) =>
  db
    .select({ id: scheduledPosts.id, authorId: scheduledPosts.authorId })
    .from(scheduledPosts)
    .where(isDue)
    .orderBy(scheduledPosts.attemptAt)
    .limit(batch)

/**
 * Publishes a post under the day of its time. The author of one that has to wait for review is notified. Returns false when another transaction has it, or has changed its time. Locks
 * the author first, as every change does, but only against a deletion.
 */
async function publishDuePost(
  { config, database, events, instance }: Deps,
  id: string,
  authorId: string,
): Promise<boolean> {
  let tellAuthor = () => {}
  const moved = await database.transaction(async (tx) => {
    const author = await lockAuthorAgainstDeletion(tx, authorId)
    if (author === undefined) return undefined
    const [row] = await tx
      .select()
      .from(scheduledPosts)
      .where(and(eq(scheduledPosts.id, id), isDue))
      .for('update', { skipLocked: true })
    if (row === undefined) return undefined
    const publishedOn = dayOf(new Date(row.publishAt), config.timeZone)
    const post = await moveToPosts(tx, row, {
      ...author,
      config,
      instance,
      publication: { publishedAt: row.publishAt, publishedOn },
      move: () => events.emitWithin('scheduledPostMoved', tx, id),
    })
    await emitPublishing(events, tx, post)
    if (post.publishedAt === null) {
      const details = { postId: id, count: '1', decidedAt: post.createdAt, status: 'pending' }
      const call = { db: tx, afterCommit: (tell: () => void) => void (tellAuthor = tell) }
      await notifyPeople(call, events, 'post.shown', [{ personId: authorId, otherPersonId: null, details }])
    }
    return post
  })
  if (moved === undefined) return false
  emitPublished(events, moved, config)
  tellAuthor()
  return true
}

const delay = (db: Db, id: string) =>
  db
    .update(scheduledPosts)
    .set({ attemptAt: sql`app_now() + interval '1 minute'` })
    .where(eq(scheduledPosts.id, id))
