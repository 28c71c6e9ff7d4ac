import type { ErasedInRoom } from '#contract/inbox/notification.ts'
import type { EventReference, InboxEventLoaders } from '#server/features/inbox/index.ts'
import { findRooms } from '#server/features/rooms/index.ts'
import type { Db } from '#server/platform/database/pool.ts'

export const erasingEventLoaders: Pick<InboxEventLoaders, 'post.erased' | 'passage.erased' | 'aside.erased'> =
  {
    'post.erased': async (_db, _personId, events) =>
      events.map(({ id, writtenAt, erasedAt, what, reason }) => ({
        id: id!,
        writtenAt: writtenAt!,
        erasedAt: erasedAt!,
        what: what === 'version' ? 'version' : 'post',
        reason: reason ?? null,
      })),
    'passage.erased': findErasedInRooms,
    'aside.erased': findErasedInRooms,
  }

async function findErasedInRooms(
  db: Db,
  personId: string,
  events: EventReference[],
): Promise<(ErasedInRoom | undefined)[]> {
  const roomIds = events.map(({ roomId }) => roomId!)
  const rooms = new Map((await findRooms(db, personId, roomIds)).map((room) => [room.id, room]))
  return events.map(({ id, roomId, erasedAt, reason }) => {
    const room = rooms.get(roomId!)
    return room && { id: id!, room, erasedAt: erasedAt!, reason: reason ?? null }
  })
}
