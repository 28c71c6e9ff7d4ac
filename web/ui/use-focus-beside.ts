import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * For a row of a list whose buttons make it leave the list. When the row leaves with the focus in it, the focus moves to the
 * row after it, the one before it, or the title of the page.
 */
export function useFocusBeside<E extends HTMLElement>(): RefObject<E | null> {
  const row = useRef<E>(null)
  useLayoutEffect(() => {
    const leaving = row.current!
    return () => {
      if (!leaving.contains(document.activeElement)) return
      const beside = [leaving.nextElementSibling, leaving.previousElementSibling]
      // The row is removed after this function has returned, and the whole list may go with it.
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return
        const staying = beside.find((element) => element?.isConnected)
        const title = document.querySelector('h1')
        if (title !== null) title.tabIndex = -1
        const next = staying?.querySelector<HTMLElement>('a, button') ?? title
        next?.focus()
      })
    }
  }, [])
  return row
}
