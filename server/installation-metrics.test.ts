import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { Registry } from 'prom-client'
import { getMe } from '#contract/account/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { allFileKinds } from './features.ts'
import { addInstallationMetrics } from './installation-metrics.ts'
import { createLog } from './log.ts'
import { openDatabase } from './platform/database/pool.ts'
import { testClock } from './platform/clock.ts'
import { keepDailyBackup } from './platform/backup/daily.ts'
import { startTestApp } from './testing/test-app.ts'
import { openUploads } from './platform/uploads/open-uploads.ts'

type TestApp = Awaited<ReturnType<typeof startTestApp>>

const metricsOf = async ({ request }: Pick<TestApp, 'request'>) =>
  metricsIn((await request({ url: '/metrics' })).body)

function metricsIn(text: string) {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line): [string, string] => [line.replace(/ \S+$/, ''), line.split(' ').at(-1)!]))
}

async function start() {
  const dataDir = await mkdtemp(join(tmpdir(), 'zimmer-metrics-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const clock = testClock('2025-06-10T12:00:00Z')
  return { ...(await startTestApp({ clock, config: { dataDir } })), dataDir, clock }
}

test('an operator sees how many posts wait for review, and for how long [R21]', async () => {
  const t = await start()
  expect((await metricsOf(t)).get('zimmer_posts_waiting_for_review')).toBe('0')
  const ana = await t.person({ email: 'ana@example.org' })
  for (const content of ['One', 'Two']) await ana.does(submitPost, { input: { content, authorName: 'Ana' } })
  t.clock.advance(60 * 60 * 1000)
  const metrics = await metricsOf(t)
  expect(metrics.get('zimmer_posts_waiting_for_review')).toBe('2')
  expect(Number(metrics.get('zimmer_posts_oldest_wait_seconds'))).toBeGreaterThanOrEqual(3600)
})

const makeDailyBackup = (t: TestApp) =>
  keepDailyBackup({
    ...t,
    uploads: openUploads(t.config),
    database: t.db,
    kinds: allFileKinds,
    log: createLog('silent'),
  })

test('an operator sees when the last daily backup was made, and that there is none yet [R19 R21]', async () => {
  const t = await start()
  expect((await metricsOf(t)).get('zimmer_backup_last_timestamp_seconds')).toBe('0')
  await makeDailyBackup(t)
  const made = Number((await metricsOf(t)).get('zimmer_backup_last_timestamp_seconds'))
  expect(Math.abs(made - t.clock.now().getTime() / 1000)).toBeLessThan(60)
})

test('an operator sees how many files are missing in the last daily backup [R21 R29]', async () => {
  const t = await start()
  await t.db.execute(sql`insert into magazine_issues (id, uploaded_at) values (gen_random_uuid(), app_now())`)
  expect((await metricsOf(t)).get('zimmer_backup_missing_files')).toBe('0')
  await makeDailyBackup(t)
  expect((await metricsOf(t)).get('zimmer_backup_missing_files')).toBe('1')
})

test('an operator sees the free part of the disk of the data folder [R15 R21]', async () => {
  const metrics = await metricsOf(await start())
  const free = Number(metrics.get('zimmer_disk_bytes{folder="data",kind="free"}'))
  expect(free).toBeGreaterThan(0)
  expect(free).toBeLessThanOrEqual(Number(metrics.get('zimmer_disk_bytes{folder="data",kind="all"}')))
})

test('without the database an operator still gets the metrics, and reads that it is unavailable [R15 R21]', async () => {
  const registry = new Registry()
  const nowhere = {
    host: '127.0.0.1',
    port: 1,
    user: 'zimmer',
    password: 'x',
    database: 'zimmer',
    ssl: false,
  }
  const database = openDatabase({ connection: nowhere, clock: testClock('2025-06-10T12:00:00Z') })
  onTestFinished(() => database.close())
  addInstallationMetrics(registry, { database, config: { dataDir: tmpdir() } })
  const metrics = metricsIn(await registry.metrics())
  expect([metrics.get('zimmer_database_up'), metrics.get('zimmer_posts_waiting_for_review')]).toEqual([
    '0',
    'Nan',
  ])
  expect((await metricsOf(await start())).get('zimmer_database_up')).toBe('1')
})

test('an operator sees how many requests an overloaded process refused [R14 R21]', async () => {
  const t = await startTestApp({ maxLoopDelayMs: 0 })
  await expect.poll(async () => (await t.visitor().tries(getMe)).status, { timeout: 20_000 }).toBe(503)
  const metrics = await metricsOf(t)
  expect(Number(metrics.get('zimmer_overload_refusals_total'))).toBeGreaterThan(0)
  expect(Number(metrics.get('zimmer_http_refusals_total{code="Unavailable"}'))).toBeGreaterThan(0)
})
