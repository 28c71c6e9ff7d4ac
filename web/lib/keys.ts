const handlers = new Map<string, () => void>()

/** Calls the handler for the keys until the function that it returns is called. */
export function onKeys(keys: string, handler: () => void): () => void {
  handlers.set(keys, handler)
  return () => void (handlers.get(keys) === handler && handlers.delete(keys))
}

const secondKeyWithinMs = 1500
let first: { key: string; at: number } | null = null

/**
 * Keys are off while a person types, on a sheet to write on, and under a dialog or menu. `Ctrl+` stands for the command key,
 * too; with it a key works while a person types. Browser shortcuts work always.
 */
export function handleKey(event: KeyboardEvent): void {
  const command = (event.ctrlKey || event.metaKey) && !event.altKey && handlers.get(`Ctrl+${event.key}`)
  if (command && !isUnderLayer()) {
    event.preventDefault()
    command()
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || areKeysTaken(event.target))
    return
  const pair = first && event.timeStamp - first.at < secondKeyWithinMs ? `${first.key} ${event.key}` : ''
  first = event.key === 'g' && !handlers.has(pair) ? { key: 'g', at: event.timeStamp } : null
  const handler = handlers.get(pair) ?? handlers.get(event.key)
  if (handler === undefined) return
  event.preventDefault()
  handler()
}

const isUnderLayer = () =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null

function areKeysTaken(target: EventTarget | null) {
  if (!(target instanceof HTMLElement)) return false
  if (isUnderLayer()) return true
  // A sheet locks when it is saved: a person who types on must not start a shortcut.
  if (target.closest('[data-sheet]')) return true
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}
