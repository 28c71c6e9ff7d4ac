import type { Stream } from './stream.ts'

/** A stream that is subscribed to a topic. */
export interface Subscriber {
  stream: Stream
  /** The number of the newest event that was sent to the subscriber. */
  cursor: number
  /** Whether the end of the topic was sent to the subscriber. */
  knowsEnd: boolean
}

/** '' for a visitor, who has no session. */
export const tokenHashOf = ({ stream: { viewer } }: Subscriber): string =>
  viewer.kind === 'visitor' ? '' : viewer.session.tokenHash

/** Puts the cursor of a subscriber into the event ids of its stream. */
export const storeCursor = ({ stream, cursor, knowsEnd }: Subscriber, cursorName: string): void =>
  void stream.cursors.set(cursorName, `${cursor.toString(36)}${knowsEnd ? '~' : ''}`)

/**
 * Reads the cursor of a topic in an event id. `cursor` is NaN without a cursor, and when it is not valid or newer than
 * the newest event.
 */
export function readCursor(text: string | undefined, lastEvent: number) {
  const [, digits, end] = /^([0-9a-z]{1,6})(~?)$/.exec(text ?? '') ?? []
  const number = digits === undefined ? Number.NaN : Number.parseInt(digits, 36)
  return { cursor: number <= lastEvent ? number : Number.NaN, knowsEnd: end === '~' }
}
