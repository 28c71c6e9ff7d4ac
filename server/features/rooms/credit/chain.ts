import { and, eq, isNull, sql } from 'drizzle-orm'
import { firstLink, nextLink, textHashOf, whoOf } from '#contract/rooms/credit/formulas.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { rooms } from '../schema.ts'
import { roomChains } from './schema.ts'

export interface Chain {
  roomId: string
  /** The position of the last passage in the chain. */
  position: number
  link: Uint8Array
}

export async function beginChain(db: Db, roomId: string): Promise<void> {
  await db.insert(roomChains).values({ roomId, signedAt: sql`app_now()` })
}

/**
 * Locks the chain of a room; undefined when it is sealed or missing, or when `skipsLocked` is set and another transaction has
 * locked it. A transaction that also locks the room locks the room first.
 */
export async function lockChain(
  db: Db,
  roomId: string,
  { skipsLocked = false } = {},
): Promise<Chain | undefined> {
  const [chain] = await db
    .select({ position: roomChains.position, link: roomChains.link, createdAt: rooms.createdAt })
    .from(roomChains)
    .innerJoin(rooms, eq(rooms.id, roomChains.roomId))
    .where(and(eq(roomChains.roomId, roomId), isNull(roomChains.seal)))
    .for('no key update', { of: roomChains, ...(skipsLocked && { skipLocked: true }) })
  if (chain === undefined) return undefined
  const { position, link, createdAt } = chain
  return { roomId, position, link: link ?? firstLink({ id: roomId, createdMs: Date.parse(createdAt) }) }
}

/** Passages that are hashed at once: so few that other requests do not wait for it (S51). */
const linkedAtOnce = 100

/**
 * Adds the committed passages to a chain that `lockChain` has locked, and returns the longer chain. With `skipsLocked` it
 * stops before a passage whose author has no secret yet and a locked membership, so that a job never waits for a request.
 */
export async function extendChain(db: Db, chain: Chain, { skipsLocked = false } = {}): Promise<Chain> {
  const { roomId } = chain
  let { position, link } = chain
  await makeSecrets(db, chain, skipsLocked)
  for (;;) {
    const found = await listUnlinked(db, roomId, position)
    const end = found.findIndex(({ hasSecret }) => !hasSecret)
    const linked = (end === -1 ? found : found.slice(0, end)).map((passage) => {
      const { userId, secret, salt, content, createdAt } = passage
      const textHash = textHashOf(salt, content)
      const who = whoOf(secret, userId ?? '')
      position = passage.position
      link = nextLink(link, { position, timeMs: Date.parse(createdAt), textHash, who })
      return { position, salt, textHash: Buffer.from(textHash), who: Buffer.from(who) }
    })
    if (linked.length > 0) await saveLinked(db, roomId, linked)
    if (linked.length < linkedAtOnce) break
  }
  if (position > chain.position)
    await db
      .update(roomChains)
      .set({ position, link: Buffer.from(link) })
      .where(eq(roomChains.roomId, roomId))
  return { roomId, position, link }
}

/** Adds all committed passages to the chain of a room that the caller has locked. */
export async function completeChain(db: Db, roomId: string): Promise<void> {
  const chain = await lockChain(db, roomId)
  if (chain !== undefined) await extendChain(db, chain)
}

/**
 * Completes the chains with passages of a person before the deletion of the account removes the secret of the person. The
 * caller has locked the rooms.
 */
export async function completeChainsOf(db: Db, personId: string): Promise<void> {
  const { rows } = await db.execute<{ roomId: string }>(sql`
    select distinct room_id as "roomId" from room_messages join room_chains using (room_id)
    where user_id = ${personId} and text_hash is null and seal is null order by room_id`)
  for (const { roomId } of rows) await completeChain(db, roomId)
}

/**
 * Makes the secrets of the authors of passages that are not in the chain. `gen_random_uuid` has 122 random bits of the
 * system.
 */
async function makeSecrets(db: Db, { roomId, position }: Chain, skipsLocked: boolean): Promise<void> {
  await db.execute(sql`
    with author as (
      select user_id from room_members
      where room_id = ${roomId} and secret is null
        and user_id in (select user_id from room_messages where room_id = ${roomId} and position > ${position})
      order by user_id for no key update ${sql.raw(skipsLocked ? 'skip locked' : '')}
    )
    update room_members set secret = uuid_send(gen_random_uuid()) from author
    where room_id = ${roomId} and room_members.user_id = author.user_id`)
}

interface Unlinked extends Record<string, unknown> {
  position: number
  createdAt: string
  content: string
  userId: string | null
  salt: Buffer
  secret: Buffer
  hasSecret: boolean
}

/**
 * The passages after a position. A passage that a process of the previous version has written gets its salt here. An author
 * without a membership gets a random secret that is not stored.
 */
async function listUnlinked(db: Db, roomId: string, after: number): Promise<Unlinked[]> {
  const { rows } = await db.execute<Unlinked>(sql`
    select position, created_at as "createdAt", content, passage.user_id as "userId",
      coalesce(salt, uuid_send(gen_random_uuid())) as salt, coalesce(secret, uuid_send(gen_random_uuid())) as secret,
      member.user_id is null or secret is not null as "hasSecret"
    from room_messages passage
    left join room_members member on member.room_id = passage.room_id and member.user_id = passage.user_id
    where passage.room_id = ${roomId} and position > ${after}
    order by position limit ${linkedAtOnce}`)
  return rows
}

async function saveLinked(
  db: Db,
  roomId: string,
  linked: readonly { position: number; salt: Buffer; textHash: Buffer; who: Buffer }[],
): Promise<void> {
  const list = <Field extends keyof (typeof linked)[number]>(field: Field) =>
    sql.param(linked.map((passage) => passage[field]))
  await db.execute(sql`
    update room_messages as stored set salt = fresh.salt, text_hash = fresh.text_hash, who = fresh.who
    from unnest(${list('position')}::int[], ${list('salt')}::bytea[], ${list('textHash')}::bytea[], ${list('who')}::bytea[])
      as fresh (position, salt, text_hash, who)
    where room_id = ${roomId} and stored.position = fresh.position`)
}
