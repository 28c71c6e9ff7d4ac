import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { personName, users } from '#server/features/account/index.ts'
import { pickColumns } from '#server/platform/database/columns.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { replaceText } from './own-posts.ts'
import { type Publication, publicationNow } from './queries.ts'
import { posts } from './schema.ts'
import { savePostWords } from './words.ts'

export interface Decision {
  kind: 'approve' | 'hide' | 'show'
  adminId: string
  /** An admin may decide about an own post too. */
  mayDecideOwn: boolean
  reason: string | undefined
  /** Whether the decision is about posts that wait, so that a post that no longer waits is in conflict. True for an approval. */
  isWaiting: boolean
}

export interface ChangedPost {
  /** The post. That of an approved version is the post whose text it became. */
  id: string
  /** The row that the admin has decided about: the post, or its waiting version. */
  decidedId: string
  isVisible: boolean
  authorId: string | null
  publishedOn: string | null
}

/** The result of `decide`. Only `done` has changed anything. */
export type Decided =
  | { outcome: 'unknown' }
  | { outcome: 'own' }
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
  { kind, adminId, mayDecideOwn, reason, isWaiting }: Decision,
  { timeZone, newId }: { timeZone: string; newId: () => string },
): Promise<Decided> {
  // Every change locks people first, then posts, then waiting versions, and all in one order, so that two decisions cannot deadlock.
  const locked = await peopleToLock(db, ids, adminId).for('key share')
  const otherAuthors = locked.map(({ id }) => id).filter((id) => id !== adminId)
  await postsToLock(db, ids).for('update')
  const found = await db
    .select(pickColumns(posts, 'id', 'authorId', 'replacesId', 'publishedAt', 'isVisible', 'decidedById'))
    .from(posts)
    .where(inArray(posts.id, ids))
    .orderBy(isNotNull(posts.replacesId), posts.id)
    .for('update')
  if (found.length < ids.length) return { outcome: 'unknown' }
  if (!mayDecideOwn && found.some(({ authorId }) => authorId === adminId)) return { outcome: 'own' }

  const isVisibleAfter = kind !== 'hide'
  const toChange: string[] = []
  const versions: string[] = []
  const conflicts: (string | null)[] = []
  for (const { id, replacesId, publishedAt, isVisible, decidedById } of found) {
    const isInQueue = publishedAt === null && isVisible
    const isDone = kind === 'approve' ? publishedAt !== null : isVisible === isVisibleAfter
    if (isDone) {
      if (decidedById !== null && decidedById !== adminId) conflicts.push(decidedById)
    } else if (isWaiting && !isInQueue) conflicts.push(decidedById)
    else if (kind === 'approve' && replacesId !== null) versions.push(id)
    else toChange.push(id)
  }
  if (conflicts.length > 0) {
    const byOthers = conflicts.filter((id) => id !== adminId)
    const isOwn = byOthers.length === 0
    const { length: count } = isOwn ? conflicts : byOthers
    return { outcome: 'conflict', count, names: await namesOf(db, byOthers), isOwn }
  }

  const publication = await publicationNow(db, timeZone)
  const decision = {
    decidedAt: publication.publishedAt,
    decidedById: adminId,
    decisionReason: reason || null,
  }
  const changed = await db
    .update(posts)
    .set({
      ...(kind === 'approve' && publication),
      ...(kind === 'show' && publishedWhenFirstShown(publication)),
      ...(kind !== 'approve' && { isVisible: isVisibleAfter }),
      ...decision,
    })
    .where(inArray(posts.id, toChange))
    .returning({ ...changedFields, decidedId: posts.id })
  // The text may have changed while the post was hidden. An approved post has no words yet, and gets them after the commit.
  if (kind === 'show') await savePostWords(db, toChange)
  for (const id of versions) changed.push(await approveVersion(db, id, { decision, newId }))
  return { outcome: 'done', changed, decidedAt: publication.publishedAt, otherAuthors }
}

const changedFields = pickColumns(posts, 'id', 'isVisible', 'authorId', 'publishedOn')

/** The text of a waiting version becomes that of its post. A hidden post stays hidden, with the decision that hid it. */
async function approveVersion(
  db: Db,
  id: string,
  {
    decision,
    newId,
  }: {
    decision: { decidedAt: string; decidedById: string; decisionReason: string | null }
    newId: () => string
  },
): Promise<ChangedPost> {
  const [version] = await db.delete(posts).where(eq(posts.id, id)).returning()
  const { content, category, tags, form, contentDigest, createdAt } = version!
  const [post] = await db.select().from(posts).where(eq(posts.id, version!.replacesId!))
  await replaceText(db, post!, {
    content,
    category,
    tags,
    form,
    contentDigest,
    writtenAt: createdAt,
    replacedId: newId(),
  })
  if (post!.isVisible) await db.update(posts).set(decision).where(eq(posts.id, post!.id))
  const { id: postId, isVisible, authorId, publishedOn } = post!
  return { id: postId, decidedId: id, isVisible, authorId, publishedOn }
}

/** The posts of these ids. The post of a waiting version is one of them, the version is not. */
export const postsToLock = (db: Db, ids: string[]) => {
  const postIds = db
    .select({ id: sql`coalesce(${posts.replacesId}, ${posts.id})` })
    .from(posts)
    .where(inArray(posts.id, ids))
  return db
    .select({ id: posts.id })
    .from(posts)
    .where(sql`${posts.id} = any(array(${postIds}))`)
    .orderBy(posts.id)
    .$dynamic()
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
