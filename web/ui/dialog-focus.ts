import { useRef } from 'react'

/** The focused element; inside a menu the button of the menu, because the menu closes. */
export function focusedNow(): HTMLElement | null {
  const focused = document.activeElement
  const menuButton = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  const found = menuButton ? document.getElementById(menuButton) : focused
  return found instanceof HTMLElement ? found : null
}

interface Opened {
  opener: HTMLElement | null
}

/** The dialog that was opened last, until it has closed. */
let newest: Opened | null = null

/**
 * The focus of a dialog: on the element that `first` finds when it opens, and where it was before, or on the element
 * that `last` finds, when it closes. The library returns the focus only to its own triggers, and our dialogs have none. When a
 * dialog replaces another one, the button that had the focus is gone. The new dialog then returns the focus to where it was before
 * the replaced one opened.
 */
export function useDialogFocus(
  first: (dialog: HTMLElement) => HTMLElement | null,
  last?: () => HTMLElement | null,
) {
  const opened = useRef<Opened | null>(null)
  return {
    onOpenAutoFocus: (event: Event) => {
      event.preventDefault()
      const focused = focusedNow()
      newest = opened.current = { opener: focused === document.body && newest ? newest.opener : focused }
      first(event.currentTarget as HTMLElement)?.focus()
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (newest === opened.current) newest = null
      ;(last?.() ?? opened.current?.opener)?.focus()
    },
  }
}
