// Everything that the page keeps in the local and session storage of the browser is read and written here. Storage may
// be full, forbidden or missing: a read then gives the fallback, and a write returns false.

type StorageArea = 'localStorage' | 'sessionStorage'

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

/** The keys of a signed-in person that are in the memory of this page, and in a bucket that leaves nothing (decision 45). */
export interface KeptKeys {
  texts: ReadonlyMap<string, string>
  /** Without a text the key is removed. */
  put: (key: string, text?: string) => void
}

/** By the id of the person: undefined where the local storage has the keys, because the browser opens no bucket. */
const keptKeys = new Map<string, KeptKeys | undefined>()
const loads = new Map<string, Promise<void>>()
const loadWithinMs = 3000

/** Whether `loadKeysOf` has to be called before the keys of a signed-in person are read. */
export const areKeysAwaited = (owner: string): boolean =>
  'storageBuckets' in navigator && !keptKeys.has(owner)

/** Loads the keys of a signed-in person. Guests and visitors have theirs in the local storage. Never rejects. */
export function loadKeysOf(owner: string): Promise<void> {
  const load = loads.get(owner) ?? (areKeysAwaited(owner) ? loadKeys(owner) : Promise.resolve())
  loads.set(owner, load)
  return load
}

/** Calls the listener when another tab has changed a stored text, and when `loadKeysOf` has loaded the keys of a person. */
export function followStorage(listener: () => void): () => void {
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}

async function loadKeys(owner: string) {
  const take = (kept: KeptKeys | undefined) => {
    keptKeys.set(owner, kept)
    // As after a change in another tab: what shows the keys of the person reads them again.
    dispatchEvent(new StorageEvent('storage', { key: personKey('kept-keys', owner) }))
  }
  const reading = import('./kept-keys.ts')
    .then(({ readKeptKeys }) => readKeptKeys(owner))
    .catch(() => undefined)
    .then(take)
  await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, loadWithinMs))])
  if (keptKeys.get(owner)) return
  // The page goes on with the local storage, until the bucket answers.
  newerKeys(owner).write('local')
  take(undefined)
}

/** Whether a person of this page has logged out since the page was loaded. */
export const hasPersonLeft = (): boolean => [...loads.keys()].some(isStoringStopped)

/** Says that this program has written keys of a person into the local storage, which are newer than those of the bucket. */
export const newerKeys = (owner: string): StoredItem<string, null> =>
  storedText(personKey('newer-keys', owner))

/** A day is in the local storage only if it is the only copy, or could not be stored as a draft. */
const isInBucket = (key: string) => !/^newer-keys:|:(version|\d{4}-\d\d-\d\d)$/.test(key)

const keptOf = (area: StorageArea, key: string) =>
  area === 'localStorage' && isInBucket(key)
    ? ownersOf(key)
        .map((owner) => keptKeys.get(owner))
        .find((kept) => kept !== undefined)
    : undefined

/** What the local storage itself has of a person that a bucket can have. */
export const localKeysOf = (owner: string): [string, string][] =>
  keysOfPerson('localStorage', owner).flatMap((key) => {
    const text = isInBucket(key) ? readLocal(key) : null
    return text === null ? [] : [[key, text]]
  })

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

export function storedKeys(area: StorageArea): string[] {
  const kept = area === 'localStorage' ? [...keptKeys.values()] : []
  const inArea = attempt(() => Object.keys(globalThis[area]), [])
  return [...new Set([...inArea, ...kept.flatMap((keys) => [...(keys?.texts.keys() ?? [])])])]
}

export function removeStored(area: StorageArea, key: string): void {
  keptOf(area, key)?.put(key)
  writeLocal(key, null, area)
}

/** Reads the local storage itself, also a key that is in a bucket. */
export const readLocal = (key: string, area: StorageArea = 'localStorage'): string | null =>
  attempt(() => globalThis[area].getItem(key), null)

/** Writes into the local storage itself, also a key that is in a bucket. Without a text the key is removed. */
export const writeLocal = (key: string, text: string | null, area: StorageArea = 'localStorage'): boolean =>
  attempt(() => {
    if (text === null) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, text)
    return true
  }, false)

const readText = (area: StorageArea, key: string) => keptOf(area, key)?.texts.get(key) ?? readLocal(key, area)

function writeText(area: StorageArea, key: string, text: string) {
  if (ownersOf(key).some(isStoringStopped)) return false
  const kept = keptOf(area, key)
  if (!kept) return writeLocal(key, text, area)
  kept.put(key, text)
  return true
}

function attempt<Result>(work: () => Result, fallback: Result): Result {
  // On the server, where Node may have a storage, but no person's.
  if (typeof document === 'undefined') return fallback
  try {
    return work()
  } catch {
    return fallback
  }
}
