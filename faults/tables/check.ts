import type { TurnRule } from '#contract/rooms/table/table.ts'
import type { TypedText } from './player.ts'
import type { LoggedTable } from './turn-log.ts'
import type { Times } from './two-servers.ts'

export interface StoredPassage {
  position: number
  turn: number
  userId: string
  text: string
}

export interface Told {
  rule: TurnRule
  turnMs: number
  log: LoggedTable[]
  passages: StoredPassage[]
  texts: TypedText[]
  /** The turns whose holders asked to pass. */
  passed: ReadonlySet<number>
  times: Times
}

export interface Findings {
  faults: string[]
  /** The milliseconds that each person waited for each turn. */
  waits: number[]
  /** Of each lapsed turn: the milliseconds from its end until it passed on, while a process was there to do it. */
  lateness: number[]
}

const quietMs = 20_000
/** A lapsed turn passes on within 2 s (TURN-14). The rest is for a machine with other work. */
const lateMaxMs = 2000 + 3000
/** A transaction of a killed process may end a little later than the process. */
const graceMs = 200

/** Compares what is stored of one table with the rules of turns, and with what its people noted down. */
export function findFaults(told: Told): Findings {
  const found: Findings = { faults: [], waits: [], lateness: [] }
  checkTexts(told, found)
  checkTurns(told, found)
  checkWaits(told, found)
  const last = told.log.at(-1)
  if (last?.isEnded !== true) found.faults.push('the room did not end')
  return found
}

/** TURN-03, TURN-07: each acknowledged text is stored once, and no other text is. */
function checkTexts({ passages, texts }: Told, { faults }: Findings) {
  const acknowledged = texts.filter(({ outcome }) => outcome === 'acknowledged')
  const places = (each: { userId: string; text: string; turn: number }[]) =>
    each.map(({ userId, text, turn }) => `turn ${turn}: ${text} by ${userId}`)
  const stored = places(passages)
  const wanted = new Set(places(acknowledged))
  for (const each of wanted) if (!stored.includes(each)) faults.push(`lost: ${each}`)
  for (const each of stored) if (!wanted.has(each)) faults.push(`stored, but not acknowledged: ${each}`)
  for (const field of ['turn', 'text'] as const)
    if (new Set(passages.map((each) => each[field])).size < passages.length)
      faults.push(`two passages have one ${field}`)
  if (passages.some(({ position }, i) => position !== i + 1)) faults.push('a position is missing')
}

/** TURN-03, TURN-05, TURN-06, TURN-14, TURN-19. */
function checkTurns({ log, passages, passed, times, turnMs }: Told, found: Findings) {
  const { faults } = found
  const written = new Set(passages.map(({ turn }) => turn))
  let beganAt = log[0]?.at ?? 0
  for (const [i, after] of log.slice(1).entries()) {
    const before = log[i]!
    const { turn, holder, at } = after
    if (turn !== before.turn && turn !== before.turn + 1)
      faults.push(`turn ${turn} follows turn ${before.turn}`)
    if (after.revision < before.revision) faults.push(`turn ${turn}: the revision shrinks`)
    if (before.isEnded && !after.isEnded) faults.push(`turn ${turn}: the ended room is open again`)
    const isOver = before.holder !== null && (turn !== before.turn || holder === null)
    if (isOver) {
      const dueAt = Math.min(before.endsAt!, before.leaseAt ?? Infinity)
      const lateMs = at - dueAt - downMs(times, dueAt, at)
      if (lateMs > lateMaxMs) faults.push(`turn ${before.turn} ended ${lateMs} ms too late`)
    }
    if (isOver && !after.isEnded) {
      const missed = (of: LoggedTable) => of.members[before.holder!]?.missed ?? 0
      if (missed(after) > missed(before)) checkLapse(before, at, times, found)
      else if (!written.has(before.turn) && !passed.has(before.turn))
        faults.push(`turn ${before.turn} ended without a reason`)
      const lastedMs = at - beganAt
      if (!before.isLast && lastedMs > turnMs + lateMaxMs + downMs(times, beganAt, at))
        faults.push(`turn ${before.turn} lasted ${lastedMs} ms`)
    }
    if (turn !== before.turn) beganAt = at
  }
}

function checkLapse(before: LoggedTable, at: number, times: Times, { faults, lateness }: Findings) {
  const dueAt = Math.min(before.endsAt!, before.leaseAt ?? Infinity)
  const lateMs = at - dueAt - downMs(times, dueAt, at)
  lateness.push(Math.max(0, lateMs))
  if (at < dueAt) faults.push(`turn ${before.turn} was taken ${dueAt - at} ms too early`)
  const isAllowed = ({ spawnedAt, endedAt }: Times['runs'][number]) =>
    spawnedAt + quietMs <= at && at <= endedAt + graceMs
  if (!times.runs.some(isAllowed))
    faults.push(`turn ${before.turn} was taken by a process that had just started`)
}

/** For how much of a time no process could let turns pass on. */
function downMs({ runs, stops }: Times, from: number, to: number): number {
  const stepMs = 50
  let down = 0
  for (let at = from; at < to; at += stepMs) {
    const isStopped = stops.some((stop) => stop.from <= at && at <= stop.to)
    const isUp = runs.some(({ readyAt, endedAt }) => readyAt + quietMs <= at && at <= endedAt)
    if (isStopped || !isUp) down += stepMs
  }
  return down
}

/** TURN-09 and TURN-11: how many turns of others begin while a ready person waits. The last turn follows another rule. */
function checkWaits({ rule, log }: Told, { faults, waits }: Findings) {
  const waiting = new Map<string, { since: number; turns: number; readyMax: number }>()
  let turn = log[0]?.turn ?? 0
  for (const { at, holder, members, isLast, ...now } of log) {
    const ready = Object.keys(members).filter((id) => members[id]!.state === 'ready')
    for (const id of waiting.keys()) if (!ready.includes(id)) waiting.delete(id)
    if (holder !== null && waiting.has(holder)) {
      waits.push(at - waiting.get(holder)!.since)
      waiting.delete(holder)
    }
    for (const id of ready) {
      if (id === holder) continue
      const wait = waiting.get(id) ?? { since: at, turns: 0, readyMax: 0 }
      waiting.set(id, wait)
      wait.readyMax = Math.max(wait.readyMax, ready.length)
      if (now.turn === turn || isLast || wait.since === at) continue
      wait.turns++
      const most = rule === 'round' ? wait.readyMax - 1 : wait.readyMax + 2
      if (wait.turns > most) faults.push(`turn ${now.turn}: ${id} waits for ${wait.turns} turns of others`)
    }
    turn = now.turn
  }
}
