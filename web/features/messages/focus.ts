/** Focuses a heading when the element that had the focus was removed or hidden. */
export function focusWhenLost(heading: HTMLElement): void {
  const focused = document.activeElement
  if (focused === null || focused === document.body || !focused.checkVisibility()) {
    heading.focus({ preventScroll: true })
  }
}
