import { and, eq, sql } from 'drizzle-orm'
import {
  type Draft,
  type DraftFields,
  draftsMax,
  draftsMaxMiB,
  type ListedDraft,
} from '#contract/drafts/draft.ts'
import { countWords } from '#contract/text.ts'
import { findDiaryKeyId, isKeyCurrent, type Vault, vaultLocked } from '#server/features/day-texts/index.ts'
import { justAfter } from '#server/platform/database/columns.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { TimeCursor, TimeSlice } from '#server/platform/http/answers/paging.ts'
import { drafts } from './schema.ts'

type DraftRow = typeof drafts.$inferSelect

export const textIdOf = ({ userId, id }: Pick<DraftRow, 'userId' | 'id'>) => ({
  kind: 'draft',
  userId,
  key: id,
})

/** The person whose drafts a query reads or changes, and the vault that encrypts them. */
interface DraftOwner {
  vault: Vault
  userId: string
}

/** Waits until no other transaction changes drafts of this person, so that the count and the sum of sizes are exact. */
export async function lockDrafts(db: Db, userId: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`drafts ${userId}`}, 0))`)
}

const others = (userId: string, id: string) =>
  sql`from drafts where user_id = ${userId} and id <> ${id}::uuid`

const hasSpace = (userId: string, id: string, size: number) =>
  sql`(select coalesce(sum(size), 0) ${others(userId, id)}) + ${size}::int <= ${draftsMaxMiB * 1024 * 1024}::int`

/** The columns of a draft with these fields, and the condition that there is space for it. */
function columnsOf({ vault, userId }: DraftOwner, id: string, { content, ...chosen }: DraftFields) {
  const encrypted = vault.cipher.encrypt(content, textIdOf({ userId, id }))
  const columns = {
    ...chosen,
    content: encrypted,
    keyId: vault.cipher.keyId,
    size: Buffer.byteLength(content),
  }
  return { columns, space: hasSpace(userId, id, columns.size) }
}

interface NewDraft extends DraftFields, Pick<Draft, 'id' | 'postId'> {
  /** When a draft that was written elsewhere was begun and last changed. A later time than now is stored as now. */
  createdAt?: string | undefined
  updatedAt?: string | undefined
}

/** Adds a draft. Returns undefined when the id is in use, when there is no space, or when the key was changed. */
export async function addDraft(
  db: Db,
  owner: DraftOwner,
  { id, postId, createdAt, updatedAt, ...fields }: NewDraft,
): Promise<Draft | undefined> {
  const { columns, space } = columnsOf(owner, id, fields)
  const { content, keyId, size, authorName, postType, form, category, tags } = columns
  const { userId, vault } = owner
  // `app_now()` reads the clock at each call, and the answer has to be the stored `updatedAt`.
  const { rows } = await db.execute<Pick<Draft, 'createdAt' | 'updatedAt'> & Record<string, unknown>>(sql`
    with now as materialized (select least(app_now(), ${updatedAt ?? null}::timestamptz) as at)
    insert into drafts (user_id, id, content, key_id, size, author_name, post_type, form, category, tags, post_id,
      created_at, updated_at)
    select ${userId}::text, ${id}::uuid, ${content}::bytea, ${keyId}::text, ${size}::int, ${authorName}::text,
      ${postType}::text, ${form}::text, ${category}::text, ${sql.param(tags)}::text[], ${postId}::uuid,
      least(at, ${createdAt ?? null}::timestamptz), at
    from now
    where ${isKeyCurrent(vault)} and ${space} and (select count(*) ${others(userId, id)}) < ${draftsMax}::int
    on conflict (user_id, id) do nothing
    returning created_at as "createdAt", updated_at as "updatedAt"`)
  return rows[0] && { id, postId, ...fields, ...rows[0] }
}

/**
 * Changes a draft whose `updatedAt` is the base. Returns undefined when there is none, when there is no space, or when the
 * key was changed.
 */
export async function changeDraft(
  db: Db,
  owner: DraftOwner,
  id: string,
  { base, ...fields }: DraftFields & { base: string },
): Promise<Draft | undefined> {
  const { columns, space } = columnsOf(owner, id, fields)
  const { userId, vault } = owner
  const [changed] = await db
    .update(drafts)
    .set({ ...columns, updatedAt: sql`greatest(app_now(), ${justAfter(drafts.updatedAt)})` })
    .where(and(isDraft(userId, id), eq(drafts.updatedAt, base), isKeyCurrent(vault), space))
    .returning({ postId: drafts.postId, createdAt: drafts.createdAt, updatedAt: drafts.updatedAt })
  return changed && { id, ...fields, ...changed }
}

const isDraft = (userId: string, id: string) => and(eq(drafts.userId, userId), eq(drafts.id, id))

/**
 * Call this after a change that stored nothing. Throws when the vault has another key than the installation. Otherwise returns
 * the stored draft, from which the handler finds the reason.
 */
export async function findAfterRefusedChange(
  db: Db,
  owner: DraftOwner,
  id: string,
): Promise<{ current: Draft | 'damaged' | undefined }> {
  if ((await findDiaryKeyId(db)) !== owner.vault.cipher.keyId) throw vaultLocked()
  return { current: await findDraft(db, owner, id) }
}

export async function findDraft(
  db: Db,
  { vault, userId }: DraftOwner,
  id: string,
): Promise<Draft | 'damaged' | undefined> {
  vault.refuseIfLocked()
  const [row] = await db.select().from(drafts).where(isDraft(userId, id))
  if (row === undefined) return undefined
  const content = vault.decryptOrLog(row, textIdOf(row))
  if (content === undefined) return 'damaged'
  // A refusal sends all that is here: its answer has no schema.
  const { userId: _, keyId: __, size: ___, ...draft } = row
  return { ...draft, content }
}

/** A page ends with the draft that reaches this number of bytes, which bounds the work of decryption. */
const pageBytes = 1024 * 1024
const beginningLength = 200

/** The drafts that were changed last, or before the cursor, whose `createdAt` is here the `updatedAt` of a draft. Skips damaged drafts. */
export async function listDrafts(
  db: Db,
  { vault, userId }: DraftOwner,
  { limit, before }: TimeSlice,
): Promise<{ drafts: ListedDraft[]; next: TimeCursor | undefined }> {
  vault.refuseIfLocked()
  const inOrder = sql`order by updated_at desc, id desc`
  const isBefore =
    before === undefined
      ? sql`true`
      : sql`(updated_at, id) < (${before.createdAt}::timestamptz, ${before.id}::uuid)`
  const { rows } = await db.execute<PageRow>(sql`
    select id, content, key_id as "keyId", updated_at as "updatedAt", post_id as "postId", is_last as "isLast" from (
      select *, sum(size) over (${inOrder}) - size as bytes_before, lead(id) over (${inOrder}) is null as is_last
      from (select * from drafts where user_id = ${userId} and ${isBefore} ${inOrder} limit ${limit + 1}) as found
    ) as counted where bytes_before < ${pageBytes}::int ${inOrder} limit ${limit}`)
  const last = rows.at(-1)
  return {
    drafts: rows.flatMap(({ id, updatedAt, postId, ...stored }) => {
      const content = vault.decryptOrLog(stored, textIdOf({ userId, id }))
      if (content === undefined) return []
      const beginning = Array.from(content.slice(0, 2 * beginningLength))
        .slice(0, beginningLength)
        .join('')
      return [{ id, beginning, wordCount: countWords(content), updatedAt, postId }]
    }),
    next: last && !last.isLast ? { createdAt: last.updatedAt, id: last.id } : undefined,
  }
}

type PageRow = Pick<DraftRow, 'id' | 'content' | 'keyId' | 'updatedAt' | 'postId'> & {
  isLast: boolean
} & Record<string, unknown>

/** Deletes a draft of this person, with `base` only when it is its `updatedAt`. Returns whether there was one. */
export async function removeDraft(db: Db, userId: string, id: string, base?: string): Promise<boolean> {
  const { rowCount } = await db
    .delete(drafts)
    .where(and(isDraft(userId, id), base === undefined ? undefined : eq(drafts.updatedAt, base)))
  return rowCount === 1
}

/** Moves the drafts that change a waiting post to its new id. A change gives a waiting post another id. */
export async function moveDraftsOfPost(
  db: Db,
  { fromId, toId, authorId }: { fromId: string; toId: string; authorId: string },
): Promise<void> {
  await db
    .update(drafts)
    .set({ postId: toId })
    .where(and(eq(drafts.userId, authorId), eq(drafts.postId, fromId)))
}

/** Deletes the drafts of a person that change this post. */
export async function eraseDraftsOfPost(db: Db, userId: string, postId: string): Promise<void> {
  await db.delete(drafts).where(and(eq(drafts.userId, userId), eq(drafts.postId, postId)))
}
