import { useLayoutEffect, useRef } from 'react'

/**
 * Loads earlier items above a list. The item that was the first keeps its position in the window, also when a list that was not
 * whole becomes whole. `first` changes with the first item. The browser must not correct the scroll position as well
 * (`overflow-anchor: none`).
 */
export function useEarlierItems(
  first: string | number | undefined,
  read: (() => Promise<void>) | null,
  isWhole = true,
) {
  const list = useRef<HTMLDivElement>(null)
  const known = useRef<{ item: Element; top: number; hadFocus: boolean }>(undefined)

  useLayoutEffect(() => {
    if (known.current === undefined) return
    const { item, top, hadFocus } = known.current
    known.current = undefined
    scrollBy({ top: topOf(item) - top })
    // After the first page the button is removed, and the focus with it.
    if (hadFocus && !hasFocus()) list.current?.focus({ preventScroll: true })
  }, [first])

  const remember = () => {
    const item = list.current?.querySelector('li')
    known.current = item ? { item, top: topOf(item), hadFocus: hasFocus() } : undefined
  }
  useLayoutEffect(() => {
    if (!isWhole) remember()
  }, [isWhole])

  const readEarlier = () => {
    remember()
    void read?.()
  }
  return { list, readEarlier: read && readEarlier }
}

/** The position in the page, independent of the scroll position. */
const topOf = (item: Element) => item.getBoundingClientRect().top + scrollY

const hasFocus = () => document.activeElement !== document.body
