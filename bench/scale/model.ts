import { randomFrom } from '../../faults/random.ts'
import type { CallName, Costs } from './costs.ts'

/** What the model assumes about people and machines. Only what says so was measured; change it and draw the tables again. */
export const assumptions = {
  activeShare: 0.2,
  /** Visitors without an account, for each person who is active on a day. */
  visitorsForEachActive: 5,
  /** The share of the calls of a day that come in its busiest hour. */
  busiestHourShare: 0.1,
  minutesOpen: 40,
  readersOfPassage: 8,
  /** Calls of an active person on a day. */
  callsOfPerson: {
    openPage: 3,
    getMe: 3,
    getFeedDay: 6,
    getDiaryEntry: 2,
    saveDiaryEntry: 4,
    listMessages: 5,
    sendMessage: 8,
    listRooms: 3,
    listPassages: 3,
    sendPassage: 4,
    submitPost: 0.1,
    search: 2,
    login: 0.05,
  } satisfies Record<CallName, number> as Record<CallName, number>,
  callsOfVisitor: { openPage: 2, getFeedDay: 2, listRooms: 0.2, search: 0.2 } as Partial<
    Record<CallName, number>
  >,
  /** Scripts, styles, fonts and pictures for each page that is opened; most come from the cache of the browser. */
  fileBytesOfPage: 30_000,
  /** The share of its capacity that a machine uses in the busiest hour. The rest takes over from a machine that fails. */
  plannedShare: 0.6,
  processMemoryBytes: 600e6,
  postgresCores: 64,
  postgresLogBytesPerSecond: 500e6,
  /** On Citus, entered by any node, the processor time of a change and of a read, as multiples: measured (decision 52). */
  distributedChange: 3.2,
  distributedRead: 2,
  nodeCores: 16,
  /** Each byte in the database is stored on the primary and a standby. */
  copies: 2,
  eurosOfCoreMonth: 15,
  eurosOfGigabyteMonth: 0.1,
  eurosOfTrafficTerabyte: 2,
} as const

const calls = Object.keys(assumptions.callsOfPerson) as CallName[]
const changes: readonly CallName[] = ['saveDiaryEntry', 'sendMessage', 'sendPassage', 'submitPost', 'login']

/** What so many people with an account ask for in the busiest hour, a second, and what that costs. */
export function loadOf(people: number, costs: Costs) {
  const { busiestHourShare, visitorsForEachActive, minutesOpen, readersOfPassage } = assumptions
  const active = people * assumptions.activeShare
  const daily = (call: CallName) =>
    active *
    (assumptions.callsOfPerson[call] + visitorsForEachActive * (assumptions.callsOfVisitor[call] ?? 0))
  const perSecond = Object.fromEntries(
    calls.map((call) => [call, (daily(call) * busiestHourShare) / 3600]),
  ) as Record<CallName, number>
  const sum = (valueOf: (call: CallName) => number) => calls.reduce((total, call) => total + valueOf(call), 0)
  const streams = (active * minutesOpen * busiestHourShare) / 60
  const { stream, bus } = costs
  // A message reaches the inboxes of both friends, and each of them may have it in the same moment.
  const events = 2 * perSecond.sendMessage + readersOfPassage * perSecond.sendPassage
  const busMessages = 2 * perSecond.sendMessage + perSecond.sendPassage
  const streamOpenings = perSecond.openPage / (1 + visitorsForEachActive)
  const coresOf = (time: 'serverUs' | 'databaseUs', weightOf: (call: CallName) => number) =>
    (sum((call) => perSecond[call] * costs.calls[call][time] * weightOf(call)) +
      streams * stream.second[time] +
      streamOpenings * stream.opening[time]) /
    1e6
  const usual = () => 1
  const onNodes = (call: CallName) =>
    changes.includes(call) ? assumptions.distributedChange : assumptions.distributedRead
  return {
    perSecond,
    calls: sum((call) => perSecond[call]),
    streams,
    streamBytes: streams * stream.memoryBytes,
    events,
    busMessages,
    serverCores: coresOf('serverUs', usual) + (events * stream.eventUs) / 1e6,
    /** Each process reads every message of the bus, also those that none of its streams needs. */
    busCoresOfEachProcess: (busMessages * bus.receiveUs) / 1e6,
    databaseCores: coresOf('databaseUs', usual),
    databaseCoresOfChanges:
      changes.reduce((cores, call) => cores + perSecond[call] * costs.calls[call].databaseUs, 0) / 1e6,
    databaseCoresOfStreams: (streams * stream.second.databaseUs) / 1e6,
    databaseCoresOnNodes: coresOf('databaseUs', onNodes),
    logBytes: sum((call) => perSecond[call] * costs.calls[call].logBytes),
    sentBytes:
      sum((call) => perSecond[call] * costs.calls[call].answerBytes) +
      perSecond.openPage * assumptions.fileBytesOfPage,
    storedBytesOfYear: 365 * sum((call) => daily(call) * costs.calls[call].storedBytes),
    sentBytesOfMonth:
      30 *
      (sum((call) => daily(call) * costs.calls[call].answerBytes) +
        daily('openPage') * assumptions.fileBytesOfPage),
  }
}

/**
 * The processes that so much work needs, each with one core; Infinity when every process would be busy with reading the
 * messages of the bus.
 */
export function processesFor({
  serverCores,
  busCoresOfEachProcess,
  streamBytes,
}: ReturnType<typeof loadOf>): number {
  const left = assumptions.plannedShare - busCoresOfEachProcess
  if (left <= 0) return Infinity
  return Math.max(1, Math.ceil(serverCores / left), Math.ceil(streamBytes / assumptions.processMemoryBytes))
}

/**
 * Simulates the queue of one process: calls come at random moments in the proportions of the traffic, and each holds the
 * core for its time. Returns the 99th percentile of the wait for the core, in milliseconds.
 */
export function waitAt(share: number, { perSecond }: ReturnType<typeof loadOf>, costs: Costs): number {
  const random = randomFrom(1)
  // The hashing of a password runs on another thread.
  const kinds = calls.filter((call) => call !== 'login')
  const total = kinds.reduce((sum, call) => sum + perSecond[call], 0)
  const meanUs = kinds.reduce((sum, call) => sum + (perSecond[call] / total) * costs.calls[call].serverUs, 0)
  const waits: number[] = []
  let freeAt = 0
  let now = 0
  for (let n = 0; n < 200_000; n++) {
    // The time between two calls, and the time of a call, spread as those of independent events.
    now += (-Math.log(1 - random()) * meanUs) / share
    waits.push(Math.max(0, freeAt - now))
    let at = random() * total
    const call = kinds.find((each) => (at -= perSecond[each]) < 0) ?? kinds.at(-1)!
    freeAt = Math.max(freeAt, now) - Math.log(1 - random()) * costs.calls[call].serverUs
  }
  waits.sort((one, other) => one - other)
  return waits[Math.floor(waits.length * 0.99)]! / 1000
}
