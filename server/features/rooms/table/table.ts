import type { TurnRule } from '#contract/rooms/table/table.ts'

/** The state from which `nextTable` derives who writes next. All times are milliseconds of one clock. */
export interface Table {
  rule: Exclude<TurnRule, 'free'>
  turnMs: number
  /** Whether a turn lasts hours. Its holder may close the page. */
  isSlow: boolean
  roomEndsAt: number
  isEnded: boolean
  /** Grows with each change that readers can see. */
  revision: number
  /** The number of the newest turn. */
  number: number
  holderId: string | null
  turnEndsAt: number | null
  /** The holder loses the turn at this time unless the lease is renewed before. Null in a slow table. */
  leaseEndsAt: number | null
  isLast: boolean
  members: Member[]
  /** The authors of the newest passages, the newest first. Null for deleted accounts. */
  lastAuthorIds: (string | null)[]
}

export interface Member {
  id: string
  /** The place in the order of sitting down, or of waiting for a seat. */
  seat: number
  state: 'ready' | 'away' | 'waiting' | 'absent'
  /** How many turns in a row have lapsed. */
  missedCount: number
  /** The words of all passages. */
  words: number
  /** The number of the turn since which the member waits for a turn. */
  waitsSince: number
  awaySince: number | null
}

export type TableEvent =
  | { type: 'sit'; memberId: string }
  | { type: 'back'; memberId: string }
  | { type: 'leave'; memberId: string }
  | ({ type: 'renew' } & OfTurn)
  | ({ type: 'pass'; nextId: string | undefined } & OfTurn)
  | ({ type: 'passage'; nextId: string | undefined; words: number } & OfTurn)
  /** The creator ends the room. */
  | { type: 'end' }
  /** Time has passed: a turn may have lapsed, or the room may be over. */
  | { type: 'tick' }

export interface OfTurn {
  memberId: string
  /** The number of the turn as the caller knows it. */
  number: number | undefined
}

export type TurnRefusal = 'RoomExpired' | 'NotRoomMember' | 'TurnOver' | 'NotYourTurn' | 'NotNext'
