import { TurnReminder } from '#contract/inbox/notification.ts'
import type { InboxEventLoaders } from '#server/features/inbox/index.ts'
import { findRooms } from './queries.ts'
import { findHeldTurns } from './table/turn-reminders.ts'

export const roomEventLoaders: Pick<InboxEventLoaders, 'room.invited' | 'turn.reminder'> = {
  'room.invited': async (db, personId, events) => {
    const ids = events.map(({ roomId }) => roomId!)
    const rooms = new Map((await findRooms(db, personId, ids)).map((room) => [room.id, room]))
    return ids.map((id) => rooms.get(id))
  },
  'turn.reminder': async (db, personId, events) => {
    const ids = events.map(({ roomId }) => roomId!)
    const rooms = new Map((await findRooms(db, personId, ids)).map((room) => [room.id, room]))
    const turns = await findHeldTurns(db, personId, ids)
    return events.map(({ roomId, turn, what, toldAt }) => {
      const room = rooms.get(roomId!)
      const held = turns.get(roomId!)
      if (room === undefined || held === undefined || String(held.number) !== turn) return undefined
      const told = TurnReminder.shape.told.parse(what)
      return { room, told, toldAt: toldAt!, endsAt: held.endsAt }
    })
  },
}
