import type { MouseEvent } from 'react'

/**
 * For `onMouseDown` of a button beside a field, so that a press does not move the focus. Otherwise the keyboard of a phone
 * would close, or a bar of the page would come back, and the button would move away before the press has ended.
 */
export const keepFocus = (event: MouseEvent) => event.preventDefault()

/** For a button beside a sheet: only on a phone the bars of the page are hidden while a person writes on a sheet. */
export function keepFocusOnPhone(event: MouseEvent) {
  if (isPhone()) keepFocus(event)
}

export const isPhone = () => matchMedia('(width < 40rem)').matches
