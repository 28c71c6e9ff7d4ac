/** Marks the place of an advertisement: one line until there is an advertisement. */
export function AdPlaceholder() {
  return (
    <p role="note" className="truncate text-center text-xs text-ink-soft">
      Advertisement
    </p>
  )
}
