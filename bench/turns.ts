import { sql } from 'drizzle-orm'
import { listDueRooms, passOn } from '#server/features/rooms/table/turn-clock.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { withInstance } from './instance.ts'
import { addPeople, addRooms, withDatabase } from './rows.ts'
import { atMost, fact, printTable, quantile } from './table.ts'

const tables = 1000
const seats = 8
const sweeps = 500

await withInstance(async ({ dataDir }) => {
  await withDatabase(dataDir, async (db) => {
    const people = await addPeople(db, 100)
    const members = (n: number) => Array.from({ length: seats }, (_, i) => people[(n + i) % 100]!)
    // As many free rooms lie beside the tables.
    await addRooms(
      db,
      Array.from({ length: 2 * tables }, (_, n) => members(n)),
    )
    await db.execute(sql`
      update rooms set turns = 'round', turn_seconds = 240, passage_max = 500, turn = 1, turn_revision = 1,
        turn_holder = created_by_user_id, turn_ends_at = app_now() + interval '4 minutes',
        turn_due_at = app_now() + interval '1 minute'
      where id in (select id from rooms order by id limit ${tables})`)
    await db.execute(sql`update room_members set table_state = 'ready', seat = 1`)
    await db.execute(sql`vacuum analyze rooms, room_members`)
    const idle = await timesOf(db)
    await db.execute(sql`update rooms set turn_due_at = app_now() where turns = 'round'`)
    const busy = await timesOf(db)
    const due = await listDueRooms(db)
    const start = performance.now()
    for (const { id } of due) await db.transaction((tx) => passOn(tx, id))
    const each = (performance.now() - start) / due.length
    printTable(`${tables} tables of ${seats} people, beside as many free rooms`, [
      fact('the query that finds lapsed turns, none lapsed: p50', `${quantile(idle, 0.5).toFixed(2)} ms`),
      atMost('the same: p99', quantile(idle, 0.99), 10, 'ms', 2),
      fact('the same, all of them lapsed: p50', `${quantile(busy, 0.5).toFixed(2)} ms`),
      atMost('the same: p99', quantile(busy, 0.99), 10, 'ms', 2),
      fact('a lapsed turn passes on', `${each.toFixed(1)} ms`),
    ])
  })
})

async function timesOf(db: Database): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < sweeps; n++) {
    const start = performance.now()
    await listDueRooms(db)
    times.push(performance.now() - start)
  }
  return times
}
