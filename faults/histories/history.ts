export interface Passage {
  position: number
  id: string
  text: string
}

/**
 * What the test process sent and received, in this order. `op` is the number of a call, which its answer repeats. A `send`
 * without an answer may have added its passage or not.
 */
export type HistoryEvent =
  | { kind: 'send'; op: number; client: string; text: string }
  | { kind: 'acknowledged'; op: number; position: number; id: string }
  /** The first try was refused, so the passage does not exist. */
  | { kind: 'refused'; op: number }
  | { kind: 'read'; op: number; reader: string }
  | { kind: 'found'; op: number; passages: Passage[] }
  | { kind: 'denied'; op: number }
  /** The live stream of a reader brought a passage. */
  | { kind: 'received'; reader: string; passage: Passage }
  /** The live stream told a reader that it missed events and must read the story again. */
  | { kind: 'reset'; reader: string }
  /** The server acknowledged that this reader may no longer read or write. */
  | { kind: 'lost rights'; reader: string }

export interface History {
  seed: number
  /** `none`: this reader never had the right to read. */
  readers: Record<string, 'member' | 'none'>
  events: HistoryEvent[]
  /** The passages in the database at the end. */
  stored: Passage[]
}
