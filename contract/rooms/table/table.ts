import * as z from 'zod/mini'
import { Id, Instant, PersonId } from '#contract/schemas.ts'

/** Who may write next: everybody at any time, the person whom the holder names, or the next seat in order. */
export const turnRules = ['free', 'baton', 'round'] as const
export type TurnRule = (typeof turnRules)[number]

/** Seconds that a turn may last. */
export const turnLengths = [60, 120, 240] as const
export const defaultTurnLength = 120
/** Seconds that a turn of a slow table may last. Its holder may close the page. */
export const slowTurnLengths = [43_200, 86_400, 259_200] as const
export const isSlow = ({ turnSeconds }: { turnSeconds?: number | null | undefined }): boolean =>
  slowTurnLengths.some((slow) => slow === turnSeconds)

/** Minutes that a slow table may last: 3, 7, 14 and 30 days. */
export const slowDurations = [4320, 10_080, 20_160, 43_200] as const
export const defaultSlowDuration = 10_080

/** Letters that a passage of a table may have. */
export const passageLengths = [180, 500, 2000] as const
export const defaultPassageLength = 500
export const defaultFoldedPassageLength = 180

export const seatsMax = 12

/** How many of the newest passages can at most keep their writers from being named as the next writer. */
export const pausingMax = 3
/** How many of them do at a table with so many ready members. */
export const pausingCount = (readyCount: number): number => Math.min(pausingMax, Math.floor(readyCount / 2))

/** How long the lease of a turn lasts at its start, and after each renewal. */
export const firstLeaseMs = 20_000
export const leaseMs = 25_000
/** How often the visible page of a holder renews the lease. */
export const renewLeaseEveryMs = 8000
/** How long before the end of a turn the page sends what is typed. */
export const sendBeforeEndMs = 2000

/** The number of a turn in the room: 1, 2, 3 … */
export const TurnNumber = z.int().check(z.gte(1))

/** A member who takes turns. */
export const Seat = z.object({
  userId: PersonId,
  /** Null unless the member signs with the name. */
  name: z.nullable(z.string()),
  /** Away after two lapsed turns, until the member types or says 'I am back'. */
  state: z.enum(['ready', 'away']),
  /** The words of all passages of the member in this room. */
  words: z.int(),
})
export type Seat = z.infer<typeof Seat>

/** Whose turn it is. Equal for all readers. */
export const RoomTurn = z.object({
  roomId: Id,
  /** Grows with each change of the table: of two states the one with the greater revision is the newer. */
  revision: z.int(),
  /** Counts 1, 2, 3 … in the room. 0 before the first turn. */
  number: z.int(),
  /** Null while nobody is ready, and after the end. */
  holderId: z.nullable(PersonId),
  endsAt: z.nullable(Instant),
  /** Whether the room ends with the passage of this turn. */
  isLast: z.boolean(),
  /** In the order of sitting down. */
  seats: z.array(Seat),
  waitingCount: z.int(),
})
export type RoomTurn = z.infer<typeof RoomTurn>

/** The turn as one reader sees it. */
export const ReadersTurn = z.extend(RoomTurn, {
  /** The clock of the server. */
  now: Instant,
  /** The reader's place among those who wait for a seat, from 1. Null for everybody else. */
  placeInLine: z.nullable(z.int()),
  /** For the holder in a folded room: the end of the last line of the newest passage. Null for everybody else. */
  tail: z.nullable(z.string()),
})
export type ReadersTurn = z.infer<typeof ReadersTurn>
