import type { Belongings } from '#server/platform/belongings.ts'
import { movePendingPosts, removeAuthor } from './queries.ts'

/** A person's posts: what waits goes along or away, what is published stays without a name (S15, S16). */
export const feedBelongings = (onChangedDay: (day: string) => void): Belongings => ({
  move: movePendingPosts,
  async remove(db, personId, afterCommit) {
    const days = await removeAuthor(db, personId)
    afterCommit(() => days.forEach(onChangedDay))
  },
})
