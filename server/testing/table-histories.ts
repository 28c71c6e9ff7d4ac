import fc from 'fast-check'
import { nextTable, dueAt } from '#server/features/rooms/table/next-table.ts'
import type { Member, Table, TableEvent } from '#server/features/rooms/table/table.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const peopleIds = Array.from({ length: 15 }, (_, n) => `p${n}`)

export const aMember = (id: string, more: Partial<Member> = {}): Member => ({
  id,
  seat: 0,
  state: 'absent',
  missedCount: 0,
  words: 0,
  waitsSince: 0,
  awaySince: null,
  ...more,
})

export const aTable = (more: Partial<Table> = {}): Table => ({
  rule: 'round',
  turnMs: 2 * minute,
  isSlow: false,
  roomEndsAt: hour,
  isEnded: false,
  revision: 0,
  number: 0,
  holderId: null,
  turnEndsAt: null,
  leaseEndsAt: null,
  isLast: false,
  members: peopleIds.map((id) => aMember(id)),
  lastAuthorIds: [],
  ...more,
})

type Step = {
  waitMs: number
  /** How far the clock jumps. */
  jumpMs: number
  type: TableEvent['type']
  who: 'holder' | number
  numberOffset: number | undefined
  next: number | undefined
  words: number
}

const aStep: fc.Arbitrary<Step> = fc.record({
  waitMs: fc.oneof(
    { weight: 24, arbitrary: fc.integer({ min: 0, max: 12 * second }) },
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 4 * minute }) },
    { weight: 1, arbitrary: fc.constant(11 * minute) },
  ),
  jumpMs: fc.oneof({ weight: 60, arbitrary: fc.constant(0) }, fc.constantFrom(hour, -hour)),
  type: fc.oneof(
    { weight: 80, arbitrary: fc.constant('tick' as const) },
    { weight: 80, arbitrary: fc.constant('sit' as const) },
    { weight: 160, arbitrary: fc.constant('passage' as const) },
    {
      weight: 20,
      arbitrary: fc.constantFrom('back' as const, 'leave' as const, 'renew' as const, 'pass' as const),
    },
    fc.constant('end' as const),
  ),
  who: fc.oneof({ weight: 3, arbitrary: fc.constant('holder' as const) }, fc.nat(peopleIds.length - 1)),
  numberOffset: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.constantFrom(-1, 1, undefined)),
  next: fc.option(fc.nat(peopleIds.length - 1), { nil: undefined, freq: 1 }),
  words: fc.nat(90),
})

const aHistory = fc.record({
  rule: fc.constantFrom('round' as const, 'baton' as const),
  turnMs: fc.constantFrom(minute, 2 * minute, 4 * minute, 12 * hour),
  roomMs: fc.constantFrom(15 * minute, hour, 2 * hour, 72 * hour),
  seatedCount: fc.nat(14),
  steps: fc.array(aStep, { maxLength: 80, size: 'max' }),
})

/**
 * Checks the rules of turns against an independent statement of each, in histories that are made up. Returns the number of
 * their turns.
 */
export function checkHistories(numRuns: number): number {
  let turns = 0
  fc.assert(
    fc.property(aHistory, (history) => {
      turns += new Check(history).run()
    }),
    { numRuns },
  )
  return turns
}

type History = typeof aHistory extends fc.Arbitrary<infer T> ? T : never

/** Follows a history by its events alone: who waits in which order, who has missed turns, when the holder has renewed the lease. */
class Check {
  readonly #history: History
  #table: Table
  #now = 0
  /** The ready members without the holder, in the order in which they began to wait. */
  #queue: string[] = []
  /** How many turns of others each of them has waited for, and the most ready members meanwhile. */
  readonly #waits = new Map<string, { turns: number; readyMax: number }>()
  readonly #missed = new Map<string, number>()
  readonly #away = new Map<string, number>()
  readonly #words = new Map<string, number>()
  #authors: string[] = []
  /** The line for a seat. */
  #line: string[] = []
  readonly #passages = new Set<number>()
  #startedAt = 0
  #renewedAt: number | undefined
  /** Since the clock was set back during this turn, its times cannot be foreseen. */
  #isClockOff = false

  constructor(history: History) {
    this.#history = history
    const { rule, turnMs, roomMs } = history
    this.#table = aTable({ rule, turnMs, isSlow: turnMs > hour, roomEndsAt: roomMs })
  }

  run() {
    for (const id of peopleIds.slice(0, this.#history.seatedCount)) this.#apply({ type: 'sit', memberId: id })
    for (const step of this.#history.steps) {
      this.#now += step.waitMs + step.jumpMs
      if (step.jumpMs < 0) this.#isClockOff = true
      this.#apply(this.#eventOf(step))
    }
    return this.#table.number
  }

  #eventOf({ type, who, numberOffset, next, words }: Step): TableEvent {
    const { holderId, number: current } = this.#table
    const memberId = who === 'holder' ? (holderId ?? 'p0') : peopleIds[who]!
    const number = numberOffset === undefined ? undefined : current + numberOffset
    const nextId = next === undefined ? undefined : peopleIds[next]!
    if (type === 'tick' || type === 'end') return { type }
    if (type === 'renew') return { type, memberId, number }
    if (type === 'pass') return { type, memberId, number, nextId }
    if (type === 'passage') return { type, memberId, number, nextId, words }
    return { type, memberId }
  }

  #apply(event: TableEvent) {
    const before = this.#table
    const text = JSON.stringify(before)
    const isStranger = (memberId: string) => before.members.every(({ id }) => id !== memberId)
    if ('memberId' in event && isStranger(event.memberId)) return this.#refuseStranger(event)
    const after = nextTable(before, event, this.#now)
    is(JSON.stringify(before) === text, 'the argument is not changed')
    const wanted = this.#refusal(event)
    is((typeof after === 'string' ? after : undefined) === wanted, `${event.type}: ${String(wanted)}`)
    if (typeof after === 'string') return
    const mayChange = this.#isClockOff || this.#now >= (dueAt(before) ?? Infinity)
    this.#follow(before, event, after)
    this.#table = after
    this.#checkState(before, event, after)
    // TURN-14: who asks at the due time misses no change.
    if (event.type === 'tick' && !mayChange)
      is(after.revision === before.revision, 'nothing changes before it is due')
  }

  /** TURN-17: whom the creator has removed does not come back. */
  #refuseStranger(event: TableEvent) {
    if (event.type === 'leave') return
    is(typeof nextTable(this.#table, event, this.#now) === 'string', 'a stranger has no seat')
  }

  /** TURN-04, TURN-10, TURN-19, TURN-20. */
  #refusal(event: TableEvent) {
    const { holderId, number, isEnded, roomEndsAt, rule } = this.#table
    if (event.type === 'tick' || event.type === 'leave') return undefined
    if (isEnded || this.#now >= roomEndsAt) return 'RoomExpired'
    if (event.type === 'sit' || event.type === 'back' || event.type === 'end') return undefined
    if (event.number === undefined || event.number > number) return 'NotYourTurn'
    if (event.number < number || holderId === null || this.#isTurnOver()) return 'TurnOver'
    if (event.memberId !== holderId) return 'NotYourTurn'
    if (event.type === 'renew' || event.nextId === undefined) return undefined
    const authors = event.type === 'passage' ? [holderId, ...this.#authors] : this.#authors
    const readyCount = this.#queue.length + 1
    const pausing = authors.slice(0, readyCount < 2 ? 0 : readyCount < 4 ? 1 : readyCount < 6 ? 2 : 3)
    const mayBeNext =
      rule === 'baton' && this.#queue.includes(event.nextId) && !pausing.includes(event.nextId)
    return mayBeNext ? undefined : 'NotNext'
  }

  #isTurnOver() {
    const { turnEndsAt, isLast, roomEndsAt, turnMs } = this.#table
    if (this.#isClockOff) return this.#now >= turnEndsAt!
    return this.#now >= (isLast ? roomEndsAt : this.#startedAt + turnMs)
  }

  /** TURN-05: 20 s from the start of the turn, and 25 s after each renewal. TURN-22: a slow table has no lease. */
  #isLeaseOver() {
    const { isSlow, leaseEndsAt } = this.#table
    if (isSlow) return false
    if (this.#isClockOff) return this.#now >= leaseEndsAt!
    return this.#now >= (this.#renewedAt === undefined ? this.#startedAt + 20_000 : this.#renewedAt + 25_000)
  }

  #follow(before: Table, event: TableEvent, after: Table) {
    const { holderId } = before
    const lapses = event.type === 'tick' && holderId !== null && (this.#isTurnOver() || this.#isLeaseOver())
    const now = this.#now
    if (this.#isClockOff) for (const [id, at] of this.#away) this.#away.set(id, Math.min(at, now))
    const hasEnded = before.isEnded || now >= before.roomEndsAt
    if (event.type === 'leave') this.#forget(event.memberId)
    // TURN-17: also when the creator ends the room.
    if (hasEnded || event.type === 'end') return this.#expectEnd(after)
    let turnIsOver = event.type === 'leave' && event.memberId === holderId
    if (event.type === 'renew') {
      this.#renewedAt = now
      is(after.holderId === holderId && after.number === before.number, 'a renewal keeps the turn')
      return
    }
    if (event.type === 'sit' || event.type === 'back') this.#sitOrReturn(event.type, event.memberId)
    if (event.type === 'passage') {
      is(!this.#passages.has(before.number), 'a turn has one passage')
      this.#passages.add(before.number)
      this.#authors = [event.memberId, ...this.#authors]
      this.#words.set(event.memberId, (this.#words.get(event.memberId) ?? 0) + event.words)
      if (before.isLast) return this.#expectEnd(after)
    }
    if (event.type === 'passage' || event.type === 'pass' || lapses) {
      turnIsOver = true
      const missed = lapses ? (this.#missed.get(holderId!) ?? 0) + 1 : 0
      this.#missed.set(holderId!, missed)
      // TURN-08.
      if (missed === 2) this.#away.set(holderId!, now)
      else this.#wait(holderId!, 0)
    }
    this.#giveSeats(turnIsOver || holderId === null ? 0 : 1, after)
    const mayBegin =
      (turnIsOver || holderId === null) && this.#queue.length > 0 && after.roomEndsAt - now >= 20_000
    if (mayBegin) this.#expectTurn(before, event, after)
    else if (turnIsOver) is(after.holderId === null, 'nobody is ready, or the room ends')
    else is(after.holderId === holderId && after.number === before.number, 'the turn goes on')
  }

  #forget(id: string) {
    this.#queue = this.#queue.filter((each) => each !== id)
    this.#line = this.#line.filter((each) => each !== id)
    for (const map of [this.#away, this.#missed, this.#words, this.#waits]) map.delete(id)
  }

  #expectEnd(after: Table) {
    is(after.isEnded && after.holderId === null && dueAt(after) === null, 'the room has ended')
  }

  #wait(id: string, turns: number) {
    this.#queue.push(id)
    this.#waits.set(id, { turns, readyMax: this.#queue.length + turns })
  }

  #sitOrReturn(type: 'sit' | 'back', id: string) {
    const isSeated = this.#queue.includes(id) || this.#table.holderId === id || this.#away.has(id)
    if (!isSeated && !this.#line.includes(id)) this.#line.push(id)
    if (type !== 'back' || !this.#away.has(id)) return
    this.#away.delete(id)
    this.#missed.set(id, 0)
    this.#wait(id, 1)
  }

  /** TURN-02, TURN-08. */
  #giveSeats(waitedTurns: number, after: Table) {
    const { holderId } = this.#table
    const seated = () =>
      new Set([...this.#queue, ...this.#away.keys(), ...(waitedTurns === 1 ? [holderId] : [])]).size
    while (this.#line.length > 0) {
      if (seated() >= 12) {
        const longest = [...this.#away].filter(([, at]) => this.#now - at >= 600_000).map(([, at]) => at)
        if (longest.length === 0) break
        const removed = after.members.filter(
          ({ id, state }) => state !== 'away' && this.#away.get(id) === Math.min(...longest),
        )
        is(removed.length > 0, 'the member who is away longest loses the seat')
        this.#away.delete(removed[0]!.id)
        this.#missed.set(removed[0]!.id, 0)
      }
      const id = this.#line.shift()!
      this.#missed.set(id, 0)
      this.#wait(id, waitedTurns)
    }
  }

  #expectTurn(before: Table, event: TableEvent, after: Table) {
    const { turnMs, roomEndsAt } = after
    const left = roomEndsAt - this.#now
    is(after.number === before.number + 1, 'turn numbers grow by one')
    is(after.isLast === left < 2 * turnMs, 'a turn is the last when less than two turns are left')
    is(after.turnEndsAt === (after.isLast ? roomEndsAt : this.#now + turnMs), 'the length of the turn')
    const next = after.isLast ? this.#fewestWords(before.holderId) : this.#nextInLine(event)
    is(after.holderId === next, `${next} is next`)
    const readyCount = this.#queue.length
    this.#queue = this.#queue.filter((id) => id !== next)
    if (!after.isLast)
      for (const id of this.#queue) {
        const wait = this.#waits.get(id)!
        wait.turns++
        wait.readyMax = Math.max(wait.readyMax, readyCount)
        // TURN-09. The first turn that counts may have begun before.
        if (after.rule === 'round')
          is(wait.turns <= wait.readyMax - 1, 'nobody waits for two turns of another')
      }
    this.#startedAt = this.#now
    this.#renewedAt = undefined
    this.#isClockOff = false
  }

  /** TURN-12. */
  #fewestWords(previousId: string | null) {
    const others = this.#queue.filter((id) => id !== previousId)
    const candidates = others.length > 0 ? others : this.#queue
    const wordsOf = (id: string) => this.#words.get(id) ?? 0
    const fewest = Math.min(...candidates.map(wordsOf))
    return candidates.find((id) => wordsOf(id) === fewest)!
  }

  /** TURN-09 to TURN-11: the named member, unless the members in the queue would then wait for more than r + 2 turns. */
  #nextInLine(event: TableEvent) {
    const { nextId } = event as { nextId?: string }
    if (nextId === undefined || !this.#queue.includes(nextId)) return this.#queue[0]!
    const afterwards = this.#queue.filter((id) => id !== nextId)
    const isTooLong = afterwards.some((id, i) => this.#waits.get(id)!.turns + i + 1 > this.#queue.length + 2)
    return isTooLong ? this.#queue[0]! : nextId
  }

  #checkState(before: Table, event: TableEvent, after: Table) {
    const { members, holderId, number, isEnded, rule } = after
    const inState = (wanted: string) => members.filter(({ state }) => state === wanted).map(({ id }) => id)
    const same = (some: string[], others: string[]) =>
      JSON.stringify(some.toSorted()) === JSON.stringify(others.toSorted())
    if (!isEnded) {
      is(same(inState('ready'), [...this.#queue, ...(holderId === null ? [] : [holderId])]), 'who is ready')
      is(same(inState('away'), [...this.#away.keys()]), 'who is away')
      is(same(inState('waiting'), this.#line), 'who waits for a seat')
      is(inState('ready').length + inState('away').length <= 12, 'there are 12 seats')
    }
    is(!before.isEnded || isEnded, 'an ended room stays ended')
    is(number === before.number || number === before.number + 1, 'no number is left out')
    is(rule === before.rule, 'the rule stays')
    const seats = members.filter(({ state }) => state !== 'absent').map(({ seat }) => seat)
    is(new Set(seats).size === seats.length, 'no two members have one place')
    const isSame = JSON.stringify({ ...before, revision: 0 }) === JSON.stringify({ ...after, revision: 0 })
    if (event.type !== 'renew') is(after.revision === before.revision + (isSame ? 0 : 1), 'the revision')
  }
}

function is(holds: boolean, rule: string) {
  if (!holds) throw new Error(`broken rule: ${rule}`)
}
