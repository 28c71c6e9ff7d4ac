import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** Lets a stopped clock go on, with all that the page does meanwhile. */
export const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** This browser has no room left, until `vi.unstubAllGlobals`. */
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

function refuse() {
  throw new DOMException('The storage is full', 'QuotaExceededError')
}
