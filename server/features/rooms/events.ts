import type { InboxEventLoaders } from '#server/features/inbox/index.ts'
import { findRooms } from './queries.ts'

export const roomEventLoaders: Pick<InboxEventLoaders, 'room.invited'> = {
  'room.invited': async (db, personId, events) => {
    const ids = events.map(({ roomId }) => roomId!)
    const rooms = new Map((await findRooms(db, personId, ids)).map((room) => [room.id, room]))
    return ids.map((id) => rooms.get(id))
  },
}
