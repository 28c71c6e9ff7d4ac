import { setTimeout as delay } from 'node:timers/promises'

interface Options<Key> {
  /** Whether a key may share a run with these waiting keys. Otherwise the key waits for the run after that one. */
  fits?: (waiting: Key[], key: Key) => boolean
  /** The longest time that a run waits for the end of the run before it. When left out, a run always waits for this end. */
  maxWaitMs?: number
}

/**
 * Batches calls, such as lookups of keys. A call during a run waits for the next run, which takes the keys of all waiting
 * calls. Therefore no call gets data that was read before the call. A failed run fails all its calls, and is not repeated.
 */
export function batch<Key, Found>(
  run: (keys: Key[]) => Promise<Map<Key, Found>>,
  { fits = () => true, maxWaitMs }: Options<Key> = {},
): (key: Key) => Promise<Found | undefined> {
  let next: { keys: Set<Key>; found: Promise<Map<Key, Found>> } | undefined
  let last: Promise<unknown> = Promise.resolve()
  return async (key) => {
    if (next === undefined || !fits([...next.keys], key)) next = begin()
    next.keys.add(key)
    return (await next.found).get(key)
  }

  function begin() {
    const keys = new Set<Key>()
    const found = last.then(() => {
      if (next?.keys === keys) next = undefined
      return run([...keys])
    })
    const ended = found.catch(() => {})
    last =
      maxWaitMs === undefined
        ? ended
        : last.then(() => Promise.race([ended, delay(maxWaitMs, undefined, { ref: false })]))
    return { keys, found }
  }
}
