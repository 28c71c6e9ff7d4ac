import { useRef } from 'react'

/**
 * Gives the focus back to what had it when a dialog opened. The library remembers only triggers of its own, while
 * our dialogs are opened by anything; where a menu opened one, the focus goes to the menu's button.
 */
export function useFocusReturn() {
  const opener = useRef<HTMLElement | null>(null)
  return {
    onOpenAutoFocus: () => {
      const focused = document.activeElement
      const menuButton = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby')
      const from = menuButton ? document.getElementById(menuButton) : focused
      opener.current = from instanceof HTMLElement ? from : null
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      opener.current?.focus()
    },
  }
}
