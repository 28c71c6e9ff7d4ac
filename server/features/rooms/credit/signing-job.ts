import { and, eq, isNull, sql } from 'drizzle-orm'
import { headMessage, sealMessage } from '#contract/rooms/credit/formulas.ts'
import { toBase64url } from '#contract/rooms/credit/base64url.ts'
import type { RoomEvents } from '#contract/rooms/live.ts'
import type { Config } from '#server/config.ts'
import type { Needs } from '#server/feature.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { doForEach } from '#server/platform/database/unavailable.ts'
import { publicAddress } from '#server/platform/http/public-address.ts'
import { isEnded, rooms } from '../schema.ts'
import { type Chain, extendChain, lockChain } from './chain.ts'
import { findSigner, type Signer } from './keys.ts'
import { roomChains } from './schema.ts'

export interface SigningDeps extends Pick<Needs, 'config' | 'database' | 'vault'> {
  notifier: { head(head: RoomEvents['room.head']): void }
}

/** The job runs every second, so the head with a new passage is signed within 5 s. A room is signed at most every 4 s. */
const signedEvery = sql.raw(`interval '4 seconds'`)
const roomsAtOnce = 100

/** Signs the heads of rooms with new passages, and seals the rooms that have ended. The longest unsigned ones come first. */
export async function signStories(deps: SigningDeps, signal: AbortSignal): Promise<void> {
  const { config, database, vault, notifier } = deps
  const due = await database
    .select({ id: rooms.id, isEnded })
    .from(roomChains)
    .innerJoin(rooms, eq(rooms.id, roomChains.roomId))
    .where(and(isNull(roomChains.seal), sql`(${isEnded} or ${isHeadDue})`))
    .orderBy(roomChains.signedAt)
    .limit(roomsAtOnce)
  if (due.length === 0) return
  const signer = await findSigner(database, vault)
  // Without a key the rooms stay due.
  if (signer === undefined) return
  await doForEach(due, signal, async ({ id, isEnded: hasEnded }) => {
    if (hasEnded) return database.transaction((tx) => sealRoom(tx, config, signer, id))
    const head = await database.transaction((tx) => signNewHead(tx, config, signer, id))
    if (head !== undefined) notifier.head(head)
  })
}

const isHeadDue = sql`rooms.last_position > signed_position and signed_at <= app_now() - ${signedEvery}`

/** Undefined when another process has locked the chain, or has signed its head in the meantime. */
async function signNewHead(db: Db, config: Config, signer: Signer, roomId: string) {
  const locked = await lockChain(db, roomId, { skipsLocked: true })
  if (locked === undefined || !(await isStillDue(db, roomId))) return undefined
  const chain = await extendChain(db, locked, { skipsLocked: true })
  await db
    .update(roomChains)
    .set({ signedPosition: chain.position, signedAt: sql`app_now()` })
    .where(eq(roomChains.roomId, roomId))
  return signHead(chain, config, signer).event
}

const isStillDue = async (db: Db, roomId: string) =>
  (await db.$count(
    sql`room_chains join rooms on rooms.id = room_id`,
    sql`room_id = ${roomId} and ${isHeadDue}`,
  )) === 1

/**
 * Seals a room that has ended, once. Does nothing for a room that is open, is sealed or has no chain. It stores the end, so
 * that the room stays ended when the clock is set back. The update locks the room, so it waits for passages in progress.
 */
export async function sealRoom(db: Db, config: Config, signer: Signer, roomId: string): Promise<void> {
  const [room] = await db
    .update(rooms)
    .set({ endedAt: sql`coalesce(ended_at, expires_at)` })
    .where(and(eq(rooms.id, roomId), isEnded))
    .returning({ title: rooms.name, endedAt: rooms.expiresAt })
  if (room === undefined) return
  const locked = await lockChain(db, roomId)
  if (locked === undefined) return
  const chain = await extendChain(db, locked)
  const { position, link } = chain
  const { title, endedAt } = room
  const message = sealMessage({ link, count: position, endedMs: Date.parse(endedAt), title })
  const { origin, signature } = signHead(chain, config, signer)
  await db
    .update(roomChains)
    .set({
      link: Buffer.from(link),
      seal: signer.sign(message),
      head: signature,
      key: signer.publicKey,
      origin,
      endedAt,
    })
    .where(eq(roomChains.roomId, roomId))
}

export function signHead({ roomId, position, link }: Chain, config: Config, signer: Signer) {
  const origin = publicAddress(config, '')
  const signature = signer.sign(headMessage({ origin, roomId, position, link }))
  const event: RoomEvents['room.head'] = {
    roomId,
    position,
    link: toBase64url(link),
    signature: toBase64url(signature),
    key: toBase64url(signer.publicKey),
  }
  return { origin, signature, event }
}
