interface Cache<Key, Value> {
  get: (key: Key) => Value | undefined
  set: (key: Key, value: Value) => unknown
}

/** The value of a key in a cache. It is made when it is first needed. */
export function cached<Key, Value extends object>(
  cache: Cache<Key, Value>,
  key: Key,
  make: () => Value,
): Value {
  const known = cache.get(key)
  if (known !== undefined) return known
  const made = make()
  cache.set(key, made)
  return made
}
