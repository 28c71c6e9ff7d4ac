// Everything that the page keeps in the local and session storage of the browser is read and written here. Storage may
// be full, forbidden or missing: a read then gives the fallback, and a write returns false.

export type StorageArea = 'localStorage' | 'sessionStorage'

/** One value in the storage of this browser. */
export interface StoredItem<Value, Fallback = Value> {
  /** The fallback stands for a value that is absent, does not fit its schema, or cannot be read. */
  read: () => Value | Fallback
  /** Answers whether the value was kept. */
  write: (value: Value) => boolean
  remove: () => void
}

/** Throws when a stored value has another shape: `storedRow`, or a schema of zod. */
export interface StoredSchema<Value> {
  parse: (stored: unknown) => Value
}

interface JsonPlace<Value, Fallback> {
  area?: StorageArea
  key: string
  schema: StoredSchema<Value>
  fallback: Fallback
  /** A text that does not fit the schema is moved to this key, so that it is neither lost nor read again. */
  damagedKey?: string
}

/** A value that is stored as JSON. The same text is parsed once, and gives the same object again. */
export function storedJson<Value, Fallback = Value>({
  area = 'localStorage',
  key,
  schema,
  fallback,
  damagedKey,
}: JsonPlace<Value, Fallback>): StoredItem<Value, Fallback> {
  let parsed: { text: string; value: Value } | undefined
  return {
    read: () => {
      const text = readText(area, key)
      if (text === null) return fallback
      if (parsed?.text === text) return parsed.value
      try {
        parsed = { text, value: schema.parse(JSON.parse(text)) }
        return parsed.value
      } catch {
        if (damagedKey !== undefined && writeText(area, damagedKey, text)) removeStored(area, key)
        return fallback
      }
    },
    write: (value) => writeText(area, key, JSON.stringify(value)),
    remove: () => removeStored(area, key),
  }
}

/** A value that is stored as it is: one of `allowed`, or any text where `allowed` is left out. */
export function storedText<Text extends string = string>(
  key: string,
  { area = 'localStorage', allowed }: { area?: StorageArea; allowed?: readonly Text[] } = {},
): StoredItem<Text, null> {
  return {
    read: () => {
      const text = readText(area, key) as Text | null
      return text === null || (allowed && !allowed.includes(text)) ? null : text
    },
    write: (text) => writeText(area, key, text),
    remove: () => removeStored(area, key),
  }
}

/** The key of a value that belongs to one person. Log-out removes every key with the id of the person (S48). */
export const personKey = (prefix: string, owner: string, ...rest: string[]): string =>
  [prefix, owner, ...rest].join(':')

const ownersOf = (key: string) => key.split(':').slice(1)

/** All keys of a person, of every feature. */
export const keysOfPerson = (area: StorageArea, owner: string): string[] =>
  storedKeys(area).filter((key) => ownersOf(key).includes(owner))

const stopped = new Set<string>()
/** The ids of the people who logged out last in this browser. It is stored, because other tabs may still show their texts. */
const loggedOut = storedText('logged-out')
const loggedOutMax = 10
export const loggedOutIds = (): string[] => loggedOut.read()?.split(' ') ?? []

/**
 * Stores nothing more under the keys of this person until the page is loaded again. An answer or a typed letter that
 * arrives while the page is being left would otherwise bring removed texts back (S48).
 */
export const stopStoring = (personId: string): void => void stopped.add(personId)
/** The page goes on, because the person did not leave it. */
export const resumeStoring = (): void => stopped.clear()

/** No tab stores anything more of this person, until that person signs in again. */
export const markLoggedOut = (personId: string): boolean =>
  loggedOut.write([...loggedOutIds(), personId].slice(-loggedOutMax).join(' '))
export function unmarkLoggedOut(personId: string): void {
  const others = loggedOutIds().filter((id) => id !== personId)
  if (others.length === 0) loggedOut.remove()
  else loggedOut.write(others.join(' '))
}
/** Whether nothing more of this person may be stored: the person logs out in some tab, or this page is being loaded again. */
export const isStoringStopped = (personId: string): boolean =>
  stopped.has(personId) || loggedOutIds().includes(personId)

export const storedKeys = (area: StorageArea): string[] => attempt(() => Object.keys(globalThis[area]), [])

export const removeStored = (area: StorageArea, key: string): void =>
  attempt(() => globalThis[area].removeItem(key), undefined)

const readText = (area: StorageArea, key: string) => attempt(() => globalThis[area].getItem(key), null)

const writeText = (area: StorageArea, key: string, text: string) =>
  !ownersOf(key).some(isStoringStopped) &&
  attempt(() => {
    globalThis[area].setItem(key, text)
    return true
  }, false)

function attempt<Result>(work: () => Result, fallback: Result): Result {
  // On the server, where Node may have a storage, but no person's.
  if (typeof document === 'undefined') return fallback
  try {
    return work()
  } catch {
    return fallback
  }
}
