import { useRef } from 'react'

/** The focused element; inside a menu the button of the menu, because the menu closes. */
export function focusedNow(): HTMLElement | null {
  const focused = document.activeElement
  const menuButton = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  const found = menuButton ? document.getElementById(menuButton) : focused
  return found instanceof HTMLElement ? found : null
}

/**
 * Returns the focus to the element that had it when a dialog opened. The library does so only for its own triggers, and
 * our dialogs have none.
 */
export function useFocusReturn() {
  const opener = useRef<HTMLElement | null>(null)
  return {
    onOpenAutoFocus: () => {
      opener.current = focusedNow()
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      opener.current?.focus()
    },
  }
}
