import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { Redis } from 'ioredis'
import { getMe, login } from '#contract/account/endpoints.ts'
import { getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { pathOf } from '#contract/endpoint.ts'
import { createPost, submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { listMessages, sendMessage } from '#contract/messages/endpoints.ts'
import { listPassages, listRooms, sendPassage } from '#contract/rooms/endpoints.ts'
import { search } from '#contract/search/endpoints.ts'
import { findPostmaster } from '#server/platform/database/cluster.ts'
import { type Database } from '#server/platform/database/pool.ts'
import { placeOf } from '#server/platform/database/place.ts'
import { createRedisBus } from '#server/platform/live/redis-bus.ts'
import { launchRedis } from '#server/testing/redis.ts'
import { administrator } from '../scripts/testing/running-server.ts'
import { loadFromOtherCore, withInstance } from './instance.ts'
import { addFriendships, addPeople, addRooms, withDatabase, writePassage } from './rows.ts'
import type { CallCost, Costs, CallName } from './scale/costs.ts'
import { fact, median, printTable } from './table.ts'
import { type Caller, callAtOnce } from './writers.ts'

// Measures what each call costs the processors, the log and the disk, and writes `bench/scale/costs.json`, from which
// `bench/scale.ts` draws the tables of docs/scale.md.

const callers = 32
const rounds = 5
const seconds = 3
const streams = 1000
const quietSeconds = 20
const passages = 20
const receivers = 20
const busMessages = 5000
const secondsOfTick = 1 / 100

const line = 'A line of a story that goes on for a while. '

await withInstance(async ({ url, dataDir, admin, pid, memory }) => {
  for (let post = 0; post < 50; post++) {
    const content = `Post ${post}\n${`${line}\n`.repeat(11)}`
    await admin.does(createPost, { input: { content, authorName: 'Ana Lima' } })
  }
  await withDatabase(dataDir, async (db) => {
    const people = await addPeople(db, 2 * callers + 2 * streams)
    const writers = people.slice(0, callers)
    const friends = people.slice(callers, 2 * callers)
    await addFriendships(
      db,
      writers.map((person, n) => [person, friends[n]!] as const),
    )
    const rooms = await addRooms(
      db,
      writers.map((person) => [person]),
    )
    const each = (of: (n: number) => Omit<Caller, 'cookie'>): Caller[] =>
      writers.map(({ cookie }, n) => ({ cookie, ...of(n) }))
    const reads = (path: string) => each(() => ({ path }))
    const today = new Date().toISOString().slice(0, 10)

    const calls: Record<CallName, Caller[]> = {
      sendMessage: each((n) => ({
        path: sendMessage.path,
        body: JSON.stringify({ messageType: 'text', receiverId: friends[n]!.id, content: line.repeat(3) }),
        isKeyed: true,
      })),
      sendPassage: each((n) => ({
        path: pathOf(sendPassage, { params: { id: rooms[n]! } }),
        body: JSON.stringify({ content: line.repeat(5) }),
        isKeyed: true,
      })),
      submitPost: each((n) => ({
        path: submitPost.path,
        body: JSON.stringify({ authorName: `Ana ${n}`, content: line.repeat(14) }),
        isKeyed: true,
      })),
      saveDiaryEntry: each(() => ({
        path: saveDiaryEntry.path,
        body: JSON.stringify({ date: today, content: line.repeat(40) }),
      })),
      getDiaryEntry: reads(pathOf(getDiaryEntry, { params: { day: today } })),
      listMessages: each((n) => ({
        path: `${pathOf(listMessages, { params: { friendId: friends[n]!.id } })}?limit=50`,
      })),
      listPassages: each((n) => ({
        path: `${pathOf(listPassages, { params: { id: rooms[n]! } })}?limit=50`,
      })),
      listRooms: reads(listRooms.path),
      search: reads(`${search.path}?q=goes%20on%20wh`),
      getMe: reads(getMe.path),
      getFeedDay: reads(pathOf(getFeedDay, { params: { offset: '0' } })),
      openPage: each(() => ({ path: '/dashboard' })),
      login: writers
        .slice(0, 2)
        .map(() => ({ path: login.path, cookie: '', body: JSON.stringify(administrator) })),
    }
    const openStreams = async (cookies: string[]) => {
      const readers = fork('bench/stream-readers.ts')
      readers.send({ url, room: rooms[0]!, cookies })
      await once(readers, 'message')
      return readers
    }
    const cookies = people.slice(2 * callers).map(({ cookie }) => cookie)
    // Before the calls, whose garbage would count. The first streams also compile the code of streams.
    const first = await openStreams(cookies.slice(streams))
    const ofFirst = memory()
    const second = await openStreams(cookies.slice(0, streams))
    const memoryBytes = (memory() - ofFirst) / streams
    first.kill()
    second.kill()

    const usedDuring = createMeter(db, pid, await postmasterOf(dataDir))
    const costs = {} as Record<CallName, CallCost>
    for (const [name, callersOfIt] of Object.entries(calls) as [CallName, Caller[]][]) {
      callAtOnce(url, callersOfIt, seconds)
      const found: CallCost[] = []
      for (let round = 0; round < rounds; round++) {
        let answers = { answers: 0, bytes: 0 }
        const used = await usedDuring(async () => (answers = callAtOnce(url, callersOfIt, seconds)))
        const share = (amount: number) => amount / answers.answers
        found.push({
          serverUs: share(used.serverUs),
          databaseUs: share(used.databaseUs),
          logBytes: share(used.logBytes),
          storedBytes: share(used.storedBytes),
          answerBytes: share(answers.bytes),
        })
      }
      costs[name] = medianOfEach(found)
    }

    loadFromOtherCore()
    let readers!: ChildProcess
    const opening = await usedDuring(async () => {
      readers = await openStreams(cookies.slice(0, streams))
    })
    const quiet = await usedDuring(() => wait(quietSeconds * 1000))
    const busy = await usedDuring(async () => {
      for (let n = 0; n < passages; n++) {
        await writePassage(url, writers[0]!, rooms[0]!, `${n} ${line.repeat(5)}`)
        await wait(1000)
      }
    })
    readers.kill()
    const idleSecond = (used: Used) => ({
      serverUs: used.serverUs / streams / quietSeconds,
      databaseUs: used.databaseUs / streams / quietSeconds,
    })
    const all: Costs = {
      measuredOn: today,
      calls: costs,
      stream: {
        memoryBytes,
        opening: { serverUs: opening.serverUs / streams, databaseUs: opening.databaseUs / streams },
        second: idleSecond(quiet),
        eventUs:
          (busy.serverUs -
            (quiet.serverUs / quietSeconds) * passages -
            passages * costs.sendPassage.serverUs) /
          (streams * passages),
      },
      bus: await costOfBus(),
    }
    writeFileSync('bench/scale/costs.json', `${JSON.stringify(all, rounded, 2)}\n`)
    printTable('Processor time of each call, in the server and in the database', [
      ...Object.entries(costs).map(([name, cost]) =>
        fact(
          name,
          `${cost.serverUs.toFixed(0)} and ${cost.databaseUs.toFixed(0)} µs, log ${cost.logBytes.toFixed(0)} B, stored ${cost.storedBytes.toFixed(0)} B, answer ${cost.answerBytes.toFixed(0)} B`,
        ),
      ),
      fact('a stream', JSON.stringify(all.stream, rounded)),
    ])
  })
})

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(3)) : value
}

/** One process publishes to many, over Redis. All of them are in this process. */
async function costOfBus(): Promise<Costs['bus']> {
  const redis = await launchRedis()
  const asking = new Redis(redis.url)
  const buses = Array.from({ length: receivers + 1 }, () => createRedisBus({ url: redis.url, log: console }))
  let received = 0
  for (const bus of buses.slice(1)) bus.subscribe(() => received++)
  const publish = async (count: number) => {
    const wanted = received + count * receivers
    for (let n = 0; n < count; n++) buses[0]!.publish({ kind: 'inbox', id: crypto.randomUUID(), event: n })
    while (received < wanted) await wait(10)
  }
  const redisSeconds = async () => {
    const [, system, user] =
      /used_cpu_sys:([\d.]+)\s+used_cpu_user:([\d.]+)/.exec(await asking.info('cpu')) ?? []
    return Number(system) + Number(user)
  }
  while ((await asking.pubsub('NUMSUB', 'zimmer:live'))[1] !== receivers + 1) await wait(10)
  await publish(busMessages)
  const [redisBefore, ownBefore] = [await redisSeconds(), process.cpuUsage()]
  await publish(busMessages)
  const own = process.cpuUsage(ownBefore)
  const redisUs = ((await redisSeconds()) - redisBefore) * 1e6
  await Promise.all(buses.map((bus) => bus.close()))
  asking.disconnect()
  await redis.stop()
  const deliveries = busMessages * receivers
  return { deliveryUs: redisUs / deliveries, receiveUs: (own.user + own.system) / deliveries }
}

function medianOfEach(found: CallCost[]): CallCost {
  const of = (key: keyof CallCost) => median(found.map((cost) => cost[key]))
  return {
    serverUs: of('serverUs'),
    databaseUs: of('databaseUs'),
    logBytes: of('logBytes'),
    storedBytes: of('storedBytes'),
    answerBytes: of('answerBytes'),
  }
}

async function postmasterOf(dataDir: string): Promise<number> {
  const postmaster = await findPostmaster(await placeOf(dataDir))
  if (typeof postmaster !== 'object') throw new Error('No Postgres answers there.')
  return postmaster.pid
}

/** What a piece of work uses: times of the processor in microseconds. */
interface Used {
  serverUs: number
  databaseUs: number
  logBytes: number
  storedBytes: number
}

/** Returns a function that measures what the server and its database use during a piece of work. */
function createMeter(db: Database, server: number, postmaster: number) {
  return async (work: () => Promise<unknown>): Promise<Used> => {
    const before = await readUsed()
    await work()
    const after = await readUsed()
    return {
      serverUs: after.serverUs - before.serverUs,
      databaseUs: after.databaseUs - before.databaseUs,
      logBytes: after.logBytes - before.logBytes,
      storedBytes: after.storedBytes - before.storedBytes,
    }
  }

  /** Since the start of both. */
  async function readUsed(): Promise<Used> {
    const { rows } = await db.execute<{ log: string; stored: string }>(sql`
      select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as log,
        (select sum(pg_total_relation_size(oid)) from pg_class where relkind = 'r') as stored`)
    return {
      serverUs: microsecondsOf(server),
      // Those of connections that have ended are in the times of the postmaster.
      databaseUs: [postmaster, ...childrenOf(postmaster)]
        .map(microsecondsOf)
        .reduce((sum, each) => sum + each, 0),
      logBytes: Number(rows[0]!.log),
      storedBytes: Number(rows[0]!.stored),
    }
  }
}

/** The fields of /proc/PID/stat after the name of the program; undefined for a process that has ended. */
function statOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  } catch {
    return undefined
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && statOf(pid)?.[1] === String(parent))
}

/** Of all threads, and of the children that have ended. */
function microsecondsOf(pid: number): number {
  const ticks = (statOf(pid) ?? []).slice(11, 15).map(Number)
  return ticks.reduce((sum, each) => sum + each, 0) * secondsOfTick * 1e6
}
