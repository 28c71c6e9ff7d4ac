/**
 * Batches lookups by key. A caller who comes while a lookup is running waits for the next one, which looks up the keys
 * of all who wait. So each lookup starts after its callers have asked.
 */
export function batch<Found>(
  lookUp: (keys: string[]) => Promise<Map<string, Found>>,
): (key: string) => Promise<Found | undefined> {
  let next: { keys: Set<string>; found: Promise<Map<string, Found>> } | undefined
  let last: Promise<unknown> = Promise.resolve()
  return async (key) => {
    next ??= begin()
    next.keys.add(key)
    return (await next.found).get(key)
  }

  function begin() {
    const keys = new Set<string>()
    const found = last.then(() => {
      next = undefined
      return lookUp([...keys])
    })
    last = found.catch(() => {})
    return { keys, found }
  }
}
