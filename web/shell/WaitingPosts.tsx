import { countWaiting, getStats } from '#contract/admin/endpoints.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { cx } from '#web/ui/cx.ts'

const shownMax = 99

interface WaitingProps {
  isCollapsed: boolean | undefined
}

/** The number of posts that wait for review, in the link to the Admin Panel, whose cards read the same answer. */
export function WaitingPosts(props: WaitingProps) {
  const count = useEndpoint(getStats).data?.pendingPosts ?? 0
  return <Count {...props} count={count} of={`${count} waiting for review`} />
}

/** The number of posts and reports that wait, in the link to the page of moderators. */
export function WaitingForModerators(props: WaitingProps) {
  const { posts, reports } = useEndpoint(countWaiting).data ?? { posts: 0, reports: 0 }
  const kinds = [
    ...(posts > 0 ? [posts === 1 ? '1 post' : `${posts} posts`] : []),
    ...(reports > 0 ? [reports === 1 ? '1 report' : `${reports} reports`] : []),
  ]
  return <Count {...props} count={posts + reports} of={`waiting: ${kinds.join(' and ')}`} />
}

function Count({ count, of, isCollapsed }: WaitingProps & { count: number; of: string }) {
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
      <span className="sr-only">{`(${of})`}</span>
    </span>
  )
}
