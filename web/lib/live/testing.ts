import { vi } from 'vitest'
import type { LiveEventName, LiveEvents } from '#contract/live/events.ts'

/** A fake of `EventSource`. The test sends the events that a server would send. */
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

  /** `EventSource` retries after a lost connection. After an error response it is CLOSED. */
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
