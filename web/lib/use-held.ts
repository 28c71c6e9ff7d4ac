import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** How long a held action can be undone. */
export const undoWithinMs = 10_000

/**
 * Actions on rows of a list that are held back, so that an undo sends nothing. Each is sent after 10 s, and earlier when the
 * list is left or the tab is closed: `send` has to outlive the page. Until it is answered the row is hidden.
 */
export function useHeld<Action extends { id: string }>(send: (action: Action) => Promise<void>) {
  /** By row, the newest action last. */
  const held = useRef(new Map<string, { action: Action; timer: ReturnType<typeof setTimeout> }>())
  const [hiddenIds, setHiddenIds] = useState<ReadonlySet<string>>(new Set())
  const stopHiding = (id: string) => setHiddenIds((ids) => new Set([...ids].filter((each) => each !== id)))

  const release = (id: string): Action | undefined => {
    const found = held.current.get(id)
    clearTimeout(found?.timer)
    held.current.delete(id)
    return found?.action
  }
  const sendNow = async (id: string) => {
    const action = release(id)
    if (action === undefined) return
    await send(action)
    // The list was read again without the row, or the action failed and the row is shown again.
    stopHiding(id)
  }
  const hold = (action: Action) => {
    const { id } = action
    setHiddenIds((ids) => new Set([...ids, id]))
    held.current.set(id, { action, timer: setTimeout(() => void sendNow(id), undoWithinMs) })
  }
  /** Shows the row again. Without an id it undoes the newest action. Returns the action, if one was still held. */
  const undo = (id = [...held.current.keys()].at(-1)): Action | undefined => {
    const action = id === undefined ? undefined : release(id)
    if (action !== undefined) stopHiding(action.id)
    return action
  }

  const sendAll = useEffectEvent(() => {
    for (const id of held.current.keys()) void sendNow(id)
  })
  useEffect(() => {
    const leave = () => sendAll()
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
  return { hiddenIds, hold, undo }
}
