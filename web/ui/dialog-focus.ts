import { useRef } from 'react'

/** The focused element; inside a menu the button of the menu, because the menu closes. */
export function focusedNow(): HTMLElement | null {
  const focused = document.activeElement
  const menuButton = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  const found = menuButton ? document.getElementById(menuButton) : focused
  return found instanceof HTMLElement ? found : null
}

/**
 * The focus of a dialog: on the element that `first` finds when it opens, and where it was before, or on the element
 * that `last` finds, when it closes. The library returns the focus only to its own triggers, and our dialogs have none.
 */
export function useDialogFocus(
  first: (dialog: HTMLElement) => HTMLElement | null,
  last?: () => HTMLElement | null,
) {
  const opener = useRef<HTMLElement | null>(null)
  return {
    onOpenAutoFocus: (event: Event) => {
      event.preventDefault()
      opener.current = focusedNow()
      first(event.currentTarget as HTMLElement)?.focus()
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      ;(last?.() ?? opener.current)?.focus()
    },
  }
}
