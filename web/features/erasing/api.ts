import { listAbuseReports } from '#contract/abuse-reports/endpoints.ts'
import { countWaiting, getStats } from '#contract/admin/endpoints.ts'
import { erasePassage, erasePost } from '#contract/erasing/endpoints.ts'
import { listPendingPosts } from '#contract/feed/endpoints.ts'
import { getFeedDay, getPost } from '#contract/feed/reading/endpoints.ts'
import { listAdminPosts, listOwnPosts, listTodaysPosts } from '#contract/feed/review/endpoints.ts'
import { listPassages } from '#contract/rooms/endpoints.ts'
import { useAction } from '#web/lib/api.ts'
import type { Erasable } from './use-erase.tsx'

const showPosts = [
  listPendingPosts,
  listAdminPosts,
  listTodaysPosts,
  listOwnPosts,
  getStats,
  countWaiting,
  getFeedDay,
  getPost,
]

/**
 * Erases a text. A passage that cannot be found was erased before. A post that cannot be found may have another id: its author
 * has changed it, or another admin has decided about it. The server answers success for a post that was erased before.
 */
export function useErasure() {
  const post = useAction(erasePost, { refreshes: [...showPosts, listAbuseReports] })
  const passage = useAction(erasePassage, {
    refreshes: [listPassages, listAbuseReports],
    doneBy: 'PassageNotFound',
  })
  return async (text: Erasable, reason: string) => {
    const input = reason === '' ? {} : { input: { reason } }
    if (text.kind === 'passage')
      await passage.run({ params: { id: text.roomId, passageId: text.id }, ...input })
    else await post.run({ params: { id: text.id }, ...input })
  }
}
