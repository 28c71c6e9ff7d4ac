import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { TestContext } from 'vitest'
import { connectClient } from '#server/platform/database/connection.ts'
import { redisIsMissing, startRedis } from '#server/testing/messengers.ts'
import { findFaults } from './histories/check.ts'
import type { History } from './histories/history.ts'
import { disturb, type DisturbedServer } from './histories/disturbances.ts'
import { registerParticipants, runHistory } from './histories/run.ts'
import { rounds, startUsedDatabase, startInstance } from './instance.ts'
import { startProxy } from './tcp-proxy.ts'

/** A history with faults is written to this folder. */
const folder = join(import.meta.dirname, '../test-results/histories')
const disturbancesEach = 3
const firstSeed = Number(process.env.SEED ?? Date.now() % 1e6)

/** `npm run faults -- --rounds 50` runs 50 histories, half of them with each messenger. `SEED` repeats the disturbances of a run. */
test.for(['the database', 'Redis'])(
  'five people write in a private room through two servers that are killed, paused and cut off: each acknowledged passage is there once, all read one order, and nobody reads without the right; messages between the servers go through %s [R2 R7 R9 S41]',
  async (messenger, context) => {
    const { servers, origins, db } = await startServers(messenger, context)
    const participants = await registerParticipants(origins)
    for (let round = 0; round < Math.ceil(rounds / 2); round++) {
      const seed = firstSeed + round
      const history = await runHistory({
        seed,
        participants,
        origins,
        db,
        disturb: () => disturb(servers, disturbancesEach, seed),
      })
      const faults = findFaults(history)
      const file = faults.length === 0 ? undefined : await keep(history, faults)
      expect(faults, `seed ${seed}, kept in ${file}`).toEqual([])
      expect(history.stored.length).toBeGreaterThan(20)
    }
  },
)

async function keep(history: History, faults: string[]): Promise<string> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${history.seed}.json`)
  await writeFile(file, JSON.stringify({ faults, ...history }, null, 1))
  return file
}

/** Two servers on one database. A proxy stands before each server, and between it and each service that it uses. */
async function startServers(messenger: string, context: TestContext) {
  if (messenger === 'Redis' && redisIsMissing) context.skip('redis-server is not installed')
  const { url } = await startUsedDatabase()
  const redis = messenger === 'Redis' ? await startRedis() : undefined
  const startServer = async () => {
    const database = await startProxy(() => socketOf(url))
    const bus =
      redis && (await startProxy(() => ({ host: '127.0.0.1', port: Number(new URL(redis.url).port) })))
    const instance = await startInstance({
      DATABASE_URL: throughPort(url, database.port),
      ...(bus && { REDIS_URL: `redis://127.0.0.1:${bus.port}` }),
    })
    const clients = await startProxy(() => ({
      host: '127.0.0.1',
      port: Number(new URL(instance.server.url).port),
    }))
    const disturbed: DisturbedServer = {
      instance,
      cutClients: clients.cut,
      cutDatabase: database.cut,
      cutMessenger: (bus ?? database).cut,
    }
    return { ...disturbed, origin: () => `http://127.0.0.1:${clients.port}` }
  }
  const servers = await Promise.all([startServer(), startServer()])
  const db = await connectClient({ connectionString: url }, 'faults')
  onTestFinished(() => db.end())
  return { servers, origins: servers.map(({ origin }) => origin), db }
}

/** The socket of a database whose URL names its folder. */
function socketOf(url: string) {
  const { searchParams } = asUrl(url)
  return { path: join(searchParams.get('host')!, `.s.PGSQL.${searchParams.get('port')}`) }
}

function throughPort(url: string, port: number): string {
  const { username, password, pathname } = asUrl(url)
  return `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`
}

/** A URL without a host cannot hold a name and a password. */
const asUrl = (url: string) => new URL(url.replace('@/', '@localhost/'))
