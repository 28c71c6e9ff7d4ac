import { sql } from 'drizzle-orm'
import { pathOf } from '#contract/endpoint.ts'
import { sendPassage } from '#contract/rooms/endpoints.ts'
import { hashOfToken } from '#server/features/account/sessions.ts'
import { systemClock } from '#server/platform/clock.ts'
import { type Database, openDatabase } from '#server/platform/database/pool.ts'
import { newId, newPersonId, systemRandom } from '#server/platform/ids.ts'
import { connectionOf } from './instance.ts'

/** Works on the database of a running instance, beside its server. */
export async function withDatabase<T>(dataDir: string, work: (db: Database) => Promise<T>): Promise<T> {
  const connection = await connectionOf(dataDir)
  const db = openDatabase({ connection, clock: systemClock, max: 2, statementTimeoutMs: 600_000 })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

export interface Person {
  id: string
  /** Of a session that is open. */
  cookie: string
}

/** Registered people who are signed in; by hashing their passcodes that would take minutes. */
export async function addPeople(db: Database, count: number): Promise<Person[]> {
  const people = Array.from({ length: count }, () => ({
    id: newPersonId(systemRandom),
    token: systemRandom.bytes(32).toString('base64url'),
  }))
  const [ids, hashes] = [people.map(({ id }) => id), people.map(({ token }) => hashOfToken(token))]
  await db.execute(sql`
    insert into users (id, username, first_name, created_at)
    select id, id, 'Ana', app_now() from unnest(${sql.param(ids)}::text[]) id`)
  await db.execute(sql`
    insert into sessions (token_hash, user_id, opened_at, last_seen_at, expires_at)
    select hash, id, app_now(), app_now(), app_now() + interval '1 day'
    from unnest(${sql.param(ids)}::text[], ${sql.param(hashes)}::text[]) one (id, hash)`)
  await db.execute(sql`analyze users, sessions`)
  return people.map(({ id, token }) => ({ id, cookie: `sid=${token}` }))
}

/** Open rooms of these people, each with its members; the first is the creator. */
export async function addRooms(db: Database, members: Person[][]): Promise<string[]> {
  const rooms = members.map((people) => ({ id: newId({ clock: systemClock, random: systemRandom }), people }))
  for (const { id, people } of rooms) {
    await db.execute(sql`
      insert into rooms (id, name, description, is_public, duration, created_at, expires_at, created_by_user_id)
      values (${id}, 'Together', 'A story', true, 120, app_now(), app_now() + interval '2 hours', ${people[0]!.id})`)
    await db.execute(sql`
      insert into room_members (room_id, user_id, joined_at)
      select ${id}, person, app_now() from unnest(${sql.param(people.map((each) => each.id))}::text[]) person`)
  }
  await db.execute(sql`analyze rooms, room_members`)
  return rooms.map(({ id }) => id)
}

export async function writePassage(
  url: string,
  { cookie }: Person,
  room: string,
  content: string,
): Promise<void> {
  const answer = await fetch(`${url}${pathOf(sendPassage, { params: { id: room } })}`, {
    method: sendPassage.method,
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
  })
  const said = await answer.text()
  if (!answer.ok) throw new Error(`A line was answered ${answer.status}: ${said}`)
}
