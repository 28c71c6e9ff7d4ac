import { lockInboxes, notifyPeople, removeEventsMentioning } from '#server/features/inbox/index.ts'
import type { PersonalData } from '#server/feature.ts'
import { listStayingPeople, lockFriendshipsAndBlocksOf } from './queries.ts'

/**
 * A guest has no rows here. When an account is deleted, foreign keys delete its friendships with their messages, its blocks
 * and its inbox (S15). Events in other inboxes that mention the person are deleted here, whichever feature added them. The
 * friends get the event `friends.changed`.
 */
export const friendPersonalData: PersonalData = {
  async remove(db, personId, { afterCommit, events }) {
    const friendIds = await listStayingPeople(db, await lockFriendshipsAndBlocksOf(db, personId))
    await lockInboxes(db, { ownerIds: [personId, ...friendIds], mentionedId: personId })
    await removeEventsMentioning(db, personId)
    // Not `friend.removed`: its row would keep the id of the deleted person.
    const changes = friendIds.map((id) => ({ personId: id, otherPersonId: null }))
    await notifyPeople({ db, afterCommit }, events, 'friends.changed', changes)
  },
}
