import { and, asc, eq } from 'drizzle-orm'
import type { Head, Receipt } from '#contract/rooms/credit/seal.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { roomMembers, roomPassages } from '../schema.ts'
import { extendChain, lockChain } from './chain.ts'
import { findSigner } from './keys.ts'
import { findSeal, type SealDeps } from './seals.ts'
import { signHead } from './signing-job.ts'

type SignedHead = { origin: string; head: Head }
type Refusal = { refusal: 'NoProof' | 'DiaryLocked' }

/** A signed head over all passages of a room: the head of its seal after the end, and a new one while it is open. */
export async function newestHead(
  db: Db,
  deps: SealDeps,
  room: { id: string; isActive: boolean },
): Promise<SignedHead | Refusal> {
  if (!room.isActive) return headOfSeal(db, deps, room.id)
  const signer = await findSigner(db, deps.vault)
  if (signer === undefined) return { refusal: 'DiaryLocked' }
  return db.transaction(async (tx) => {
    const locked = await lockChain(tx, room.id)
    if (locked === undefined) return { refusal: 'NoProof' }
    const chain = await extendChain(tx, locked)
    const { origin, event } = signHead(chain, deps.config, signer)
    const { roomId: _roomId, ...head } = event
    return { origin, head }
  })
}

async function headOfSeal(db: Db, deps: SealDeps, roomId: string): Promise<SignedHead | Refusal> {
  const found = await findSeal(db, deps, roomId)
  if ('refusal' in found) return found
  const { facts, count, link } = found
  const { origin, key, head: signature } = facts
  return { origin, head: { position: count, link, key, signature } }
}

export const hasWritten = async (db: Db, roomId: string, personId: string): Promise<boolean> =>
  (await db.$count(roomPassages, and(eq(roomPassages.roomId, roomId), eq(roomPassages.userId, personId)))) > 0

/** The receipt of a person; undefined without a passage in the chain of the room. */
export async function findReceipt(
  db: Db,
  { roomId, personId, origin, head }: { roomId: string; personId: string } & SignedHead,
): Promise<Receipt | undefined> {
  const isOwn = and(eq(roomMembers.roomId, roomId), eq(roomMembers.userId, personId))
  const [member] = await db.select({ secret: roomMembers.secret }).from(roomMembers).where(isOwn)
  if (!member?.secret) return undefined
  const passages = await db
    .select({
      position: roomPassages.position,
      time: roomPassages.createdAt,
      salt: roomPassages.salt,
      content: roomPassages.content,
    })
    .from(roomPassages)
    .where(and(eq(roomPassages.roomId, roomId), eq(roomPassages.userId, personId)))
    .orderBy(asc(roomPassages.position))
  return {
    format: 'zimmer/receipt/1',
    origin,
    room: roomId,
    person: personId,
    secret: member.secret.toString('base64url'),
    head,
    passages: passages
      .filter(({ position }) => position <= head.position)
      .map(({ position, time, salt, content }) => ({
        position,
        time,
        // One statement erases salt and text.
        ...(salt === null ? { salt: null, text: null } : { salt: salt.toString('base64url'), text: content }),
      })),
  }
}
