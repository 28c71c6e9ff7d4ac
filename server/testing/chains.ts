import { isNull } from 'drizzle-orm'
import { completeChain } from '#server/features/rooms/credit/chain.ts'
import { roomChains } from '#server/features/rooms/credit/schema.ts'
import type { Db } from '#server/platform/database/pool.ts'

/** Adds all passages to the chains of their rooms. */
export async function completeChains(db: Db): Promise<void> {
  const open = await db.select({ roomId: roomChains.roomId }).from(roomChains).where(isNull(roomChains.seal))
  for (const { roomId } of open) await db.transaction((tx) => completeChain(tx, roomId))
}
