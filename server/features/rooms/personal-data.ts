import type { PersonalData } from '#server/feature.ts'
import { leaveRooms } from './queries.ts'

/**
 * A guest has no rows here. When an account is deleted, foreign keys delete its memberships and its name on passages
 * (S15). The rooms are updated before: deleting a room locks the room first and then its members, in the same order.
 */
export const roomPersonalData: PersonalData = {
  move: async () => {},
  async remove(db, personId, { afterCommit, events }) {
    if (await leaveRooms(db, personId)) afterCommit(() => events.emit('shelfChanged'))
  },
}
