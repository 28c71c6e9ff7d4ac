export interface Shortcut {
  /** One key, or two pressed one after the other: 'g f'. */
  keys: string
  does: string
}

/** Every key of the product, as the list of keys shows them. */
export const shortcuts: readonly Shortcut[] = [
  { keys: '/', does: 'Search' },
  { keys: 'n', does: 'Write a post' },
  { keys: '[', does: 'The day before' },
  { keys: ']', does: 'The day after' },
  { keys: 'g f', does: 'Go to the feed' },
  { keys: 'g d', does: 'Go to the diary' },
  { keys: 'g c', does: 'Go to the calendar' },
  { keys: 'g r', does: 'Go to the rooms' },
  { keys: 'g m', does: 'Go to the messages' },
  { keys: '?', does: 'Show this list' },
  { keys: 'F8', does: 'Go to the notifications' },
  { keys: 'Escape', does: 'Close what is on top' },
]

const handlers = new Map<string, () => void>()

/** Does something while a page is there; answers how to stop it. */
export function onKeys(keys: string, handler: () => void): () => void {
  handlers.set(keys, handler)
  return () => void (handlers.get(keys) === handler && handlers.delete(keys))
}

const secondKeyWithinMs = 1500
let first: { key: string; at: number } | null = null

/** Keys are off while somebody types and under a dialog or menu, and in the way of no browser shortcut. */
export function handleKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || areKeysTaken(event.target))
    return
  const pair = first && event.timeStamp - first.at < secondKeyWithinMs ? `${first.key} ${event.key}` : ''
  first = event.key === 'g' && !handlers.has(pair) ? { key: 'g', at: event.timeStamp } : null
  const handler = handlers.get(pair) ?? handlers.get(event.key)
  if (handler === undefined) return
  event.preventDefault()
  handler()
}

function areKeysTaken(target: EventTarget | null) {
  if (!(target instanceof HTMLElement)) return false
  if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return true
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}
