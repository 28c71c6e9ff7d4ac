import type { PersonalData } from '#server/platform/personal-data.ts'
import { movePendingPosts, removeAuthor, removeDecider } from './queries.ts'

/**
 * Pending posts are moved or deleted. Published posts stay, without a link to their author, and decisions without the name
 * of the admin (S15, S16). Like a decision, the removal locks posts before inboxes.
 */
export const feedPersonalData = (onChangedDay: (day: string) => void): PersonalData => ({
  move: movePendingPosts,
  async remove(db, personId, afterCommit) {
    await removeDecider(db, personId)
    const days = await removeAuthor(db, personId)
    afterCommit(() => days.forEach(onChangedDay))
  },
})
