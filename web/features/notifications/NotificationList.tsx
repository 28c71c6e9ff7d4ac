import { Link } from 'wouter'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { cx } from '#web/ui/cx.ts'
import { useClock } from '#web/lib/interval.ts'
import { shortTime } from '#web/lib/short-time.ts'
import type { DeviceNotification } from './notifications-of-device.ts'

interface NotificationListProps {
  notifications: readonly DeviceNotification[]
  /** Called when the person opens the thing of a notification. */
  onOpen: () => void
}

export function NotificationList({ notifications, onOpen }: NotificationListProps) {
  const today = useClock((now) => now.toDateString())
  if (notifications.length === 0)
    return (
      <EmptyState
        drawing="lamp"
        text="Nothing new. Messages, passages in your rooms and approvals of your posts appear here."
      />
    )
  return (
    <ul className="divide-y divide-line">
      {notifications.map(({ id, title, body, reason, timestamp, href, isRead }) => (
        <li key={id}>
          <Link
            href={href}
            onClick={onOpen}
            className="touch flex gap-3 px-4 py-3 text-sm -outline-offset-2 hover:bg-sunk"
          >
            <span
              aria-hidden
              className={cx('mt-1.5 size-2 shrink-0 rounded-full', isRead ? 'bg-transparent' : 'bg-lamp')}
            />
            <span className="min-w-0 flex-1">
              <span className="flex items-baseline gap-3">
                {!isRead && <span className="sr-only">New: </span>}
                <span className={cx('line-clamp-2 min-w-0 flex-1', !isRead && 'font-semibold')}>{title}</span>
                <time dateTime={timestamp} className="shrink-0 text-xs text-ink-soft">
                  {shortTime(timestamp, new Date(today))}
                </time>
              </span>
              <span className="line-clamp-2 text-ink-soft">{body}</span>
              {reason && (
                <span dir="auto" className="mt-1 block whitespace-pre-wrap text-ink wrap-anywhere">
                  {reason}
                </span>
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
