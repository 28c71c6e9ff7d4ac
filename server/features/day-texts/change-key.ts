import { sql } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Needs } from '#server/feature.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { idempotencyKeys, instanceFacts } from '#server/platform/schema.ts'
import type { DayTexts } from './day-texts.ts'
import { type EncryptedTable, encryptedTable } from './encrypted-table.ts'
import { createTextCipher } from './text-cipher.ts'
import { textKeyFact, findDiaryKeyId, Vault } from './vault.ts'

interface Sources extends Pick<Needs, 'database' | 'random'> {
  config: Pick<Config, 'diaryKey' | 'newDiaryKey'>
}

export const encryptedDays = ({ kind, table, day }: DayTexts) =>
  encryptedTable<string>({
    name: table,
    primaryKey: { user_id: 'text', [day]: 'date' },
    texts: { content: (row) => ({ kind, userId: row['user_id']!, key: row[day]! }) },
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
