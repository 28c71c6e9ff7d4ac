const shownMax = 99

/** The number of unread messages, beside the link to them. */
export const Unread = ({ count }: { count: number }) => <CountBadge count={count} what="unread" />

/** A number beside a link. `what` says to screen readers what is counted. */
export function CountBadge({ count, what }: { count: number; what: string }) {
  if (count === 0) return null
  return (
    <span className="inline-flex min-h-5 min-w-5 items-center justify-center rounded-full bg-lamp px-1.5 text-xs font-medium text-on-lamp">
      <span aria-hidden>{count > shownMax ? `${shownMax}+` : count}</span>
      <span className="sr-only">{`(${count} ${what})`}</span>
    </span>
  )
}
