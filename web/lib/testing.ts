import { act } from '@testing-library/react'
import { IDBFactory } from 'fake-indexeddb'
import { openDB } from 'idb'
import { afterAll, beforeEach, onTestFinished, vi } from 'vitest'
import { removeDatabase, reopenDatabase } from './device/database.ts'

/** Moves a stopped clock forward, and waits for what the page does in this time. */
export const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** The storage of the browser needs turns of the real event loop. */
const realTimeout = setTimeout
export async function settled() {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => realTimeout(resolve))
}

/** Moves a stopped clock forward, and waits for the storage of the browser before and after. */
export const passWithStorage = (ms: number) =>
  act(async () => {
    await settled()
    await vi.advanceTimersByTimeAsync(ms)
    await settled()
  })

/** Each test of a file begins with a device that keeps nothing, and so does the next file of the worker. */
export function startWithEmptyDevice(): void {
  const empty = async () => {
    await removeDatabase()
    await reopenDatabase()
  }
  beforeEach(empty)
  afterAll(empty)
}

/** Makes the storage of this browser full, until `vi.unstubAllGlobals`. */
export function fillStorage(): void {
  const storage = localStorage
  const full = new Proxy(storage, {
    get(_, key) {
      if (key === 'setItem') return refuse
      const value: unknown = Reflect.get(storage, key)
      return typeof value === 'function' ? (value.bind(storage) as unknown) : value
    },
  })
  vi.stubGlobal('localStorage', full)
}

/** Makes the database of the drafts full, until the returned function is called. Drafts can be read and removed. */
export function fillDrafts(): () => void {
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(refuse)
  return () => put.mockRestore()
}

/** Lets another tab stay in a transaction with the drafts. Returns a function that ends the transaction. */
export async function holdDrafts(): Promise<() => Promise<void>> {
  const database = await openDB('drafts')
  let isHeld = true
  const { store, done } = database.transaction('drafts', 'readwrite')
  const held = (async () => {
    while (isHeld) await store.count()
    await done
    database.close()
  })()
  return async () => {
    isHeld = false
    await held
  }
}

/** Gives the browser buckets until the end of the test, except those of the given people. Returns what is in them. */
export function giveBuckets(refused: string[] = []): Map<string, { indexedDB: IDBFactory }> {
  const buckets = new Map<string, { indexedDB: IDBFactory }>()
  const open = async (name: string) => {
    if (refused.some((owner) => name.includes(owner))) throw new TypeError('The bucket cannot be opened')
    if (!buckets.has(name)) buckets.set(name, { indexedDB: new IDBFactory() })
    return buckets.get(name)
  }
  const storageBuckets = { open, delete: async (name: string) => void buckets.delete(name) }
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { storageBuckets }))
  onTestFinished(() => void vi.unstubAllGlobals())
  return buckets
}

function refuse(): never {
  throw new DOMException('The storage is full', 'QuotaExceededError')
}
