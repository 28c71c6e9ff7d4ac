import type { PoolConfig } from 'pg'
import { systemClock } from '#server/platform/clock.ts'
import { openDatabase } from '#server/platform/database/pool.ts'
import { newId, systemRandom } from '#server/platform/ids.ts'

interface Task {
  connection: PoolConfig
  places: { room: string; person: string }[]
  content: string
  seconds: number
  round: number
}

// The row of a passage through the server's pool, one writer in each room, and nothing else.
const { connection, places, content, seconds, round } = JSON.parse(process.argv[2]!) as Task
const { pool } = openDatabase({ connection, clock: systemClock })
const end = performance.now() + seconds * 1000
let count = 0

await Promise.all(
  places.map(async ({ room, person }) => {
    // Far from the positions that the server gives.
    for (let position = (round + 1) * 10_000_000; performance.now() < end; position++) {
      await pool.query(
        `insert into room_messages (room_id, position, id, user_id, content, created_at, event)
         values ($1, $2, $3, $4, $5, app_now(), $2)`,
        [room, position, newId({ clock: systemClock, random: systemRandom }), person, content],
      )
      count++
    }
  }),
)
await pool.end()
console.log(count / seconds)
