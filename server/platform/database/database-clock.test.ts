import { sql } from 'drizzle-orm'
import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase } from '#server/testing/test-database.ts'
import { testClock } from '../clock.ts'
import { databaseClock, followDatabase } from './database-clock.ts'
import { openDatabase } from './pool.ts'

const hour = 3_600_000

async function start() {
  const place = await createTestDatabase()
  const host = testClock('2025-06-10T12:00:00Z')
  const database = openDatabase({ connection: place.connection, clock: host, max: 1 })
  onTestFinished(async () => {
    await database.close()
    await place.drop()
  })
  const clock = await databaseClock(database, host)
  /** The difference between the clock and the time of the database at the same moment. */
  const distanceMs = async () => {
    const { rows } = await database.execute<{ now: string }>(sql`select app_now() as now`)
    return Math.abs(clock.now().getTime() - Date.parse(rows[0]!.now))
  }
  return { host, clock, distanceMs }
}

test('a server has the time of its database, whatever the clock of its host shows [R20]', async () => {
  const { host, distanceMs } = await start()
  expect(await distanceMs()).toBeLessThan(5000)
  for (const step of [-hour, 2 * hour]) {
    host.step({ host: step })
    expect(await distanceMs()).toBeLessThan(5000)
  }
  host.advance(24 * hour)
  expect(await distanceMs()).toBeLessThan(5000)
})

test('a server follows a step of the clock of the database at its next reading [R20]', async () => {
  const { host, clock, distanceMs } = await start()
  for (const step of [-hour, 2 * hour]) {
    host.step({ database: step })
    expect(await distanceMs()).toBeGreaterThan(hour - 5000)
    await clock.sync()
    expect(await distanceMs()).toBeLessThan(5000)
  }
})

test('an operator reads in the log once that the database is unavailable, with the reason, and once that it answers again [R15]', async () => {
  const lines: string[] = []
  const app = Fastify({ logger: { stream: { write: (line) => void lines.push(line) } } })
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const sync = vi.fn<() => Promise<void>>().mockRejectedValueOnce(refused).mockRejectedValueOnce(refused)
  followDatabase(app, { sync })
  await vi.advanceTimersByTimeAsync(20_000)
  await app.close()
  expect(sync.mock.calls.length).toBeGreaterThan(3)
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    {
      level: 50,
      msg: expect.stringMatching(/^The database is unavailable/),
      err: { code: 'ECONNREFUSED' },
    },
    { level: 30, msg: 'The database answers again.' },
  ])
})
