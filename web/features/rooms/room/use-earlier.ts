import { useLayoutEffect, useRef } from 'react'

/**
 * What stands before a list grows only when it is asked for: who did so stays at the item that was the first one. The
 * browser must not do so too (`overflow-anchor: none`).
 */
export function useEarlier(first: number | undefined, read: (() => Promise<void>) | null) {
  const list = useRef<HTMLDivElement>(null)
  const known = useRef<{ item: Element; top: number }>(undefined)

  useLayoutEffect(() => {
    if (known.current === undefined) return
    const { item, top } = known.current
    known.current = undefined
    scrollBy({ top: topOf(item) - top })
    // The button that was pressed goes with the last of them.
    if (document.activeElement === document.body) list.current?.focus({ preventScroll: true })
  }, [first])

  const readEarlier = () => {
    const item = list.current?.querySelector('li')
    known.current = item ? { item, top: topOf(item) } : undefined
    void read?.()
  }
  return { list, readEarlier: read && readEarlier }
}

/** In the page, wherever it is scrolled to. */
const topOf = (item: Element) => item.getBoundingClientRect().top + scrollY
