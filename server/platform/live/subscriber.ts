import type { Stream } from './stream.ts'

/** A stream that is subscribed to a topic. */
export interface Subscriber {
  stream: Stream
  /** Events up to this number are not sent any more: they were sent, were left out, or came before the stream. */
  cursor: number
  /** Whether the end of the topic was sent to the subscriber. */
  knowsEnd: boolean
}

/** The token hash of the session of a subscriber; '' for a visitor, who has no session. */
export const tokenHashOf = ({ stream: { viewer } }: Subscriber): string =>
  viewer.kind === 'visitor' ? '' : viewer.session.tokenHash

/** Writes the cursor of a subscriber into all later event ids of its stream. */
export const putCursor = ({ stream, cursor, knowsEnd }: Subscriber, cursorName: string): void =>
  void stream.cursors.set(cursorName, `${cursor.toString(36)}${knowsEnd ? '~' : ''}`)

/**
 * Reads what `putCursor` wrote for one topic. `cursor` is NaN when the text is missing or not valid, or names an event after
 * `lastEvent`, the newest one.
 */
export function readCursor(text: string | undefined, lastEvent: number) {
  const [, digits, end] = /^([0-9a-z]{1,6})(~?)$/.exec(text ?? '') ?? []
  const number = digits === undefined ? Number.NaN : Number.parseInt(digits, 36)
  return { cursor: number <= lastEvent ? number : Number.NaN, knowsEnd: end === '~' }
}
