const shownMax = 99

/** The number of unread messages, beside the link to them. */
export function Unread({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className="inline-flex min-h-5 min-w-5 items-center justify-center rounded-full bg-lamp px-1.5 text-xs font-medium text-on-lamp">
      <span aria-hidden>{count > shownMax ? `${shownMax}+` : count}</span>
      <span className="sr-only">{`(${count} unread)`}</span>
    </span>
  )
}
