import { sql } from 'drizzle-orm'
import type { EncryptedTable } from '#server/features/day-texts/index.ts'
import { textIdsOf } from './queries.ts'

interface StoredText extends Record<string, unknown> {
  userId: string
  id: string
  title: Buffer
  content: Buffer
  keyId: string | null
}

/** Bounds the bytes in memory: a document has 2 MB at most. */
const batchSize = 5

export const encryptedDocuments: EncryptedTable = {
  name: 'documents',
  async encryptAgain(db, vault, cipher) {
    let count = 0
    let after = { userId: '', id: '00000000-0000-0000-0000-000000000000' }
    for (;;) {
      const { rows } = await db.execute<StoredText>(sql`
        select user_id as "userId", id, title, content, key_id as "keyId" from documents
        where (user_id, id) > (${after.userId}, ${after.id}::uuid) order by user_id, id limit ${batchSize}`)
      const last = rows.at(-1)
      if (last === undefined) return count
      const encrypted = (field: 'title' | 'content') =>
        rows.map((row) => {
          const textId = textIdsOf(row)[field]
          return cipher.encrypt(vault.decrypt({ content: row[field], keyId: row.keyId }, textId), textId)
        })
      await db.execute(sql`
        update documents as stored set title = fresh.title, content = fresh.content, key_id = ${cipher.keyId}
        from unnest(${sql.param(rows.map(({ userId }) => userId))}::text[], ${sql.param(rows.map(({ id }) => id))}::uuid[],
          ${sql.param(encrypted('title'))}::bytea[], ${sql.param(encrypted('content'))}::bytea[])
          as fresh (user_id, id, title, content)
        where stored.user_id = fresh.user_id and stored.id = fresh.id`)
      count += rows.length
      after = last
    }
  },
}
