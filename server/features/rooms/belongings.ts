import type { Belongings } from '#server/platform/belongings.ts'
import { leaveRooms } from './queries.ts'

/**
 * A guest has none here. Of a person who leaves the database takes the memberships, and the name from the passages
 * (S15); the rooms go before, since who deletes a room holds it first and then its members.
 */
export const roomBelongings = (onChangedShelf: () => void): Belongings => ({
  move: async () => {},
  async remove(db, personId, afterCommit) {
    await leaveRooms(db, personId)
    afterCommit(onChangedShelf)
  },
})
