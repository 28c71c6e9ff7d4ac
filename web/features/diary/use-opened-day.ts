import { useEffect, useState } from 'react'
import { todayHere } from '#web/lib/today.ts'

/** A person who was away for longer begins anew. */
const awayMs = 60 * 60_000

/**
 * The day of an address that names none: the one on which the address was opened. It stays past midnight. Otherwise the sheet
 * would change under its writer. A person who comes back to the page on another day, after more than an hour, finds the new
 * day. `query` is the query of the address.
 */
export function useOpenedDay(query: string): string {
  const [opened, setOpened] = useState(() => ({ query, day: todayHere() }))
  if (opened.query !== query) setOpened({ query, day: todayHere() })
  useEffect(() => {
    let leftAt = Infinity
    const follow = () => {
      if (!document.hidden && document.hasFocus()) {
        if (Date.now() - leftAt > awayMs) setOpened(({ query }) => ({ query, day: todayHere() }))
        leftAt = Infinity
      } else leftAt = Math.min(leftAt, Date.now())
    }
    follow()
    const events = new AbortController()
    for (const name of ['focus', 'blur']) addEventListener(name, follow, events)
    document.addEventListener('visibilitychange', follow, events)
    return () => events.abort()
  }, [])
  return opened.day
}
