import { vi } from 'vitest'
import type { LiveEventName, LiveEvents } from '#contract/live/events.ts'

/** The streams that a page has opened. The test plays the server. */
export class FakeSource extends EventTarget {
  static readonly CLOSED = 2
  static opened: FakeSource[] = []
  readonly url: string
  readyState = 1

  constructor(url: string) {
    super()
    this.url = url
    FakeSource.opened.push(this)
  }

  close() {
    this.readyState = FakeSource.CLOSED
  }

  send<Name extends LiveEventName>(name: Name, data: LiveEvents[Name], id: string) {
    const event = new MessageEvent(name, { data: JSON.stringify(data), lastEventId: id })
    this.dispatchEvent(event)
  }

  /** A browser reconnects by itself after a lost connection, and not after a refusal. */
  fail(how: 'lost' | 'refused') {
    if (how === 'refused') this.readyState = FakeSource.CLOSED
    this.dispatchEvent(new Event('error'))
  }

  static get open() {
    return FakeSource.opened.filter(({ readyState }) => readyState !== FakeSource.CLOSED)
  }
}

export function fakeSources() {
  FakeSource.opened = []
  vi.stubGlobal('EventSource', FakeSource)
}
