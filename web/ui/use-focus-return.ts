import { useRef } from 'react'

/** What has the focus; inside a menu the menu's button, because the menu closes. */
export function focusedNow(): HTMLElement | null {
  const focused = document.activeElement
  const menuButton = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  const found = menuButton ? document.getElementById(menuButton) : focused
  return found instanceof HTMLElement ? found : null
}

/**
 * Gives the focus back to what had it when a dialog opened. The library remembers only triggers of its own, while
 * our dialogs are opened by anything.
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
