import { and, eq, inArray, sql } from 'drizzle-orm'
import { personName, users } from '#server/features/account/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { type Publication, publicationNow } from './queries.ts'
import { posts } from './schema.ts'

/** What an admin decides about posts. */
export interface Decision {
  kind: 'approve' | 'hide' | 'show'
  adminId: string
  reason: string | undefined
  /** Whether the decision is about posts that wait, so that a post that no longer waits is in conflict. True for an approval. */
  isWaiting: boolean
}

export interface ChangedPost {
  id: string
  authorId: string | null
  publishedOn: string | null
}

/** What `decide` did. When a post is unknown or in conflict, nothing has changed. */
export type Decided =
  | { outcome: 'unknown' }
  | Conflict
  | {
      outcome: 'done'
      changed: ChangedPost[]
      decidedAt: string
      /** The registered authors of the posts, also of those that did not change, without the admin. */
      otherAuthors: string[]
    }

/**
 * Others have decided about `count` of these posts before. `names` are their names, without those of deleted accounts. When
 * `isOwn` is true, only this admin has.
 */
export interface Conflict {
  outcome: 'conflict'
  count: number
  names: string[]
  isOwn: boolean
}

/**
 * Decides about all of these posts, or about none. A post that already is as decided is left as it is. When another admin made
 * it so, it is in conflict. Call this in a transaction: locks make two decisions about one post wait for each other.
 */
export async function decide(
  db: Db,
  ids: string[],
  { kind, adminId, reason, isWaiting }: Decision,
  timeZone: string,
): Promise<Decided> {
  // Every change locks people first, and all in one order, so that two decisions cannot deadlock.
  const locked = await peopleToLock(db, ids, adminId).for('key share')
  const otherAuthors = locked.map(({ id }) => id).filter((id) => id !== adminId)
  const found = await db
    .select({
      id: posts.id,
      publishedAt: posts.publishedAt,
      isVisible: posts.isVisible,
      decidedById: posts.decidedById,
    })
    .from(posts)
    .where(inArray(posts.id, ids))
    .orderBy(posts.id)
    .for('update')
  if (found.length < ids.length) return { outcome: 'unknown' }

  const isVisibleAfter = kind !== 'hide'
  const toChange: string[] = []
  const conflicts: (string | null)[] = []
  for (const { id, publishedAt, isVisible, decidedById } of found) {
    const isInQueue = publishedAt === null && isVisible
    const isDone = kind === 'approve' ? publishedAt !== null : isVisible === isVisibleAfter
    if (isDone) {
      if (decidedById !== null && decidedById !== adminId) conflicts.push(decidedById)
    } else if (isWaiting && !isInQueue) conflicts.push(decidedById)
    else toChange.push(id)
  }
  if (conflicts.length > 0) {
    const byOthers = conflicts.filter((id) => id !== adminId)
    const isOwn = byOthers.length === 0
    const { length: count } = isOwn ? conflicts : byOthers
    return { outcome: 'conflict', count, names: await namesOf(db, byOthers), isOwn }
  }

  const publication = await publicationNow(db, timeZone)
  const changed = await db
    .update(posts)
    .set({
      ...(kind === 'approve' && publication),
      ...(kind === 'show' && publishedWhenFirstShown(publication)),
      ...(kind !== 'approve' && { isVisible: isVisibleAfter }),
      decidedAt: publication.publishedAt,
      decidedById: adminId,
      decisionReason: reason || null,
    })
    .where(inArray(posts.id, toChange))
    .returning({ id: posts.id, authorId: posts.authorId, publishedOn: posts.publishedOn })
  return { outcome: 'done', changed, decidedAt: publication.publishedAt, otherAuthors }
}

/** A generated post appears under the day when it is first shown. Until then no admin has decided about it. */
function publishedWhenFirstShown({ publishedAt, publishedOn }: Publication) {
  const isFirst = sql`${posts.postType} = 'generated' and ${posts.decidedAt} is null`
  return {
    publishedAt: sql`case when ${isFirst} then ${publishedAt}::timestamptz else ${posts.publishedAt} end`,
    publishedOn: sql`case when ${isFirst} then ${publishedOn}::date else ${posts.publishedOn} end`,
  }
}

/**
 * The admin and the registered authors of posts. `decide` locks them, so that none of these accounts is deleted meanwhile.
 * The ids are one array: with `or`, or with `in`, Postgres scans all users.
 */
export function peopleToLock(db: Db, postIds: string[], adminId: string) {
  const authorIds = db.select({ id: posts.authorId }).from(posts).where(inArray(posts.id, postIds))
  return db
    .select({ id: users.id })
    .from(users)
    .where(
      and(sql`${users.id} = any(array(${authorIds} union select ${adminId}))`, eq(users.isAnonymous, false)),
    )
    .orderBy(users.id)
    .$dynamic()
}

async function namesOf(db: Db, ids: (string | null)[]): Promise<string[]> {
  const known = [...new Set(ids)].filter((id) => id !== null)
  const rows = await db
    .select({ name: personName('users') })
    .from(users)
    .where(inArray(users.id, known))
    .orderBy(personName('users'))
  return rows.flatMap(({ name }) => name ?? [])
}
