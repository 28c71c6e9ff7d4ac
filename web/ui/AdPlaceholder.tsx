/** Keeps the place of an advertisement, so that nothing moves when one comes. */
export function AdPlaceholder() {
  return (
    <div
      role="note"
      className="grid h-28 place-items-center rounded-lg border border-dashed border-line text-xs text-ink-soft"
    >
      Advertisement
    </div>
  )
}
