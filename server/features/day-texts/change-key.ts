import { sql } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Database, Db } from '#server/platform/database/pool.ts'
import type { Random } from '#server/platform/ids.ts'
import { idempotencyKeys, instanceFacts } from '#server/platform/schema.ts'
import { type DayTexts, namesOf, readRows } from './day-texts.ts'
import { createSeal, type Seal } from './seal.ts'
import { findSealedWith, sealedWithFact, Vault } from './vault.ts'

interface Sources {
  database: Database
  config: Pick<Config, 'diaryKey' | 'newDiaryKey'>
  random: Random
}

const batchSize = 200

export class KeyRefused extends Error {}

/** Seals every text anew with DIARY_KEY_NEW, all or none; answers the sentence for whoever asked. */
export async function changeDiaryKey(
  { database, config, random }: Sources,
  tables: readonly DayTexts[],
): Promise<string> {
  if (config.newDiaryKey === undefined)
    throw new KeyRefused(
      'Set DIARY_KEY_NEW to the new key, 64 hexadecimal digits, and DIARY_KEY to the one in use.',
    )
  const vault = new Vault(createSeal(config.diaryKey, random))
  const seal = createSeal(config.newDiaryKey, random)
  let count = 0
  await database.transaction(async (tx) => {
    // Saves wait from here on, and then see which key counts.
    for (const texts of tables)
      await tx.execute(sql`lock table ${namesOf(texts).table} in share row exclusive mode`)
    if ((await findSealedWith(tx)) !== vault.seal.keyId)
      throw new KeyRefused('DIARY_KEY is not the key that the texts are sealed with. Nothing was changed.')
    for (const texts of tables) count += await sealAnew(tx, texts, vault, seal)
    // They know what was sent by digests that the old key made: no repeat would be recognised.
    await tx.delete(idempotencyKeys)
    const value = seal.keyId!
    await tx
      .insert(instanceFacts)
      .values({ name: sealedWithFact, value })
      .onConflictDoUpdate({ target: instanceFacts.name, set: { value } })
  })
  return `${count} texts are sealed with the new key: start the server with it as DIARY_KEY.`
}

async function sealAnew(db: Db, texts: DayTexts, vault: Vault, seal: Seal): Promise<number> {
  const { table, dayColumn } = namesOf(texts)
  let count = 0
  let after = { userId: '', day: '-infinity' }
  for (;;) {
    const isNext = sql`(user_id, ${dayColumn}) > (${after.userId}, ${after.day}::date)`
    const rows = await readRows(db, texts, isNext, batchSize)
    const last = rows.at(-1)
    if (last === undefined) return count
    const sealed = rows.map(({ userId, day, ...row }) => {
      const place = { kind: texts.kind, userId, day }
      return seal.close(vault.open(row, place), place)
    })
    await db.execute(sql`
      update ${table} as stored set content = fresh.content, key_id = ${seal.keyId}
      from unnest(${sql.param(rows.map(({ userId }) => userId))}::text[], ${sql.param(rows.map(({ day }) => day))}::date[],
        ${sql.param(sealed)}::bytea[]) as fresh (user_id, day, content)
      where stored.user_id = fresh.user_id and stored.${dayColumn} = fresh.day`)
    count += rows.length
    after = last
  }
}
