import { sql } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Database, Db } from '#server/platform/database/pool.ts'
import type { Random } from '#server/platform/ids.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { idempotencyKeys, instanceFacts } from '#server/platform/schema.ts'
import { type DayTexts, namesOf, readRows } from './day-texts.ts'
import { createTextCipher, type TextCipher } from './text-cipher.ts'
import { textKeyFact, findDiaryKeyId, Vault } from './vault.ts'

interface Sources {
  database: Database
  config: Pick<Config, 'diaryKey' | 'newDiaryKey'>
  random: Random
}

const batchSize = 200

/** A table with encrypted texts. */
export interface EncryptedTable {
  name: string
  /** Encrypts every text anew; returns how many there are. */
  encryptAgain: (db: Db, vault: Vault, cipher: TextCipher) => Promise<number>
}

export const encryptedDays = (texts: DayTexts): EncryptedTable => ({
  name: texts.table,
  encryptAgain: (db, vault, cipher) => encryptDaysAgain(db, texts, vault, cipher),
})

/** Encrypts every text with DIARY_KEY_NEW, all or none. Returns a sentence for the caller of the command. */
export async function changeDiaryKey(
  { database, config, random }: Sources,
  tables: readonly EncryptedTable[],
): Promise<string> {
  if (config.newDiaryKey === undefined)
    throw new OperatorError(
      'Set DIARY_KEY_NEW to the new key, 64 hexadecimal digits, and DIARY_KEY to the one in use.',
    )
  const vault = new Vault(createTextCipher(config.diaryKey, random))
  const cipher = createTextCipher(config.newDiaryKey, random)
  let count = 0
  await database.transaction(async (tx) => {
    // Saves wait from here on, and then find the new key id. So does a call that locks a row: while it held the row, it would
    // wait for another of these tables.
    for (const { name } of tables) await tx.execute(sql`lock table ${sql.identifier(name)} in exclusive mode`)
    if ((await findDiaryKeyId(tx)) !== vault.cipher.keyId)
      throw new OperatorError(
        'DIARY_KEY is not the key that the texts are encrypted with. Nothing was changed.',
      )
    for (const { encryptAgain } of tables) count += await encryptAgain(tx, vault, cipher)
    // The digests of their inputs were made with the old key: a repeated request would not match.
    await tx.delete(idempotencyKeys)
    const value = cipher.keyId!
    await tx
      .insert(instanceFacts)
      .values({ name: textKeyFact, value })
      .onConflictDoUpdate({ target: instanceFacts.name, set: { value } })
  })
  return `${count} texts are encrypted with the new key: start the server with it as DIARY_KEY.`
}

async function encryptDaysAgain(db: Db, texts: DayTexts, vault: Vault, cipher: TextCipher): Promise<number> {
  const { table, dayColumn } = namesOf(texts)
  let count = 0
  let after = { userId: '', day: '-infinity' }
  for (;;) {
    const isNext = sql`(user_id, ${dayColumn}) > (${after.userId}, ${after.day}::date)`
    const rows = await readRows(db, texts, isNext, batchSize)
    const last = rows.at(-1)
    if (last === undefined) return count
    const encrypted = rows.map(({ userId, day, ...row }) => {
      const id = { kind: texts.kind, userId, key: day }
      return cipher.encrypt(vault.decrypt(row, id), id)
    })
    await db.execute(sql`
      update ${table} as stored set content = fresh.content, key_id = ${cipher.keyId}
      from unnest(${sql.param(rows.map(({ userId }) => userId))}::text[], ${sql.param(rows.map(({ day }) => day))}::date[],
        ${sql.param(encrypted)}::bytea[]) as fresh (user_id, day, content)
      where stored.user_id = fresh.user_id and stored.${dayColumn} = fresh.day`)
    count += rows.length
    after = last
  }
}
