import { pausingCount, type ReadersTurn, type RoomTurn } from '#contract/rooms/table/table.ts'

/** Where a reader stands at the table. */
export type Place =
  /** The holder of the turn. */
  | 'holder'
  /** Somebody else is the holder. */
  | 'seated'
  | 'away'
  /** In the line of those who wait for a seat. */
  | 'waiting'
  /** A member who has no seat and no place in the line. */
  | 'unseated'
  /** A reader who is no member. */
  | 'reader'

export function placeOf(turn: ReadersTurn, personId: string | null, isMember: boolean): Place {
  if (!isMember || personId === null) return 'reader'
  if (turn.placeInLine !== null) return 'waiting'
  const seat = turn.seats.find(({ userId }) => userId === personId)
  if (seat === undefined) return 'unseated'
  if (turn.holderId === personId) return 'holder'
  return seat.state === 'away' ? 'away' : 'seated'
}

/**
 * The sentence about the turn. `holder` is the name of the person whose turn it is; null while there is none. `until` is the
 * end of a turn of hours, in words.
 */
export function sentenceOfTurn(
  turn: ReadersTurn,
  place: Place,
  { holder, until }: { holder: string | null; until: string | null },
): string {
  const time = until === null ? '' : ` until ${until}`
  if (place === 'holder')
    return turn.isLast ? `The last turn${time}: with your passage the story ends.` : `Your turn${time}.`
  if (place === 'away') return 'You are away. Your turn comes again when you are back.'
  const parts = [holder === null ? withoutHolder(turn) : withHolder(turn, holder, time)]
  // After the last turn nobody writes.
  if (place === 'seated' && holder !== null && !turn.isLast)
    parts.push('Prepare your lines. Nobody sees them.')
  if (place === 'waiting') parts.push(`You are ${ordinal(turn.placeInLine!)} in line for a seat.`)
  return parts.join(' ')
}

const withHolder = ({ isLast }: RoomTurn, holder: string, time: string) =>
  isLast ? `${holder} is writing the last passage${time}.` : `${holder} is writing${time}.`

const withoutHolder = ({ seats }: RoomTurn) =>
  seats.some(({ state }) => state === 'ready') ? 'The story ends in a moment.' : 'Nobody is ready to write.'

const rules = new Intl.PluralRules('en-US', { type: 'ordinal' })
const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinal = (count: number) => `${count}${endings[rules.select(count)] ?? 'th'}`

/**
 * The members whom the holder may name as the next writer: those who are ready and wrote none of the newest passages.
 * `authors` has the author of each passage, the newest last, including the passage that is about to be sent.
 */
export function possibleNext({ seats, holderId }: RoomTurn, authors: readonly (string | null)[]): string[] {
  const ready = seats.filter(({ state }) => state === 'ready').map(({ userId }) => userId)
  const pausing = authors.slice(Math.max(0, authors.length - pausingCount(ready.length)))
  return ready.filter((id) => id !== holderId && !pausing.includes(id))
}
