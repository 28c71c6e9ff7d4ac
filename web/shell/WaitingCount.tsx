import { countWaiting } from '#contract/admin/endpoints.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { cx } from '#web/ui/cx.ts'

const shownMax = 99
const names = { posts: 'post', reports: 'report', signUps: 'sign-up' }
const nothing = { posts: 0, reports: 0, signUps: 0 }

/** How many posts, reports and sign-ups wait, in the link to the Admin Panel and to the page of moderators. */
export function WaitingCount({ isCollapsed }: { isCollapsed: boolean | undefined }) {
  const waiting = useEndpoint(countWaiting).data ?? nothing
  const kinds = (['posts', 'reports', 'signUps'] as const).filter((kind) => waiting[kind] > 0)
  if (kinds.length === 0) return null
  const count = kinds.reduce((sum, kind) => sum + waiting[kind], 0)
  const each = kinds.map((kind) => `${waiting[kind]} ${names[kind]}${waiting[kind] === 1 ? '' : 's'}`)
  return (
    <span
      className={cx(
        'inline-flex min-h-5 min-w-5 items-center justify-center rounded-full bg-lamp px-1.5 text-xs font-medium text-on-lamp',
        // Above the icon, which is all that a collapsed sidebar shows.
        isCollapsed ? 'absolute ms-3 -mt-5 scale-75' : 'ms-auto',
      )}
    >
      <span aria-hidden>{count > shownMax ? `${shownMax}+` : count}</span>
      <span className="sr-only">{`(waiting: ${new Intl.ListFormat('en').format(each)})`}</span>
    </span>
  )
}
