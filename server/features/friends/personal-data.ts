import { addInboxEvents, lockInboxes, removeEventsThatName } from '#server/features/inbox/index.ts'
import type { PersonalData } from '#server/feature.ts'
import { listStayingPeople, lockFriendshipsAndBlocksOf } from './queries.ts'

/**
 * A guest has no rows here. When an account is deleted, foreign keys delete its friendships with their messages, its blocks
 * and its own events (S15). The devices of the friends are notified.
 */
export const friendPersonalData: PersonalData = {
  async remove(db, personId, { afterCommit, events }) {
    const friendIds = await listStayingPeople(db, await lockFriendshipsAndBlocksOf(db, personId))
    await lockInboxes(db, { ofPeople: [personId, ...friendIds], thatName: personId })
    await removeEventsThatName(db, personId)
    if (friendIds.length === 0) return
    // Not `friend.removed`: its row would keep the id of the deleted person.
    await addInboxEvents(
      db,
      'friends.changed',
      friendIds.map((id) => ({ personId: id, otherPersonId: null, details: {} })),
    )
    afterCommit(() => events.emit('inboxesChanged', friendIds))
  },
}
