import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { versionsMax } from '#contract/feed/own/endpoints.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { beginningOf } from './queries.ts'
import { postVersions } from './schema.ts'

/** The versions of a person take at most this many bytes. Beyond it the oldest ones are forgotten. */
const versionsMaxBytes = 32 * 1024 * 1024
/** A version counts for this many bytes beside its text, so that short ones are counted too. */
const bytesBesideText = 4096

export interface ReplacedText {
  id: string
  postId: string
  authorId: string
  content: string
  writtenAt: string
  wasPublished: boolean
}

/** Keeps the replaced text of a post for its author, and forgets the oldest texts over the limits. */
export async function keepVersion(db: Db, text: ReplacedText): Promise<void> {
  await db.insert(postVersions).values({ ...text, replacedAt: sql`app_now()` })
  const { id, replacedAt, postId, authorId, content } = postVersions
  const ofPost = db
    .select({ id })
    .from(postVersions)
    .where(eq(postId, text.postId))
    .orderBy(desc(replacedAt), desc(id))
    .offset(versionsMax)
  const bytes = sql<number>`sum(octet_length(${content}) + ${bytesBesideText}) over (order by ${replacedAt} desc, ${id} desc)`
  const ofPerson = db
    .select({ id, bytes: bytes.as('bytes') })
    .from(postVersions)
    .where(eq(authorId, text.authorId))
    .as('of_person')
  const tooMany = sql`${ofPost} union all select ${ofPerson.id} from ${ofPerson} where ${ofPerson.bytes} > ${versionsMaxBytes}`
  // Two texts of one person may be replaced at the same time. Neither waits for what the other one deletes.
  const free = db
    .select({ id })
    .from(postVersions)
    .where(sql`${id} in (${tooMany})`)
    .for('update', { skipLocked: true })
  await db.delete(postVersions).where(inArray(id, free))
}

/** The versions of a post, the last one first. */
export const listVersions = (db: Db, postId: string, authorId: string) =>
  db
    .select({
      id: postVersions.id,
      beginning: beginningOf(postVersions.content),
      length: sql<number>`length(${postVersions.content})`,
      writtenAt: postVersions.writtenAt,
      replacedAt: postVersions.replacedAt,
      wasPublished: postVersions.wasPublished,
    })
    .from(postVersions)
    .where(and(eq(postVersions.postId, postId), eq(postVersions.authorId, authorId)))
    .orderBy(desc(postVersions.replacedAt), desc(postVersions.id))
    .limit(versionsMax)

export async function findVersion(
  db: Db,
  { id, postId, authorId }: { id: string; postId: string; authorId: string },
) {
  const { content, writtenAt, replacedAt, wasPublished } = postVersions
  const [version] = await db
    .select({ id: postVersions.id, content, writtenAt, replacedAt, wasPublished })
    .from(postVersions)
    .where(and(eq(postVersions.id, id), eq(postVersions.postId, postId), eq(postVersions.authorId, authorId)))
  return version
}

/** A post that waits for review has another id after a change. Its versions follow it. */
export async function moveVersions(db: Db, fromPostId: string, toPostId: string): Promise<void> {
  await db.execute(sql`
    with moved as (delete from post_versions where post_id = ${fromPostId} returning *)
    insert into post_versions (id, post_id, author_id, content, written_at, replaced_at, was_published)
    select id, ${toPostId}::uuid, author_id, content, written_at, replaced_at, was_published from moved`)
}

export async function removeVersions(db: Db, postIds: string[]): Promise<void> {
  await db.delete(postVersions).where(inArray(postVersions.postId, postIds))
}
