import { getStats } from '#contract/admin/endpoints.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { cx } from '#web/ui/cx.ts'

const shownMax = 99

/** The number of posts that wait for review, in the link to the Admin Panel, whose cards read the same answer. */
export function WaitingPosts({ isCollapsed }: { isCollapsed: boolean | undefined }) {
  const stats = useEndpoint(getStats)
  const count = stats.data?.pendingPosts ?? 0
  if (count === 0) return null
  return (
    <span
      className={cx(
        'inline-flex min-h-5 min-w-5 items-center justify-center rounded-full bg-lamp px-1.5 text-xs font-medium text-on-lamp',
        // Above the icon, which is all that a collapsed sidebar shows.
        isCollapsed ? 'absolute ms-3 -mt-5 scale-75' : 'ms-auto',
      )}
    >
      <span aria-hidden>{count > shownMax ? `${shownMax}+` : count}</span>
      <span className="sr-only">{`(${count} waiting for review)`}</span>
    </span>
  )
}
