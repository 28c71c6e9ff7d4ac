import { and, eq, sql } from 'drizzle-orm'
import {
  type Document,
  type DocumentFields,
  documentsMax,
  documentsMaxMiB,
  type ListedDocument,
} from '#contract/documents/document.ts'
import { countWords } from '#contract/text.ts'
import { findDiaryKeyId, isKeyCurrent, type Vault, vaultLocked } from '#server/features/day-texts/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { TimeCursor, TimeSlice } from '#server/platform/http/answers/paging.ts'
import { documents } from './schema.ts'

type DocumentRow = typeof documents.$inferSelect

/** The encryption authenticates title and content of each document with these. */
export const textIdsOf = ({ userId, id }: Pick<DocumentRow, 'userId' | 'id'>) => ({
  title: { kind: 'document title', userId, key: id },
  content: { kind: 'document', userId, key: id },
})

/** The person whose documents a query reads or changes, and the vault that encrypts them. */
interface DocumentOwner {
  vault: Vault
  userId: string
}

/** Waits until no other transaction adds documents of this person, so that the count and the sum of sizes are exact. */
export async function lockDocuments(db: Db, userId: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`documents ${userId}`}, 0))`)
}

const hasSpace = (userId: string, size: number) => sql`
  (select count(*) < ${documentsMax}::int and coalesce(sum(size), 0) + ${size}::int <= ${documentsMaxMiB * 1024 * 1024}::int
    from documents where user_id = ${userId})`

/** Adds a document. Returns undefined when the id is in use, when there is no space, or when the key was changed. */
export async function addDocument(
  db: Db,
  { vault, userId }: DocumentOwner,
  { id, source, title, content, createdAt }: DocumentFields & { id: string },
): Promise<Document | undefined> {
  const { cipher } = vault
  const textIds = textIdsOf({ userId, id })
  const size = Buffer.byteLength(content)
  const { rows } = await db.execute<{ addedAt: string }>(sql`
    insert into documents (user_id, id, source, title, content, key_id, size, word_count, created_at, added_at)
    select ${userId}::text, ${id}::uuid, ${source}::text, ${cipher.encrypt(title, textIds.title)}::bytea,
      ${cipher.encrypt(content, textIds.content)}::bytea, ${cipher.keyId}::text, ${size}::int, ${countWords(content)}::int,
      ${createdAt}::timestamptz, app_now()
    where ${isKeyCurrent(vault)} and ${hasSpace(userId, size)}
    on conflict (user_id, id) do nothing
    returning added_at as "addedAt"`)
  return rows[0] && { id, source, title, content, createdAt, addedAt: rows[0].addedAt }
}

const isDocument = (userId: string, id: string) => and(eq(documents.userId, userId), eq(documents.id, id))

/**
 * Call this after an insert that stored nothing. Throws when the vault has another key than the installation. Otherwise
 * returns whether the id is in use.
 */
export async function isDocumentThere(
  db: Db,
  { vault, userId }: DocumentOwner,
  id: string,
): Promise<boolean> {
  if ((await findDiaryKeyId(db)) !== vault.cipher.keyId) throw vaultLocked()
  return (await db.$count(documents, isDocument(userId, id))) === 1
}

export async function findDocument(
  db: Db,
  { vault, userId }: DocumentOwner,
  id: string,
): Promise<Document | 'damaged' | undefined> {
  vault.refuseIfLocked()
  const [row] = await db.select().from(documents).where(isDocument(userId, id))
  if (row === undefined) return undefined
  const textIds = textIdsOf(row)
  const { source, keyId, createdAt, addedAt } = row
  const title = vault.decryptOrLog({ content: row.title, keyId }, textIds.title)
  const content = vault.decryptOrLog({ content: row.content, keyId }, textIds.content)
  if (title === undefined || content === undefined) return 'damaged'
  return { id, source, title, content, createdAt, addedAt }
}

/** The documents that were added last, or before the cursor. Skips documents with a damaged title. */
export async function listDocuments(
  db: Db,
  { vault, userId }: DocumentOwner,
  { limit, before }: TimeSlice,
): Promise<{ documents: ListedDocument[]; next: TimeCursor | undefined }> {
  vault.refuseIfLocked()
  const isBefore =
    before === undefined
      ? sql`true`
      : sql`(added_at, id) < (${before.createdAt}::timestamptz, ${before.id}::uuid)`
  const { rows } = await db.execute<ListedRow>(sql`
    select id, source, title, key_id as "keyId", word_count as "wordCount", created_at as "createdAt", added_at as "addedAt"
    from documents where user_id = ${userId} and ${isBefore}
    order by added_at desc, id desc limit ${limit + 1}`)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    documents: shown.flatMap(({ title: content, keyId, ...listed }) => {
      const title = vault.decryptOrLog({ content, keyId }, textIdsOf({ userId, id: listed.id }).title)
      return title === undefined ? [] : [{ ...listed, title }]
    }),
    next: last && rows.length > limit ? { createdAt: last.addedAt, id: last.id } : undefined,
  }
}

type ListedRow = Pick<
  DocumentRow,
  'id' | 'source' | 'title' | 'keyId' | 'wordCount' | 'createdAt' | 'addedAt'
> &
  Record<string, unknown>

/** Deletes a document of this person. Returns whether there was one. */
export async function removeDocument(db: Db, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.delete(documents).where(isDocument(userId, id))
  return rowCount === 1
}
