import { randomUUID } from 'node:crypto'
import type { PoolConfig } from 'pg'
import { systemClock } from '#server/platform/clock.ts'
import { openDatabase } from '#server/platform/database/pool.ts'

// Inserts the row of a submission through the server's pool, without the server.
const [connection = '', content = '', seconds = ''] = process.argv.slice(2)
const { pool } = openDatabase({ connection: JSON.parse(connection) as PoolConfig, clock: systemClock })
const end = performance.now() + Number(seconds) * 1000
let count = 0

await Promise.all(
  Array.from({ length: 32 }, async () => {
    while (performance.now() < end) {
      await pool.query(
        `insert into posts (id, content, author_name, post_type, is_visible, created_at, submitted_from, content_digest)
         values ($1, $2, 'Ana Lima', 'standard', true, now(), 'bench', $3)`,
        [randomUUID(), `${count++} ${content}`, randomUUID()],
      )
    }
  }),
)
await pool.end()
console.log(count / Number(seconds))
