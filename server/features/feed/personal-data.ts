import type { PersonalData } from '#server/feature.ts'
import { movePendingPosts, removeAuthor, removeDecider } from './queries.ts'

/**
 * Pending posts are moved or deleted. Published posts stay, without a link to their author, and decisions without the name
 * of the admin (S15, S16). Like a decision, the removal locks posts before inboxes.
 */
export const feedPersonalData: PersonalData = {
  move: movePendingPosts,
  async remove(db, personId, { afterCommit, events }) {
    await removeDecider(db, personId)
    const days = await removeAuthor(db, personId)
    afterCommit(() => days.forEach((day) => events.emit('feedDayChanged', day)))
  },
}
