import { and, eq, isNotNull } from 'drizzle-orm'
import type { SealFacts } from '#contract/rooms/credit/write-seal.ts'
import type { Needs } from '#server/feature.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { rooms } from '../schema.ts'
import { findSigner } from './keys.ts'
import { roomChains } from './schema.ts'
import { sealRoom } from './signing-job.ts'

export type SealDeps = Pick<Needs, 'config' | 'vault'>

/** The seal of a story and the last link of its chain, or why there is none. */
export type FoundSeal =
  { facts: SealFacts; count: number; link: string } | { refusal: 'NoProof' | 'DiaryLocked' }

/** The seal of a room that has ended. Seals the room when the job has not done so yet. */
export async function findSeal(db: Db, { config, vault }: SealDeps, roomId: string): Promise<FoundSeal> {
  const found = await readSeal(db, roomId)
  if (found !== undefined) return found
  if ((await db.$count(roomChains, eq(roomChains.roomId, roomId))) === 0) return { refusal: 'NoProof' }
  const signer = await findSigner(db, vault)
  if (signer === undefined) return { refusal: 'DiaryLocked' }
  await db.transaction((tx) => sealRoom(tx, config, signer, roomId))
  return (await readSeal(db, roomId)) ?? { refusal: 'NoProof' }
}

async function readSeal(db: Db, roomId: string): Promise<FoundSeal | undefined> {
  const [sealed] = await db
    .select({ chain: roomChains, title: rooms.name, createdAt: rooms.createdAt })
    .from(roomChains)
    .innerJoin(rooms, eq(rooms.id, roomChains.roomId))
    .where(and(eq(roomChains.roomId, roomId), isNotNull(roomChains.seal)))
  if (sealed === undefined) return undefined
  const { chain, title, createdAt } = sealed
  const text = (bytes: Buffer | null) => bytes!.toString('base64url')
  return {
    count: chain.position,
    link: text(chain.link),
    facts: {
      origin: chain.origin!,
      room: roomId,
      title,
      createdAt,
      endedAt: chain.endedAt!,
      key: text(chain.key),
      head: text(chain.head),
      seal: text(chain.seal),
    },
  }
}
