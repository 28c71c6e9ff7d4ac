import { getStats } from '#contract/admin/endpoints.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { CountBadge } from './Unread.tsx'

/** The number of posts that wait for review, beside the link to the Admin Panel, whose cards read the same answer. */
export function WaitingPosts() {
  const stats = useEndpoint(getStats)
  return <CountBadge count={stats.data?.pendingPosts ?? 0} what="waiting for review" />
}
