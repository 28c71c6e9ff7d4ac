import { sql } from 'drizzle-orm'
import type { EncryptedTable } from '#server/features/day-texts/index.ts'
import { copyId, reasonId, type StoredTexts } from './texts.ts'

/** Bounds the bytes in memory: the copy of a shared diary entry has 400 KB at most. */
const batchSize = 50

export const encryptedReports: EncryptedTable = {
  name: 'abuse_reports',
  async encryptAgain(db, vault, cipher) {
    let count = 0
    let after = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const { rows } = await db.execute<StoredTexts & Record<string, unknown>>(sql`
        select id, content, reason, key_id as "keyId" from abuse_reports
        where id > ${after}::uuid order by id limit ${batchSize}`)
      const last = rows.at(-1)
      if (last === undefined) return count
      const copies = rows.map(
        ({ id, content, keyId }) =>
          content && cipher.encrypt(vault.decrypt({ content, keyId }, copyId(id)), copyId(id)),
      )
      const reasons = rows.map(
        ({ id, reason, keyId }) =>
          reason && cipher.encrypt(vault.decrypt({ content: reason, keyId }, reasonId(id)), reasonId(id)),
      )
      await db.execute(sql`
        update abuse_reports as stored set content = fresh.content, reason = fresh.reason, key_id = ${cipher.keyId}
        from unnest(${sql.param(rows.map(({ id }) => id))}::uuid[], ${sql.param(copies)}::bytea[],
          ${sql.param(reasons)}::bytea[]) as fresh (id, content, reason)
        where stored.id = fresh.id`)
      count += rows.length
      after = last.id
    }
  },
}
