import { setTimeout as delay } from 'node:timers/promises'

interface Options<Key> {
  /** Whether a key may share a run with the keys that wait for it. A key that may not waits for the run after it. */
  fits?: (waiting: Key[], key: Key) => boolean
  /** A run starts at the latest this long after the one before it. Without it, a run starts when the last has ended. */
  waitsMs?: number
}

/**
 * Batches work by key, such as lookups. A caller who comes while a run is in progress waits for the next one, which takes
 * the keys of all who wait. So each run starts after its callers have asked. A failed run fails all its callers, and is
 * not repeated.
 */
export function batch<Key, Found>(
  run: (keys: Key[]) => Promise<Map<Key, Found>>,
  { fits = () => true, waitsMs }: Options<Key> = {},
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
      waitsMs === undefined
        ? ended
        : last.then(() => Promise.race([ended, delay(waitsMs, undefined, { ref: false })]))
    return { keys, found }
  }
}
