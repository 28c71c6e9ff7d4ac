import { sql } from 'drizzle-orm'
import type { EncryptedTable } from '#server/features/day-texts/index.ts'
import { messageTextKind } from './add-message.ts'

interface StoredText extends Record<string, unknown> {
  id: string
  senderId: string
  content: Buffer
  keyId: string | null
}

/** Bounds the bytes in memory: a copied diary entry has 400 KB at most. */
const batchSize = 50

export const encryptedMessages: EncryptedTable = {
  name: 'direct_messages',
  async encryptAgain(db, vault, cipher) {
    let count = 0
    let after = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const { rows } = await db.execute<StoredText>(sql`
        select id, sender_id as "senderId", content, key_id as "keyId" from direct_messages
        where id > ${after}::uuid order by id limit ${batchSize}`)
      const last = rows.at(-1)
      if (last === undefined) return count
      const encrypted = rows.map(({ id, senderId, ...stored }) => {
        const textId = { kind: messageTextKind, userId: senderId, key: id }
        return cipher.encrypt(vault.decrypt(stored, textId), textId)
      })
      await db.execute(sql`
        update direct_messages as stored set content = fresh.content, key_id = ${cipher.keyId}
        from unnest(${sql.param(rows.map(({ id }) => id))}::uuid[], ${sql.param(encrypted)}::bytea[]) as fresh (id, content)
        where stored.id = fresh.id`)
      count += rows.length
      after = last.id
    }
  },
}
