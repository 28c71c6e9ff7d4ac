import { act } from '@testing-library/react'
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

function refuse(): never {
  throw new DOMException('The storage is full', 'QuotaExceededError')
}
