import { sql } from 'drizzle-orm'
import type { EncryptedTable } from '#server/features/day-texts/index.ts'
import { draftTextKind } from './queries.ts'

interface StoredText extends Record<string, unknown> {
  userId: string
  id: string
  content: Buffer
  keyId: string | null
}

/** Bounds the bytes in memory: a draft has 400 KB at most. */
const batchSize = 20

export const encryptedDrafts: EncryptedTable = {
  name: 'drafts',
  async encryptAgain(db, vault, cipher) {
    let count = 0
    let after = { userId: '', id: '00000000-0000-0000-0000-000000000000' }
    for (;;) {
      const { rows } = await db.execute<StoredText>(sql`
        select user_id as "userId", id, content, key_id as "keyId" from drafts
        where (user_id, id) > (${after.userId}, ${after.id}::uuid) order by user_id, id limit ${batchSize}`)
      const last = rows.at(-1)
      if (last === undefined) return count
      const encrypted = rows.map(({ userId, id, ...stored }) => {
        const textId = { kind: draftTextKind, userId, key: id }
        return cipher.encrypt(vault.decrypt(stored, textId), textId)
      })
      await db.execute(sql`
        update drafts as stored set content = fresh.content, key_id = ${cipher.keyId}
        from unnest(${sql.param(rows.map(({ userId }) => userId))}::text[], ${sql.param(rows.map(({ id }) => id))}::uuid[],
          ${sql.param(encrypted)}::bytea[]) as fresh (user_id, id, content)
        where stored.user_id = fresh.user_id and stored.id = fresh.id`)
      count += rows.length
      after = last
    }
  },
}
