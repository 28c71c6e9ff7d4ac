import { type SQLWrapper, sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/pool.ts'
import type { TextCipher, TextId } from './text-cipher.ts'
import type { Vault } from './vault.ts'

export interface EncryptedTable {
  name: string
  /** Encrypts every text anew; returns how many rows there are. */
  encryptAgain: (db: Db, vault: Vault, cipher: TextCipher) => Promise<number>
}

interface Description<Name extends string> {
  name: string
  /** The columns of the primary key in their order, with their types. */
  primaryKey: Record<string, 'text' | 'uuid' | 'date'>
  /** By the name of an encrypted column: the id of the text that a row has there. A row may have null there. */
  texts: Record<string, (row: Record<Name, string>) => TextId>
}

type StoredRow = Record<string, unknown> & { key_id: string | null }

const batchSize = 200
/** A batch ends with the row that exceeds so many bytes of text. */
const batchBytes = 1024 * 1024

/** A table with encrypted texts. Its column `key_id` names their encryption key. Their ids are made from the columns `Name`. */
export function encryptedTable<Name extends string>({
  name,
  primaryKey,
  texts,
}: Description<Name>): EncryptedTable {
  const table = sql.identifier(name)
  const keyNames = Object.keys(primaryKey).map((column) => sql.identifier(column))
  const keyTypes = Object.values(primaryKey).map((type) => sql.raw(type))
  const textNames = Object.keys(texts).map((column) => sql.identifier(column))
  const inOrder = sql`order by ${listOf(keyNames)}`
  const size = sql.join(
    textNames.map((column) => sql`coalesce(octet_length(${column}), 0)`),
    sql` + `,
  )

  /** The rows after `last`, or the first rows; fewer when their texts are long. */
  async function readBatch(db: Db, last: StoredRow | undefined): Promise<StoredRow[]> {
    const lastKey = Object.keys(primaryKey).map((column, n) => sql`${last?.[column]}::${keyTypes[n]}`)
    const isNext = last === undefined ? sql`true` : sql`(${listOf(keyNames)}) > (${listOf(lastKey)})`
    const { rows } = await db.execute<StoredRow>(sql`
      select * from (
        select *, sum(${size}) over (${inOrder}) - (${size}) as bytes_before
        from (select * from ${table} where ${isNext} ${inOrder} limit ${batchSize}) as next
      ) as counted where bytes_before < ${batchBytes} ${inOrder}`)
    return rows
  }

  async function encryptBatch(
    db: Db,
    rows: readonly StoredRow[],
    vault: Vault,
    cipher: TextCipher,
  ): Promise<void> {
    const keys = Object.keys(primaryKey).map(
      (column, n) => sql`${sql.param(rows.map((row) => row[column]))}::${keyTypes[n]}[]`,
    )
    const encrypted = Object.entries(texts).map(([column, idOf]) => {
      const contents = rows.map((row) => {
        const content = row[column] as Buffer | null
        const id = idOf(row as Record<Name, string>)
        return content && cipher.encrypt(vault.decrypt({ content, keyId: row.key_id }, id), id)
      })
      return sql`${sql.param(contents)}::bytea[]`
    })
    await db.execute(sql`
      update ${table} as stored
      set ${listOf(textNames.map((column) => sql`${column} = fresh.${column}`))}, key_id = ${cipher.keyId}
      from unnest(${listOf([...keys, ...encrypted])}) as fresh (${listOf([...keyNames, ...textNames])})
      where (${listOf(keyNames.map((column) => sql`stored.${column}`))}) = (${listOf(keyNames.map((column) => sql`fresh.${column}`))})`)
  }

  return {
    name,
    async encryptAgain(db, vault, cipher) {
      let count = 0
      let rows = await readBatch(db, undefined)
      while (rows.length > 0) {
        await encryptBatch(db, rows, vault, cipher)
        count += rows.length
        rows = await readBatch(db, rows.at(-1))
      }
      return count
    },
  }
}

const listOf = (parts: SQLWrapper[]) => sql.join(parts, sql`, `)
