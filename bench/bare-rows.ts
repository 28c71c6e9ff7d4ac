import type { PoolConfig } from 'pg'
import { systemClock } from '#server/platform/clock.ts'
import { openDatabase } from '#server/platform/database/pool.ts'
import { newId, systemRandom } from '#server/platform/ids.ts'

export interface BareRows {
  connection: PoolConfig
  /** Takes the values of a writer, then a position, an id and the content. */
  insert: string
  /** The first values of the rows of each writer. */
  writers: string[][]
  content: string
  seconds: number
  round: number
}

// Inserts rows by a prepared statement through the server's pool, all writers at once, without the server. Prints the rows per
// second.
const { connection, insert, writers, content, seconds, round } = JSON.parse(process.argv[2]!) as BareRows
const { pool } = openDatabase({ connection, clock: systemClock })
const end = performance.now() + seconds * 1000
let count = 0

await Promise.all(
  writers.map(async (values) => {
    // Far above the positions that the server assigns.
    for (let position = (round + 1) * 10_000_000; performance.now() < end; position++) {
      const id = newId({ clock: systemClock, random: systemRandom })
      await pool.query({ name: 'insert', text: insert, values: [...values, position, id, content] })
      count++
    }
  }),
)
await pool.end()
console.log(count / seconds)
