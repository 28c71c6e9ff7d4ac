import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { connectToDatabase, rounds, startInstance } from './instance.ts'
import { findFaults, findIncompleteChanges } from './mix/check.ts'
import { startMixedChanges } from './mix/mixed-changes.ts'
import { oneOf, randomFrom } from './random.ts'
import { loseNothing } from './writers.ts'

const readyWithinMs = 10_000
/** A machine that is busy with other work starts everything slower. */
const slowerThanFirst = 3

type Instance = Awaited<ReturnType<typeof startInstance>>

/** Each returns the time until the server and its database run again. */
const kills = {
  'the server': async (instance: Instance) => {
    await instance.server.end('SIGKILL')
    await instance.startAgain()
    return instance.server.readyMs
  },
  'the server with its database': async (instance: Instance) => {
    const postmaster = await instance.postmaster()
    const ended = instance.server.end('SIGKILL')
    process.kill(postmaster!, 'SIGKILL')
    await ended
    await instance.startAgain()
    return instance.server.readyMs
  },
  'the database': async (instance: Instance) => {
    const killed = await instance.postmaster()
    process.kill(killed!, 'SIGKILL')
    const from = performance.now()
    for (let now = killed; now === undefined || now === killed; now = await instance.postmaster())
      await delay(20)
    return performance.now() - from
  },
}

/** `npm run faults -- --rounds 200` kills 200 times. */
test('people register, write, befriend, approve, upload and delete while server and database are killed at random moments: no acknowledged change is lost or doubled, no change is incomplete, and each start takes less than 10 s without help [R1 R2 R3 R4 R7 R15 S34]', async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1e6)
  const random = randomFrom(seed)
  const kinds = Object.values(kills)
  const instance = await startInstance()
  const withinMs = Math.max(readyWithinMs, slowerThanFirst * instance.server.readyMs)
  const changes = await startMixedChanges({ client: instance.client, seed, hasUploads: true })
  for (let round = 0; round < Math.max(rounds, kinds.length); round++) {
    await changes.untilMore(30)
    await delay(random() * 300)
    // The first rounds use each kind once.
    const startMs = await (kinds[round] ?? oneOf(random, kinds))(instance)
    expect(startMs).toBeLessThan(withinMs)
    await changes.untilMore(5, withinMs)
    expect(await withDatabase(instance, findIncompleteChanges), `seed ${seed}, round ${round}`).toEqual([])
  }
  await changes.untilMore(30)
  await changes.finish()
  expect(instance.server.process.exitCode).toBeNull()
  expect(changes.unexpected, `seed ${seed}`).toEqual([])
  const faults = await withDatabase(instance, (db) => findFaults(db, changes.journal, instance.dataDir))
  expect(faults, `seed ${seed}`).toEqual([])
})

async function withDatabase<T>(
  { dataDir }: Instance,
  work: (db: Awaited<ReturnType<typeof connectToDatabase>>) => Promise<T>,
): Promise<T> {
  const db = await connectToDatabase(dataDir)
  try {
    await db.query('begin transaction isolation level repeatable read')
    return await work(db)
  } finally {
    await db.end()
  }
}

test('SIGTERM ends the server and its database in order within 10 s, and no acknowledged post is lost [R17]', async () => {
  const instance = await startInstance()
  await loseNothing(instance.client, async () => {
    const { code, tookMs } = await instance.server.end('SIGTERM')
    expect(code).toBe(0)
    expect(tookMs).toBeLessThan(10_000)
    expect(await instance.postmaster()).toBeUndefined()
    expect(await instance.isOwned()).toBe(false)
    await instance.startAgain()
  })
})
