import type { MouseEvent } from 'react'

/** Handles a press of a link in this page, unless a key asks the browser for another tab, window or file. */
export const pressed = (open: () => void) => (event: MouseEvent) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  open()
}
