import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { register } from '#contract/account/endpoints.ts'
import { getRoomSeal } from '#contract/rooms/credit/endpoints.ts'
import { verify } from '#contract/rooms/credit/verify.ts'
import { createRoom, joinRoom } from '#contract/rooms/endpoints.ts'
import { HttpClient } from '../../scripts/testing/http-client.ts'
import { randomFrom } from '../random.ts'
import { findFaults, type Findings, type StoredPassage } from './check.ts'
import { Player, type TableNotes } from './player.ts'
import { countSeals, readTurnLog, startTurnLog } from './turn-log.ts'
import type { DisturbedServer, Times, TwoServers } from './two-servers.ts'

interface Options {
  tables: number
  membersEach: number
  /** For how long people write before the last turns begin. */
  forMs: number
  killsEach: number
  pauseMs: number
  /** The probability that a person leaves the page open in a turn, and does not renew the lease. */
  freezes: number
  seed: number
}

export interface TablesRun extends Omit<Findings, 'lateness'> {
  passages: number
  acknowledged: number
  turns: number
  kills: number
  lateness: number[]
  /** The milliseconds from an answer that gives a turn until the stream of its holder shows it, while both servers run. */
  shown: number[]
}

/** The shortest length. The last turn begins when less than two turns are left. */
const turnSeconds = 60
const turnMs = turnSeconds * 1000
const lastTurnsMs = 2 * turnMs
const cutEveryMs = 20_000

/** People write at tables, in a round or with a baton, while the servers are killed, stopped and cut off. */
export async function runTables(
  { servers, db, times }: TwoServers,
  { tables, membersEach, forMs, killsEach, pauseMs, freezes, seed }: Options,
): Promise<TablesRun> {
  const random = randomFrom(seed)
  const people = await registerPeople(servers, tables * membersEach)
  await startTurnLog(db)
  const started = []
  for (let n = 0; n < tables; n++)
    started.push(
      await startTable(n, people.slice(n * membersEach, (n + 1) * membersEach), { random, freezes }),
    )
  const endsAt = Date.now() + forMs + lastTurnsMs
  await db.query('update rooms set expires_at = $1', [new Date(endsAt)])
  const players = started.flatMap((table) => table.players)
  const isOver = new AbortController()
  const disturbing = [
    disturb(servers, { forMs, killsEach, pauseMs }),
    cutNowAndThen(players, servers, random, isOver.signal),
  ]
  const deadline = endsAt + 30_000
  while ((await countOpen(db)) > 0 && Date.now() < deadline) await delay(200)
  isOver.abort()
  await Promise.all(disturbing)
  await Promise.all(players.map((player) => player.close()))
  return summarize(started, { db, times, servers })
}

interface PersonAtServers {
  id: string
  clients: HttpClient[]
}

async function registerPeople(servers: DisturbedServer[], count: number): Promise<PersonAtServers[]> {
  const people: PersonAtServers[] = []
  for (let n = 0; n < count; n++) {
    const client = new HttpClient(servers[0]!.origin)
    const input = { email: `person${n}@example.org`, password: 'secret pass 1', firstName: `Person ${n}` }
    const { id } = await client.does(register, { input })
    people.push({
      id,
      clients: [client, ...servers.slice(1).map((each) => new HttpClient(each.origin, client))],
    })
  }
  return people
}

/** A table whose rule and fold depend on its number. */
async function startTable(
  n: number,
  people: PersonAtServers[],
  chances: { random: () => number; freezes: number },
) {
  const rule = n % 2 === 0 ? ('round' as const) : ('baton' as const)
  const { id: roomId } = await people[0]!.clients[0]!.does(createRoom, {
    input: {
      name: `Table ${n}`,
      description: 'A story',
      isPublic: true,
      duration: 15,
      invitedFriends: [],
      turns: rule,
      isFolded: n % 4 < 2,
      turnSeconds,
    },
  })
  for (const { clients } of people.slice(1)) await clients[0]!.does(joinRoom, { params: { id: roomId } })
  const notes: TableNotes = {
    texts: [],
    passed: new Set(),
    givenAt: new Map(),
    shownAt: new Map(),
    problems: [],
  }
  const players = people.map(
    ({ id, clients }, i) =>
      new Player({
        roomId,
        rule,
        userId: id,
        name: `Table ${n} person ${i} text`,
        clients,
        notes,
        ...chances,
      }),
  )
  return { roomId, rule, notes, players }
}

type StartedTable = Awaited<ReturnType<typeof startTable>>

/** Kills each server so many times in turns, and stops one of them once in between. */
async function disturb(
  servers: DisturbedServer[],
  { forMs, killsEach, pauseMs }: Pick<Options, 'forMs' | 'killsEach' | 'pauseMs'>,
): Promise<void> {
  const acts = Array.from({ length: killsEach }, () => servers.map(({ kill }) => kill)).flat()
  acts.splice(acts.length / 2, 0, () => servers[0]!.pause(pauseMs))
  const everyMs = forMs / (acts.length + 1)
  const start = Date.now()
  for (const [n, act] of acts.entries()) {
    await delay(Math.max(0, start + (n + 1) * everyMs - Date.now()))
    await act()
  }
}

async function cutNowAndThen(
  players: Player[],
  servers: DisturbedServer[],
  random: () => number,
  signal: AbortSignal,
): Promise<void> {
  for (let last = Date.now(); !signal.aborted;) {
    await delay(250)
    const chance = (Date.now() - last) / cutEveryMs
    last = Date.now()
    for (const player of players) if (random() < chance / 3) player.cut()
    for (const server of servers) if (random() < chance) server.cut()
  }
}

async function countOpen(db: Client): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from rooms where ended_at is null',
  )
  return rows[0]!.count
}

async function summarize(
  tables: StartedTable[],
  { db, times, servers }: Pick<TwoServers, 'db' | 'times' | 'servers'>,
): Promise<TablesRun> {
  const total: TablesRun = {
    faults: [],
    waits: [],
    lateness: [],
    passages: 0,
    acknowledged: 0,
    turns: 0,
    kills: times.runs.filter(({ endedAt }) => endedAt !== Infinity).length,
    shown: [],
  }
  const log = await readTurnLog(db)
  for (const { roomId, rule, notes } of tables) {
    const ofRoom = log.filter((each) => each.roomId === roomId)
    const { rows: passages } = await db.query<StoredPassage>(
      `select position, turn, user_id as "userId", content as text from room_messages where room_id = $1 order by position`,
      [roomId],
    )
    const { texts, passed, problems } = notes
    const found = findFaults({ rule, turnMs, log: ofRoom, passages, texts, passed, times })
    const proof = await findFaultsOfSeal(servers, roomId, passages.length)
    total.faults.push(
      ...[...found.faults, ...proof, ...problems].map((fault) => `${rule} ${roomId}: ${fault}`),
    )
    total.waits.push(...found.waits)
    total.lateness.push(...found.lateness)
    total.passages += passages.length
    total.acknowledged += texts.filter(({ outcome }) => outcome === 'acknowledged').length
    total.turns += ofRoom.at(-1)?.turn ?? 0
    total.shown.push(...shownWithin(notes, times))
  }
  const seals = await countSeals(db)
  for (const { roomId } of tables)
    if (seals.get(roomId) !== 1) total.faults.push(`${roomId} has ${seals.get(roomId) ?? 0} seals`)
  return total
}

/** CRED-02: both servers give one seal, which is true. */
async function findFaultsOfSeal(
  servers: DisturbedServer[],
  roomId: string,
  count: number,
): Promise<string[]> {
  const seals = await Promise.all(
    servers.map(async ({ origin }) => {
      const answer = await new HttpClient(origin).tries(getRoomSeal, { params: { id: roomId } })
      return answer.text()
    }),
  )
  const verdict = verify([seals[0]!])
  if (verdict.outcome !== 'verified') return [`the seal is ${JSON.stringify(verdict)}`]
  if (verdict.seal.count !== count) return [`the seal has ${verdict.seal.count} of ${count} passages`]
  return seals[0] === seals[1] ? [] : ['the servers give two seals']
}

/** Streams that were opened after the answer, and turns near a kill or a pause, do not count. */
function shownWithin({ givenAt, shownAt }: TableNotes, { runs, stops }: Times): number[] {
  const beforeMs = 2000
  const afterMs = 5000
  const disturbances = [
    ...stops,
    ...runs.map(({ spawnedAt, readyAt }) => ({ from: spawnedAt, to: readyAt })),
    ...runs.map(({ endedAt }) => ({ from: endedAt, to: endedAt })),
  ]
  const isDisturbed = (at: number) =>
    disturbances.some(({ from, to }) => from - beforeMs < at && at < to + afterMs)
  return [...givenAt].flatMap(([number, at]) => {
    const shown = shownAt.get(number)
    if (shown === undefined || shown.openedAt > at || isDisturbed(at)) return []
    return [Math.max(0, shown.at - at)]
  })
}
