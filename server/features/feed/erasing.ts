import { eq } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db } from '#server/platform/database/pool.ts'
import { postsToLock } from './decisions.ts'
import { posts, takenBackPosts } from './schema.ts'
import { removeVersions } from './versions.ts'

/** A post that is there, or that its author took back. Undefined when there is neither. */
export async function findAuthorOfPost(db: Db, id: string): Promise<{ authorId: string | null } | undefined> {
  const authorIn = (table: typeof posts | typeof takenBackPosts) =>
    db.select({ authorId: table.authorId }).from(table).where(eq(table.id, id))
  // One statement: between two of them the author could move the post.
  const [post] = await unionAll(authorIn(posts), authorIn(takenBackPosts))
  return post
}

export interface ErasablePost {
  /** Null for a visitor, and after the account was deleted. */
  authorId: string | null
  writtenAt: string
  /** The day of the feed that shows the post. */
  publishedOn: string | null
  /** 'version': the new text of a published post, which waits for review. */
  what: 'post' | 'version'
}

/**
 * Locks a post, or a waiting version, or a post that its author took back. The caller has locked the author, so the post
 * does not move between the two tables.
 */
export async function lockErasablePost(db: Db, id: string): Promise<ErasablePost | undefined> {
  await postsToLock(db, [id]).for('update')
  const [post] = await db.select().from(posts).where(eq(posts.id, id)).for('update')
  if (post !== undefined) {
    const { authorId, createdAt, publishedOn, replacesId } = post
    const what = replacesId === null ? 'post' : 'version'
    return { authorId, writtenAt: post.writtenAt ?? createdAt, publishedOn, what }
  }
  const [takenBack] = await db.select().from(takenBackPosts).where(eq(takenBackPosts.id, id)).for('update')
  if (takenBack === undefined) return undefined
  const { authorId, createdAt, writtenAt } = takenBack
  return { authorId, writtenAt: writtenAt ?? createdAt, publishedOn: null, what: 'post' }
}

/** Deletes a locked post with its versions. Foreign keys delete its waiting version and its words. */
export async function eraseLockedPost(db: Db, id: string): Promise<void> {
  await db.delete(posts).where(eq(posts.id, id))
  await db.delete(takenBackPosts).where(eq(takenBackPosts.id, id))
  await removeVersions(db, [id])
}
