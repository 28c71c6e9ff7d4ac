import type { PersonalData } from '#server/platform/personal-data.ts'
import { movePendingPosts, removeAuthor } from './queries.ts'

/** Pending posts are moved or deleted. Published posts stay, without a link to their author (S15, S16). */
export const feedPersonalData = (onChangedDay: (day: string) => void): PersonalData => ({
  move: movePendingPosts,
  async remove(db, personId, afterCommit) {
    const days = await removeAuthor(db, personId)
    afterCommit(() => days.forEach(onChangedDay))
  },
})
