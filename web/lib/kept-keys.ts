import type { DBSchema, IDBPDatabase } from 'idb'
import { openBucket, openIn } from './device/bucket.ts'
import { answered } from './editor/drafts.ts'
import { isStoringStopped, type KeptKeys, localKeysOf, newerKeys, readLocal, writeLocal } from './storage.ts'

// Short texts of a signed-in person that are read without waiting: each page has all of them in memory.

interface Rows extends DBSchema {
  keys: { key: string; value: string }
}

interface Change {
  owner: string
  key: string
  text: string | undefined
}

export const keysBucketOf = (owner: string): string => `keys-${owner}`

/** Undefined where the browser cannot open a bucket. */
export async function readKeptKeys(owner: string): Promise<KeptKeys | undefined> {
  const texts = new Map<string, string>()
  /** The keys that are in the local storage, because the bucket has not taken them. */
  const refused = new Set<string>()
  let database: IDBPDatabase<Rows> | undefined

  const open = async () => {
    const bucket = await openBucket(keysBucketOf(owner))
    if (bucket === undefined) return undefined
    return (database = await openIn<Rows>(bucket.indexedDB, 'keys', 1, {
      create: (created) => void created.createObjectStore('keys'),
      onClosed: () => {
        database = undefined
        // A log-out in some tab has removed the bucket. The browser may also close a database that it keeps.
        if (isStoringStopped(owner)) texts.clear()
      },
    }))
  }
  const store = async (key: string, text: string | undefined) => {
    // Without a turn of the event loop, because the page may be closing.
    const opened = database ?? (await open())
    if (opened === undefined) throw new Error('The browser opens no bucket')
    if (text !== undefined && isStoringStopped(owner)) return
    const transaction = opened.transaction('keys', 'readwrite')
    const stored = text === undefined ? transaction.store.delete(key) : transaction.store.put(text, key)
    transaction.commit()
    await Promise.all([stored, transaction.done])
    if (texts.get(key) === text && refused.delete(key)) writeLocal(key, null)
  }
  const changed = new Set<string>()
  const take = (key: string, text: string | undefined) => {
    changed.add(key)
    if (text === undefined) texts.delete(key)
    else texts.set(key, text)
  }

  const first = await open()
  if (first === undefined) return undefined
  const otherTabs = new BroadcastChannel('kept-keys')
  const tellOthers = (key: string, text: string | undefined) =>
    otherTabs.postMessage({ owner, key, text } satisfies Change)
  otherTabs.onmessage = ({ data }: MessageEvent<Change>) => {
    if (data.owner !== owner || (data.text !== undefined && isStoringStopped(owner))) return
    take(data.key, data.text)
    // As a browser does for the local storage.
    dispatchEvent(new StorageEvent('storage', { key: data.key }))
  }
  const { store: rows, done } = first.transaction('keys')
  const [keys, values] = await Promise.all([rows.getAllKeys(), rows.getAll(), done])
  // What another tab has changed meanwhile is newer.
  for (const [index, key] of keys.entries()) if (!changed.has(key)) texts.set(key, values[index]!)
  const isLocalNewer = newerKeys(owner).read() !== null
  for (const [key, text] of isStoringStopped(owner) ? [] : localKeysOf(owner)) {
    // What this program has stored stays. The text of an older program is removed together with it.
    if (texts.has(key) && !isLocalNewer) continue
    try {
      await store(key, text)
    } catch {
      texts.set(key, text)
      refused.add(key)
      continue
    }
    take(key, text)
    tellOthers(key, text)
    // Another tab may have written there meanwhile.
    if (readLocal(key) === text) writeLocal(key, null)
  }
  if (localKeysOf(owner).length === 0) newerKeys(owner).remove()
  return {
    texts,
    put: (key, text) => {
      if (text === undefined && !texts.has(key)) return
      take(key, text)
      tellOthers(key, text)
      answered(store(key, text)).catch((error: unknown) => {
        // A log-out removes the bucket meanwhile.
        if (isStoringStopped(owner)) return
        console.error('Failed to keep a text in its bucket', error)
        if (text === undefined || texts.get(key) !== text || !writeLocal(key, text)) return
        refused.add(key)
        newerKeys(owner).write('local')
      })
    },
  }
}
