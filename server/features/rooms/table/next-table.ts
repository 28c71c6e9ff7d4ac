import { isDeepStrictEqual } from 'node:util'
import { firstLeaseMs, pausingCount, pausingMax, seatsMax, leaseMs } from '#contract/rooms/table/table.ts'
import type { Member, OfTurn, Table, TableEvent, TurnRefusal } from './table.ts'

/** After this time an away member loses the seat to a member who waits for one. */
const awayMaxMs = 10 * 60 * 1000
/** After this many lapsed turns in a row a member is away. */
const lapsedMax = 2
/** No turn begins when the room ends sooner than this. */
const shortestTurnMs = 20_000

/** The rules of turns: the table after an event, or why the event is refused. The argument is not changed. */
export function nextTable(before: Table, event: TableEvent, now: number): Table | TurnRefusal {
  const table = structuredClone(before)
  const refusal = change(table, event, now)
  if (refusal !== undefined) return refusal
  // A renewed lease is not a change that readers see.
  if (event.type !== 'renew' && !isDeepStrictEqual(before, table)) table.revision++
  return table
}

/** The time of the next change that a `tick` makes. Null after the end. */
export function dueAt(table: Table): number | null {
  if (table.isEnded) return null
  const { roomEndsAt, turnEndsAt, leaseEndsAt, members } = table
  const isAwaited = members.some(({ state }) => state === 'waiting')
  const awayUntil = isAwaited ? members.map(awayUntilOf) : []
  return Math.min(...[roomEndsAt, turnEndsAt, leaseEndsAt, ...awayUntil].filter((at) => at !== null))
}

const awayUntilOf = ({ awaySince }: Member) => (awaySince === null ? null : awaySince + awayMaxMs)

function change(table: Table, event: TableEvent, now: number): TurnRefusal | undefined {
  const previousId = table.holderId
  const isOver = table.isEnded || now >= table.roomEndsAt
  if (isOver && event.type !== 'leave' && event.type !== 'tick') return 'RoomExpired'
  adjustToClock(table, now)
  if (event.type === 'renew' || event.type === 'pass' || event.type === 'passage') {
    const refusal = refusalOfTurnCall(table, event, now)
    if (refusal !== undefined) return refusal
  }
  if (event.type === 'renew') {
    table.leaseEndsAt = table.isSlow ? null : now + leaseMs
    return
  }
  if (event.type === 'passage')
    table.lastAuthorIds = [event.memberId, ...table.lastAuthorIds].slice(0, pausingMax)
  if (event.type === 'pass' || event.type === 'passage') {
    if (event.nextId !== undefined && !mayBeNext(table, event.nextId)) return 'NotNext'
    const holder = memberOf(table, event.memberId)
    holder.missedCount = 0
    if (event.type === 'passage') holder.words += event.words
    if (event.type === 'passage' && table.isLast) endTable(table, now)
    endTurn(table)
  }
  if (event.type === 'leave') leave(table, event.memberId)
  if (event.type === 'sit' || event.type === 'back') {
    const member = table.members.find(({ id }) => id === event.memberId)
    // The creator may have removed the member meanwhile.
    if (member === undefined) return 'NotRoomMember'
    sit(table, member, event.type)
  }
  if (isOver || event.type === 'end') endTable(table, now)
  else if (event.type === 'tick') endLapsedTurn(table, now)
  if (table.isEnded) return
  giveSeats(table, now)
  if (table.holderId === null) beginTurn(table, now, { event, previousId })
  return
}

/** When the clock was set back, a turn ends as if it had begun now. */
function adjustToClock(table: Table, now: number) {
  if (table.turnEndsAt !== null && !table.isLast)
    table.turnEndsAt = Math.min(table.turnEndsAt, now + table.turnMs)
  if (table.leaseEndsAt !== null) table.leaseEndsAt = Math.min(table.leaseEndsAt, now + leaseMs)
  for (const member of table.members)
    if (member.awaySince !== null) member.awaySince = Math.min(member.awaySince, now)
}

function refusalOfTurnCall(table: Table, { memberId, number }: OfTurn, now: number): TurnRefusal | undefined {
  if (number === undefined || number > table.number) return 'NotYourTurn'
  if (number < table.number || table.turnEndsAt === null || now >= table.turnEndsAt) return 'TurnOver'
  return table.holderId === memberId ? undefined : 'NotYourTurn'
}

/** Whether the holder may name a member as the next writer. The writers of the newest passages pause: nobody may name them. */
function mayBeNext(table: Table, id: string): boolean {
  const ready = readyOf(table)
  const pausing = table.lastAuthorIds.slice(0, pausingCount(ready.length))
  return (
    table.rule === 'baton' &&
    id !== table.holderId &&
    !pausing.includes(id) &&
    ready.some((member) => member.id === id)
  )
}

/** Ends the turn if it has lapsed: if its time or its lease is over. */
function endLapsedTurn(table: Table, now: number) {
  const { holderId, turnEndsAt, leaseEndsAt } = table
  if (holderId === null || now < Math.min(turnEndsAt ?? Infinity, leaseEndsAt ?? Infinity)) return
  const holder = memberOf(table, holderId)
  holder.missedCount++
  if (holder.missedCount >= lapsedMax) {
    holder.state = 'away'
    holder.awaySince = now
  }
  endTurn(table)
}

/** The holder waits from the next turn on, and so stands behind each member who returned during this turn. */
function endTurn(table: Table) {
  const holder = table.members.find(({ id }) => id === table.holderId)
  if (holder !== undefined) holder.waitsSince = table.number + 1
  clearTurn(table)
}

function clearTurn(table: Table) {
  table.holderId = table.turnEndsAt = table.leaseEndsAt = null
  table.isLast = false
}

function endTable(table: Table, now: number) {
  table.roomEndsAt = Math.min(table.roomEndsAt, now)
  table.isEnded = true
  clearTurn(table)
}

function leave(table: Table, id: string) {
  if (table.holderId === id) clearTurn(table)
  table.members = table.members.filter((member) => member.id !== id)
}

/** A member without a seat waits until `giveSeats` gives one. An away member who is back is ready again. */
function sit(table: Table, member: Member, type: 'sit' | 'back') {
  if (member.state === 'absent') {
    member.state = 'waiting'
    member.seat = lastSeatOf(table) + 1
  }
  if (type === 'back' && member.state === 'away') takeSeat(table, member)
}

function takeSeat(table: Table, member: Member) {
  member.seat = lastSeatOf(table) + 1
  member.state = 'ready'
  member.missedCount = 0
  member.waitsSince = table.holderId === null ? table.number + 1 : table.number
  member.awaySince = null
}

/** Gives free seats to the members who wait, and the seats of members who are away for long. */
function giveSeats(table: Table, now: number) {
  for (;;) {
    const [waiting] = bySeat(table.members.filter(({ state }) => state === 'waiting'))
    if (waiting === undefined) return
    const seated = table.members.filter(({ state }) => state === 'ready' || state === 'away')
    if (seated.length >= seatsMax) {
      const [longestAway] = seated
        .filter(({ awaySince }) => awaySince !== null && now >= awaySince + awayMaxMs)
        .toSorted((a, b) => a.awaySince! - b.awaySince! || a.seat - b.seat)
      if (longestAway === undefined) return
      longestAway.state = 'absent'
      longestAway.awaySince = null
      longestAway.missedCount = 0
    }
    takeSeat(table, waiting)
  }
}

/** Begins the next turn, unless nobody is ready or too little time is left. */
function beginTurn(
  table: Table,
  now: number,
  { event, previousId }: { event: TableEvent; previousId: string | null },
) {
  const ready = readyOf(table)
  const left = table.roomEndsAt - now
  if (ready.length === 0 || left < shortestTurnMs) return
  table.isLast = left < 2 * table.turnMs
  const namedId = event.type === 'pass' || event.type === 'passage' ? event.nextId : undefined
  table.number++
  const next = table.isLast ? holderOfLastTurn(ready, previousId) : nextHolder(table, ready, namedId)
  table.holderId = next.id
  table.turnEndsAt = table.isLast ? table.roomEndsAt : now + table.turnMs
  table.leaseEndsAt = table.isSlow ? null : now + firstLeaseMs
}

/** The member who waits longest, or the named one while nobody would wait longer than `ready.length + 2` turns. */
function nextHolder({ number }: Table, ready: Member[], namedId: string | undefined): Member {
  const inLine = byWait(ready)
  const named = inLine.find(({ id }) => id === namedId)
  const others = inLine.filter((member) => member !== named)
  // How long the member with index `i` would have waited if each of the others had a turn after the named one.
  const isSoonEnough = ({ waitsSince }: Member, i: number) => number - waitsSince + i + 1 <= ready.length + 2
  return named !== undefined && others.every(isSoonEnough) ? named : inLine[0]!
}

/** The ready member with the fewest words, other than the previous holder while there is another. */
function holderOfLastTurn(ready: Member[], previousId: string | null): Member {
  const others = ready.filter(({ id }) => id !== previousId)
  return byWait(others.length > 0 ? others : ready).toSorted((a, b) => a.words - b.words)[0]!
}

const memberOf = (table: Table, memberId: string): Member => table.members.find(({ id }) => id === memberId)!

const readyOf = (table: Table) => table.members.filter(({ state }) => state === 'ready')

const lastSeatOf = (table: Table) => Math.max(0, ...table.members.map(({ seat }) => seat))

const bySeat = (members: Member[]) => members.toSorted((a, b) => a.seat - b.seat)

const byWait = (members: Member[]) =>
  members.toSorted((a, b) => a.waitsSince - b.waitsSince || a.seat - b.seat)
