import { sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/pool.ts'
import { vectorOf } from '#server/platform/search/words.ts'

interface Named {
  id: string
  name: string
  description: string
}

/** Stores the words of rooms, whose name and description never change. */
export async function saveRoomWords(db: Db, rooms: readonly Named[]): Promise<void> {
  const words = await Array.fromAsync(rooms, vectorOfRoom)
  await db.execute(sql`
    insert into room_words (room_id, words)
    select * from unnest(${sql.param(rooms.map(({ id }) => id))}::uuid[],
      ${sql.param(words)}::tsvector[]) new (id, words)
    where exists (select 1 from rooms where id = new.id)
    on conflict do nothing`)
}

/** The name stands before the description, as a title does. */
const vectorOfRoom = ({ name, description }: Named) => vectorOf(`${name}\n${description}`, name.length, [])

/** How many rooms a step of `addMissingRoomWords` examines: so few that other requests do not wait for their words (S51). */
const examinedAtOnce = 100

/** The rooms of one step, and whether each has no words. `offset 0` keeps Postgres from reading the words of all rooms. */
export const selectMadeBefore = (cursor: { at: string; id: string } | undefined, since: string) => sql`
  select id, name, description, created_at as at,
    not exists (select 1 from room_words where room_id = rooms.id offset 0) as "isMissing"
  from rooms where created_at >= ${since}::timestamptz ${
    cursor === undefined ? sql`` : sql`and (created_at, id) < (${cursor.at}::timestamptz, ${cursor.id}::uuid)`
  }
  order by created_at desc, id desc limit ${examinedAtOnce}`

/** Stores the words of rooms that have none: rooms of before the search, the newest first, or those made since a time. */
export async function addMissingRoomWords(db: Db, signal: AbortSignal, since = '-infinity'): Promise<void> {
  let cursor: { at: string; id: string } | undefined
  do {
    const { rows } = await db.execute<Named & { at: string; isMissing: boolean } & Record<string, unknown>>(
      selectMadeBefore(cursor, since),
    )
    const missing = rows.filter(({ isMissing }) => isMissing)
    if (missing.length > 0) await saveRoomWords(db, missing)
    cursor = rows.length === examinedAtOnce ? rows.at(-1) : undefined
  } while (cursor !== undefined && !signal.aborted)
}
