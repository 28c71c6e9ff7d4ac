import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openRoomsMax } from '#contract/rooms/room.ts'
import { failoverNeeds, problemOf } from '../../scripts/testing/needs.ts'
import { zimmer } from '../command-line.ts'
import { makeTestFolder, startInstance } from '../instance.ts'
import { findFaults, findIncompleteChanges } from '../mix/check.ts'
import { startMixedChanges } from '../mix/mixed-changes.ts'
import { randomFrom } from '../random.ts'
import { startStory } from '../room-story.ts'
import { type Cluster, type Machine, startCluster } from './cluster.ts'
import { openNamespaces } from './network.ts'
import { startProbe } from './probe.ts'
import { rounds } from './rounds.ts'
import { startWitness, type Witness } from './witness.ts'

const recoveryMs = 30_000
const missing = problemOf(failoverNeeds, 'npm run setup -- failover')
if (missing !== undefined) console.error(missing)

interface Scene {
  cluster: Cluster
  primary: Machine
  probe: Awaited<ReturnType<typeof startProbe>>
  witness: Witness
}

/** Causes the fault. Returns the time without an acknowledged change; everything runs again when it resolves. */
type Fault = (scene: Scene) => Promise<number>

const title =
  'nothing acknowledged is lost or doubled, no change is incomplete, all are served again within 30 s without a restart, the streams have no gap, nobody is signed out [R1 R2 R7 R9 R15]'

/** The machine of the primary loses its power, and comes back when another one is the primary. */
const loseMachine: Fault = async ({ primary, probe }) => {
  const from = performance.now()
  primary.kill()
  const tookMs = await probe.untilWrites(from, recoveryMs)
  await primary.start()
  return tookMs
}

/** An operator makes the synchronous standby the primary. */
const switchOver: Fault = async ({ cluster, primary, probe }) => {
  const standby = (await cluster.members()).find(({ role }) => role === 'sync_standby')!
  const from = performance.now()
  await primary.switchOverTo(cluster.machines.find(({ name }) => name === standby.name)!)
  await probe.untilWrites(performance.now(), recoveryMs)
  return probe.longestGapSince(from)
}

/** All processes of the primary stand still, and go on when another machine is the primary: two are primaries for a moment. */
const freeze: Fault = async ({ primary, probe, witness }) => {
  const connections = await Promise.all(Array.from({ length: 5 }, () => primary.connect('witness')))
  const from = performance.now()
  primary.freeze()
  // These changes wait in the sockets of the frozen primary until it wakes.
  for (const connection of connections) witness.writeOn(connection)
  const tookMs = await probe.untilWrites(from, recoveryMs)
  primary.wake()
  await witness.writeAt(primary, 50)
  return tookMs
}

/** The cable of the primary is cut. Somebody who works on that machine writes on. */
const cutCable: Fault = async ({ primary, probe, witness }) => {
  const connections = await Promise.all(Array.from({ length: 5 }, () => primary.connect('witness')))
  const from = performance.now()
  primary.cut()
  for (const connection of connections) witness.writeOn(connection)
  const tookMs = await probe.untilWrites(from, recoveryMs)
  await witness.writeAt(primary, 10)
  primary.mend()
  await witness.writeAt(primary, 10)
  return tookMs
}

/** Two of three etcd are gone: nobody may be the primary. The time counts from their return. */
const loseMajority: Fault = async ({ cluster, primary, probe }) => {
  const others = cluster.machines.filter((machine) => machine !== primary)
  for (const machine of others) machine.killEtcd()
  probe.answers.delete('write 503 Unavailable')
  await expect.poll(() => primary.isPrimary(), { timeout: recoveryMs, interval: 200 }).toBe(false)
  const demotedAt = performance.now()
  await probe.untilTries(25)
  expect(probe.countSince(demotedAt), 'changes that were acknowledged without a majority').toBe(0)
  expect(probe.answers).toContain('write 503 Unavailable')
  const from = performance.now()
  await Promise.all(others.map((machine) => machine.startEtcd()))
  return probe.untilWrites(from, recoveryMs)
}

/** Nothing more can be written at the primary, until an operator makes space. The time counts from then. */
const fillDisk: Fault = async ({ primary, probe }) => {
  probe.answers.delete('write 503 Unavailable')
  await primary.fillDisk()
  await expect
    .poll(() => probe.answers, { timeout: recoveryMs, interval: 200 })
    .toContain('write 503 Unavailable')
  await probe.untilTries(25)
  const from = performance.now()
  await primary.freeDisk()
  return probe.untilWrites(from, recoveryMs)
}

test.skipIf(missing)(`the machine of the primary is lost: ${title}`, async () => {
  expect(await drill('lost', await startCluster(), loseMachine)).toBeLessThan(recoveryMs)
})

test.skipIf(missing)(`an operator switches over: ${title}`, async () => {
  expect(await drill('switched over', await startCluster(), switchOver)).toBeLessThan(recoveryMs)
})

test.skipIf(missing)(
  `the primary is frozen and wakes when another machine is the primary: it acknowledges nothing more, ${title}`,
  async () => {
    expect(await drill('frozen', await startCluster(), freeze)).toBeLessThan(recoveryMs)
  },
)

test.skipIf(missing)(
  `the primary is cut from the network: it acknowledges nothing more, ${title}`,
  async (context) => {
    const network = openNamespaces()
    if (network === undefined) return context.skip('Only root can make the network that is cut.')
    expect(await drill('cut', await startCluster({ network }), cutCable)).toBeLessThan(recoveryMs)
  },
)

test.skipIf(missing)(
  `etcd loses its majority: no change is acknowledged until it is back, and then ${title}`,
  async () => {
    expect(
      await drill('without a majority', await startCluster(), loseMajority, { moves: false }),
    ).toBeLessThan(recoveryMs)
  },
)

test.skipIf(missing)(
  'a backup from a standby, made while people write, contains one moment; one made afterwards contains every change [R19 R1]',
  async () => {
    const cluster = await startCluster()
    onTestFinished(cluster.remove)
    const seed = Date.now() % 1e6
    const mixed = await startInstance({ DATABASE_URL: await cluster.makeDatabase('mix') })
    const changes = await startMixedChanges({ client: mixed.client, seed, hasUploads: true })
    await changes.untilMore(200)
    const before = changes.journal.acknowledged
    const during = await restoredFromStandby(cluster, mixed.dataDir, 'during')
    expect(changes.journal.acknowledged).toBeGreaterThan(before)
    expect(await inDatabase(during.primary, findIncompleteChanges, 'during'), `seed ${seed}`).toEqual([])

    await changes.finish()
    await untilReplayed(cluster)
    const after = await restoredFromStandby(cluster, mixed.dataDir, 'after')
    expect(
      await inDatabase(after.primary, (db) => findFaults(db, changes.journal, after.dataDir), 'after'),
      `seed ${seed}`,
    ).toEqual([])
  },
)

test.skipIf(
  missing ?? (process.getuid?.() === 0 ? undefined : 'Only root can mount the disk that is filled.'),
)(
  `the disk of the primary is full: changes are refused until there is space, and then ${title}`,
  async () => {
    expect(
      await drill('full disk', await startCluster({ hasDisks: true }), fillDisk, { moves: false }),
    ).toBeLessThan(recoveryMs)
  },
)

/** Takes a backup from a standby, and restores it into an empty database at the primary. */
async function restoredFromStandby(cluster: Cluster, dataDir: string, name: string) {
  const file = join(await makeTestFolder(), 'backup')
  const standby = cluster.urlOf('mix', 'standby')
  expect(await isStandby(standby)).toBe(true)
  expect(await zimmer(dataDir, ['backup', file], { DATABASE_URL: standby })).toMatchObject({ code: 0 })
  const restored = await makeTestFolder()
  const url = await cluster.makeDatabase(name)
  expect(await zimmer(restored, ['restore', file], { DATABASE_URL: url })).toMatchObject({ code: 0 })
  return { dataDir: restored, primary: await cluster.untilWhole() }
}

async function isStandby(connectionString: string) {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ is: boolean }>('select pg_is_in_recovery() as is')
    return rows[0]!.is
  } finally {
    await client.end()
  }
}

/** Waits until both standbys show what the primary has now. */
async function untilReplayed(cluster: Cluster) {
  const primary = await cluster.untilWhole()
  const [now] = await primary.ask<{ lsn: string }>('postgres', 'select pg_current_wal_lsn()::text as lsn')
  const replayed = `select pg_last_wal_replay_lsn() >= '${now!.lsn}' as has`
  for (const machine of cluster.machines.filter((each) => each !== primary))
    await expect.poll(() => machine.ask('postgres', replayed), { timeout: 30_000 }).toEqual([{ has: true }])
}

/**
 * Lets people write, befriend, read streams and upload at three servers, while the fault comes again and again. Returns the
 * longest time without an acknowledged change.
 */
async function drill(name: string, cluster: Cluster, fault: Fault, { moves = true } = {}) {
  onTestFinished(cluster.remove)
  const seed = Number(process.env.SEED ?? Date.now() % 1e6)
  const random = randomFrom(seed)
  const [mixUrl, storyUrl] = [await cluster.makeDatabase('mix'), await cluster.makeDatabase('story')]
  const mixed = await startInstance({ DATABASE_URL: mixUrl })
  // Two servers notify each other through the database.
  const told = [
    await startInstance({ DATABASE_URL: storyUrl }),
    await startInstance({ DATABASE_URL: storyUrl }),
  ]
  const instances = [mixed, ...told]
  const changes = await startMixedChanges({ client: mixed.client, seed, pauseMs: 20, hasUploads: true })
  const story = await startStory({
    writers: [told[0]!.client(), told[1]!.client()],
    pauseMs: 100,
    readAt: told.map((instance) => () => instance.server.url),
  })
  const probe = await startProbe(told[0]!.client())
  const witness = await startWitness(cluster)

  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const primary = await cluster.untilWhole()
    await changes.untilMore(20)
    await story.untilMore(5)
    await delay(random() * 300)
    const tookMs = await fault({ cluster, primary, probe, witness })
    times.push(tookMs)
    await changes.untilMore(20, recoveryMs)
    await story.untilMore(5)
    const next = await cluster.untilWhole()
    if (moves && next === primary)
      throw new Error(`${next.name} is the primary again in round ${round}.\n${await cluster.logs()}`)
    expect(await inDatabase(next, findIncompleteChanges), `seed ${seed}, round ${round}`).toEqual([])
  }
  console.log(`${name}: ${describeTimes(times)}`)

  await changes.finish()
  story.enough()
  const { positions, inOrder, stored, acknowledged, received, story: whole } = await story.finish()
  await probe.finish()
  for (const { server } of instances) {
    expect(server.process.exitCode).toBeNull()
    expect(linesWith('"unexpected"', server.output())).toEqual([])
  }
  expect(changes.unexpected, `seed ${seed}`).toEqual([])
  expect(positions).toEqual(inOrder)
  expect(stored).toEqual(acknowledged)
  expect(received).toEqual(received.map(() => whole))
  const allowed = ['write 201', 'write 503 Unavailable', 'read 200', 'read 503 Unavailable']
  expect([...probe.answers].filter((answer) => !allowed.includes(answer))).toEqual([])
  const last = await cluster.untilWhole()
  expect(
    await inDatabase(last, (db) => findFaults(db, changes.journal, mixed.dataDir)),
    `seed ${seed}`,
  ).toEqual([])
  expect(await last.ask('mix', roomsBeyondTheLimit)).toEqual([])
  expect(await witness.findLost(last)).toEqual([])
  return Math.max(...times)
}

const roomsBeyondTheLimit = `
  select created_by_user_id from rooms where created_by_user_id is not null
  group by 1 having count(*) > ${openRoomsMax}`

type Database = Awaited<ReturnType<Machine['connect']>>

async function inDatabase<T>(machine: Machine, work: (db: Database) => Promise<T>, name = 'mix'): Promise<T> {
  const db = await machine.connect(name)
  try {
    await db.query('begin transaction isolation level repeatable read')
    return await work(db)
  } finally {
    await db.end()
  }
}

const linesWith = (text: string, output: string) => output.split('\n').filter((line) => line.includes(text))

function describeTimes(times: number[]) {
  const sorted = times.toSorted((one, other) => one - other)
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const median = sorted[Math.floor((sorted.length - 1) / 2)]!
  return `${times.length} rounds, without an acknowledged change: median ${seconds(median)}, worst ${seconds(sorted.at(-1)!)}`
}
