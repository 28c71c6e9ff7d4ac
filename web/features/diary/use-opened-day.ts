import { useEffect, useState } from 'react'
import { whileVisible } from '#web/lib/interval.ts'
import { todayHere } from '#web/lib/today.ts'

/** A person who pauses for longer begins anew. */
const pauseMs = 60 * 60_000

/**
 * The day of an address that names none: the one on which the address was opened. It stays past midnight. Otherwise the sheet
 * would change under its writer. More than an hour after the last key or tap the page shows the new day, also when it stayed
 * in front overnight. `query` is the query of the address.
 */
export function useOpenedDay(query: string): string {
  const [opened, setOpened] = useState(() => ({ query, day: todayHere() }))
  if (opened.query !== query) setOpened({ query, day: todayHere() })
  useEffect(() => {
    let usedAt = Date.now()
    const openToday = () =>
      setOpened((opened) => (opened.day === todayHere() ? opened : { ...opened, day: todayHere() }))
    const openTodayAfterPause = () => {
      if (Date.now() - usedAt > pauseMs) openToday()
    }
    const use = () => {
      openTodayAfterPause()
      usedAt = Date.now()
    }
    const events = new AbortController()
    // Before the sheet receives the key: the first key after a pause must not change the text of the day before.
    for (const name of ['keydown', 'beforeinput', 'pointerdown'])
      addEventListener(name, use, { capture: true, signal: events.signal })
    // The router fires `pushState` at every navigation, also to the same address.
    addEventListener('pushState', openToday, events)
    const stop = whileVisible(1000, openTodayAfterPause)
    return () => {
      events.abort()
      stop()
    }
  }, [])
  return opened.day
}
