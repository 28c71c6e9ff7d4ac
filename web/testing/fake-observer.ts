import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** An IntersectionObserver that reports elements first as out of sight, and later what the test says. */
export class FakeObserver {
  /** All observers of the test, the newest last. */
  static created: FakeObserver[] = []
  readonly observed = new Set<Element>()
  readonly options: IntersectionObserverInit
  readonly #notify: (seen: { isIntersecting: boolean }[]) => void
  constructor(notify: (seen: { isIntersecting: boolean }[]) => void, options: IntersectionObserverInit) {
    this.#notify = notify
    this.options = options
    FakeObserver.created.push(this)
  }
  observe(element: Element) {
    this.observed.add(element)
    this.#notify([{ isIntersecting: false }])
  }
  disconnect() {
    this.observed.clear()
  }
  /** Reports what is observed; nothing, when nothing is. */
  report(isIntersecting: boolean) {
    if (this.observed.size > 0) act(() => this.#notify([{ isIntersecting }]))
  }
}

/** Replaces the observer of the browser for a test. */
export function fakeObservers() {
  FakeObserver.created = []
  vi.stubGlobal('IntersectionObserver', FakeObserver)
}

/** The reader scrolls an element into the window. */
export function see(element: Element) {
  const observers = FakeObserver.created.filter(({ observed }) => observed.has(element))
  for (const observer of observers) observer.report(true)
}

/** Everything is in sight, as in a very high window. */
export function seeAll() {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #notify: (seen: { isIntersecting: boolean }[]) => void
      constructor(notify: (seen: { isIntersecting: boolean }[]) => void) {
        this.#notify = notify
      }
      observe() {
        this.#notify([{ isIntersecting: true }])
      }
      disconnect() {}
    },
  )
}
