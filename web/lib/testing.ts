import { act } from '@testing-library/react'
import { openDB } from 'idb'
import { vi } from 'vitest'

/** Moves a stopped clock forward, and waits for what the page does in this time. */
export const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

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

function refuse(): never {
  throw new DOMException('The storage is full', 'QuotaExceededError')
}
