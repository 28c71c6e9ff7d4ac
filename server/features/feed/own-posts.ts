import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { InputOf } from '#contract/endpoint.ts'
import { type changePost, type EditablePost, ownPostIdsMax } from '#contract/feed/own/endpoints.ts'
import type { Post } from '#contract/feed/post.ts'
import type { OwnPost } from '#contract/feed/review/endpoints.ts'
import { wordsOf } from '#contract/text-words.ts'
import { lockPerson } from '#server/features/account/index.ts'
import { pickColumns } from '#server/platform/database/columns.ts'
import { isAfter } from '#server/platform/database/keyset.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { TimeCursor, TimeSlice } from '#server/platform/http/answers/paging.ts'
import { mapInTurns } from '#server/platform/map-in-turns.ts'
import { statusOf } from './admin-posts.ts'
import { isPublished } from './authors.ts'
import { endOfPage, sizeFields } from './page-bytes.ts'
import { beginningOf, digestOf } from './queries.ts'
import { posts } from './schema.ts'
import { keepVersion, moveVersions } from './versions.ts'
import { savePostWords } from './words.ts'

type PostRow = typeof posts.$inferSelect

/** A post of a person, and its new version that waits for review. */
export interface OwnTexts {
  post: PostRow
  waiting: PostRow | undefined
}

/** A post of its author. A waiting version has no address of its own. */
const ownPost = (db: Db, authorId: string, id: string) =>
  db
    .select()
    .from(posts)
    .where(and(eq(posts.id, id), eq(posts.authorId, authorId), isNull(posts.replacesId)))
    .$dynamic()

const waitingVersion = (db: Db, id: string) =>
  db.select().from(posts).where(eq(posts.replacesId, id)).$dynamic()

export async function findOwnTexts(db: Db, authorId: string, id: string): Promise<OwnTexts | undefined> {
  const [post] = await ownPost(db, authorId, id)
  if (post === undefined) return undefined
  const [waiting] = await waitingVersion(db, id)
  return { post, waiting }
}

/**
 * Locks the author, the post and its waiting version until the end of the transaction. Every change locks in this order:
 * people, posts, waiting versions.
 */
export async function lockOwnTexts(db: Db, authorId: string, id: string): Promise<OwnTexts | undefined> {
  await lockPerson(db, authorId)
  const [post] = await ownPost(db, authorId, id).for('update')
  if (post === undefined) return undefined
  const [waiting] = await waitingVersion(db, id).for('update')
  return { post, waiting }
}

/** When the author wrote the text of a row: the base of its next change. */
const writtenAtOf = ({ writtenAt, createdAt }: PostRow) => writtenAt ?? createdAt

export function editableOf({ post, waiting }: OwnTexts): EditablePost {
  const { content, category, tags, form } = waiting ?? post
  const { id, authorName, postType, publishedAt, editedAt } = post
  return {
    id,
    content,
    authorName,
    postType,
    category,
    tags,
    form,
    publishedAt,
    editedAt,
    status: statusOf(post),
    hasWaitingVersion: waiting !== undefined,
    updatedAt: writtenAtOf(waiting ?? post),
  }
}

type Choices = Pick<Post, 'category' | 'tags' | 'form'>
type PostChange = InputOf<typeof changePost>

interface ChangeRules {
  change: PostChange
  /**
   * Asks the caller whether the post, with its new text, appears without review. If so, the change also counts against a
   * limit of the caller.
   */
  mayReplaceAtOnce: (changed: PostRow) => boolean | Promise<boolean>
  newId: () => string
  /** Moves what other features store of a waiting post, which gets another id. */
  move: (toId: string) => Promise<void>
}

export type ChangedText =
  | { outcome: 'conflict'; current: EditablePost }
  /** `isChangePublic`: readers see the new text or the new choices from now on. */
  | {
      outcome: 'done'
      id: string
      status: 'pending' | 'published'
      writtenAt: string
      isChangePublic: boolean
    }

/** Changes a post of its author. Call this in the transaction that has locked the texts. */
export async function changeOwnPost(
  db: Db,
  texts: OwnTexts,
  { change, mayReplaceAtOnce, newId, move }: ChangeRules,
): Promise<ChangedText> {
  const { post, waiting } = texts
  const current = waiting ?? post
  const next = withChange(current, change)
  if (isSame(current, next)) return done(post.id, current)
  if (change.base !== writtenAtOf(current)) return { outcome: 'conflict', current: editableOf(texts) }

  const writtenAt = await timeAfter(db, writtenAtOf(current))
  const text = { ...next, contentDigest: digestOf(next.content), writtenAt }
  const keepIfOther = async (replaced: PostRow) => {
    if (replaced.content !== text.content) await keepReplaced(db, { post, replaced, id: newId() })
  }
  /** The replaced waiting text becomes a version of the post, unless the post or the new text is the same text. */
  const removeWaiting = async () => {
    if (waiting === undefined) return
    if (waiting.content !== post.content) await keepIfOther(waiting)
    await db.delete(posts).where(eq(posts.id, waiting.id))
  }

  if (post.publishedAt === null) {
    // The changed post gets a new id. An approval of the old id is then refused, so no admin approves an unread text.
    const row = newRow(post, { id: newId(), ...text })
    await db.insert(posts).values(row)
    await keepIfOther(post)
    await moveVersions(db, post.id, row.id)
    await move(row.id)
    await db.delete(posts).where(eq(posts.id, post.id))
    return done(row.id, row)
  }
  await removeWaiting()
  if (isSame(post, next)) return done(post.id, post)
  if (await mayReplaceAtOnce({ ...post, ...next })) {
    await replaceText(db, post, { ...text, replacedId: newId() })
    return { ...done(post.id, { ...post, ...text }), isChangePublic: post.isVisible }
  }
  const row = newRow(post, { id: newId(), ...text, replacesId: post.id })
  await db.insert(posts).values(row)
  return done(post.id, row)
}

interface NewText extends Choices {
  content: string
  contentDigest: string
  writtenAt: string
}

/**
 * Gives a published post a new text and new choices. If the text differs, the old text becomes a version of the post, and
 * the post gets the time of the edit.
 */
export async function replaceText(
  db: Db,
  post: PostRow,
  { replacedId, ...text }: NewText & { replacedId: string },
): Promise<void> {
  const isOtherText = post.content !== text.content
  if (isOtherText) await keepReplaced(db, { post, replaced: post, id: replacedId })
  await db
    .update(posts)
    .set({
      ...text,
      ...(isOtherText && { editedAt: sql`app_now()` }),
    })
    .where(eq(posts.id, post.id))
  await savePostWords(db, [post.id])
}

/** Keeps the text of a row, which is the post or its waiting version, as a version of the post. */
export async function keepReplaced(
  db: Db,
  { post, replaced, id }: { post: PostRow; replaced: PostRow; id: string },
): Promise<void> {
  // Without an author there is nobody to keep the text for.
  if (post.authorId === null) return
  await keepVersion(db, {
    id,
    postId: post.id,
    authorId: post.authorId,
    content: replaced.content,
    writtenAt: writtenAtOf(replaced),
    wasPublished: replaced.publishedAt !== null,
  })
}

/**
 * A row that waits for review. The author, the author name, the type and the picture are those of the post. The row is
 * created at the time of the change.
 */
function newRow(
  { authorName, authorId, postType, imageUrl }: PostRow,
  text: NewText & { id: string; replacesId?: string },
) {
  const { writtenAt, ...written } = text
  return { authorName, authorId, postType, imageUrl, ...written, createdAt: writtenAt, writtenAt: null }
}

const done = (
  id: string,
  row: Pick<PostRow, 'createdAt' | 'writtenAt'> & { publishedAt?: string | null },
) => ({
  outcome: 'done' as const,
  id,
  status: statusOf({ publishedAt: row.publishedAt ?? null }),
  writtenAt: row.writtenAt ?? row.createdAt,
  isChangePublic: false,
})

function withChange(current: PostRow, change: PostChange) {
  const { content, category = current.category, tags = current.tags, form = current.form } = change
  return { content, category, tags, form }
}

const isSame = (row: PostRow, next: ReturnType<typeof withChange>) =>
  row.content === next.content &&
  row.category === next.category &&
  row.form === next.form &&
  row.tags.length === next.tags.length &&
  row.tags.every((tag, n) => tag === next.tags[n])

/** The time of the database, but at least 1 ms after `earlier`: no two texts of a post have the same base. */
async function timeAfter(db: Db, earlier: string): Promise<string> {
  const { rows } = await db.execute<{ time: string }>(
    sql`select greatest(app_now(), ${earlier}::timestamptz + interval '1 millisecond')::timestamptz(3) as time`,
  )
  return rows[0]!.time
}

/** The ids of the public posts of a person, newest first: at most `ownPostIdsMax`. */
export async function listPublicPostIds(db: Db, authorId: string): Promise<string[]> {
  const rows = await db
    .select({ id: posts.id })
    .from(posts)
    .where(and(eq(posts.authorId, authorId), isPublished))
    .orderBy(desc(posts.publishedAt), desc(posts.id))
    .limit(ownPostIdsMax)
  return rows.map(({ id }) => id)
}

/** The posts of a person, newest first, with what was decided about them. A waiting version is part of its post. */
export async function listOwnPosts(
  db: Db,
  authorId: string,
  { limit, before }: TimeSlice,
): Promise<{ posts: OwnPost[]; next: TimeCursor | undefined }> {
  const sized = await db
    .select(sizeFields)
    .from(posts)
    .where(
      and(eq(posts.authorId, authorId), isNull(posts.replacesId), isAfter(before, posts.createdAt, posts.id)),
    )
    .orderBy(desc(posts.createdAt), desc(posts.id))
    .limit(limit + 1)
  const { ids, next } = endOfPage(sized, limit)
  const version = alias(posts, 'version')
  const rows = await db
    .select({
      id: posts.id,
      beginning: beginningOf(posts.content),
      ...pickColumns(posts, 'content', 'authorName', 'postType', 'createdAt', 'publishedAt', 'editedAt'),
      waitingVersion: {
        isVisible: version.isVisible,
        decidedAt: version.decidedAt,
        reason: version.decisionReason,
      },
      isVisible: posts.isVisible,
      decidedAt: posts.decidedAt,
      reason: posts.decisionReason,
    })
    .from(posts)
    .leftJoin(version, eq(version.replacesId, posts.id))
    .where(sql`${posts.id} = any(${sql.param(ids)}::uuid[])`)
    .orderBy(desc(posts.createdAt), desc(posts.id))
  const counted = await mapInTurns(rows, ({ content, ...row }) => ({
    ...row,
    wordCount: wordsOf(content).length,
    status: statusOf(row),
  }))
  return { posts: counted, next }
}
