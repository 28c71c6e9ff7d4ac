import { sql } from 'drizzle-orm'
import { pathOf } from '#contract/endpoint.ts'
import { sendPassage } from '#contract/rooms/endpoints.ts'
import { digestOf } from '#server/platform/tokens.ts'
import { pairOf } from '#server/features/friends/index.ts'
import { systemClock } from '#server/platform/clock.ts'
import { type Database, openDatabase } from '#server/platform/database/pool.ts'
import { newId, newPersonId, systemRandom } from '#server/platform/ids.ts'
import { connectionOf } from './instance.ts'

/** Runs the work on the database of a running instance. */
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
  /** The cookie of an open session. */
  cookie: string
}

/** Adds registered people with open sessions. Signing in would take minutes, because of the hashing of passwords. */
export async function addPeople(db: Database, count: number): Promise<Person[]> {
  const people = Array.from({ length: count }, () => ({
    id: newPersonId(systemRandom),
    token: systemRandom.bytes(32).toString('base64url'),
  }))
  const [ids, hashes] = [people.map(({ id }) => id), people.map(({ token }) => digestOf(token))]
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

/** Adds an open room for each list of members, whose first person is the creator. */
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

/** Makes the two people of each pair friends. Returns the ids of the friendships. */
export async function addFriendships(
  db: Database,
  pairs: readonly (readonly [Person, Person])[],
): Promise<string[]> {
  const ids = pairs.map(() => newId({ clock: systemClock, random: systemRandom }))
  const ordered = pairs.map(([one, other]) => pairOf(one.id, other.id))
  await db.execute(sql`
    insert into friendships (id, low_id, high_id, created_at, low_shows_email, high_shows_email)
    select id, low, high, app_now(), true, true from unnest(${sql.param(ids)}::uuid[],
      ${sql.param(ordered.map(({ lowId }) => lowId))}::text[],
      ${sql.param(ordered.map(({ highId }) => highId))}::text[]) one (id, low, high)`)
  await db.execute(sql`analyze friendships`)
  return ids
}

export async function writePassage(
  url: string,
  { cookie }: Person,
  roomId: string,
  content: string,
): Promise<void> {
  const answer = await fetch(`${url}${pathOf(sendPassage, { params: { id: roomId } })}`, {
    method: sendPassage.method,
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
  })
  const said = await answer.text()
  if (!answer.ok) throw new Error(`A passage was answered ${answer.status}: ${said}`)
}

/** Marks all posts as indexed. Otherwise the server would store the words and trigrams of inserted rows while it is measured. */
export async function markPostsIndexed(db: Database): Promise<void> {
  await db.execute(sql`
    insert into post_words (post_id, published_at, words) select id, published_at, '' from posts where published_at is not null
    on conflict do nothing`)
  await db.execute(sql`update post_trigrams set trigrams = '{}' where trigrams is null`)
}
