import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ClientConfig } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { coverFiles, covers } from '#server/features/covers/schema.ts'
import { openVault } from '#server/features/day-texts/index.ts'
import { uploadsOf } from '#server/platform/backup/backup.ts'
import { dailyBackupFacts } from '#server/platform/backup/daily.ts'
import { keptFreeBytes } from '#server/platform/disk.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { instanceFacts } from '#server/platform/schema.ts'
import { StoredFiles } from '#server/platform/stored-files.ts'
import { launchRedis, redisIsMissing } from '#server/testing/redis.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { checks, examine, findingOfAddress, findingOfDisk, findingOfPage } from './doctor.ts'
import type { Place } from './place.ts'

const key = 'a'.repeat(64)

async function start() {
  const t = await startTestApp()
  const dataDir = await ownFolder()
  const place = (settings: Partial<Place['config']> = {}): Place => ({
    config: { ...t.config, dataDir, ...settings },
    connection: t.connection,
    database: t.db,
    clock: t.clock,
    random: systemRandom,
    personalData: [],
  })
  return { ...t, dataDir, place }
}

async function ownFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-doctor-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const addressOf = ({ host, port, user, password, database }: ClientConfig) =>
  `postgres://${user}:${password as string}@/${database}?host=${encodeURIComponent(host!)}&port=${port}`

test('an operator reads that the diary is locked, for another key and for none, and nothing of it for the right key [S44]', async () => {
  const { db, place } = await start()
  expect(await checks['diary key']!(place())).toEqual(['fine', 'Texts are stored as they are.'])
  await openVault({ database: db, config: { diaryKey: key }, random: systemRandom })
  expect((await checks['diary key']!(place({ diaryKey: key })))[0]).toBe('fine')
  for (const diaryKey of [undefined, 'b'.repeat(64)])
    expect(await checks['diary key']!(place({ diaryKey }))).toEqual([
      'wrong',
      expect.stringContaining('are locked'),
    ])
})

test('an operator reads that there is no admin, and how to make one [S17]', async () => {
  const { admin, place } = await start()
  expect(await checks.admin!(place())).toEqual(['wrong', expect.stringContaining('admin grant EMAIL')])
  await admin()
  expect(await checks.admin!(place())).toEqual(['fine', 'There is an admin.'])
})

test('an operator reads how old the last daily backup is [R19]', async () => {
  const { db, clock, place } = await start()
  expect(await checks.backup!(place())).toEqual(['warning', expect.stringContaining('no daily backup yet')])
  await db.insert(instanceFacts).values({ name: dailyBackupFacts[0]!, value: clock.now().toISOString() })
  expect((await checks.backup!(place()))[0]).toBe('fine')
  clock.advance(27 * 3_600_000)
  expect(await checks.backup!(place())).toEqual(['warning', expect.stringContaining('is 27 hours old')])
})

test('an operator reads which uploaded files are missing [R19]', async () => {
  const { db, clock, dataDir, place } = await start()
  expect(await checks.uploads!(place())).toEqual(['fine', 'All 0 uploaded files are there.'])
  const id = '00000000-0000-7000-8000-000000000000'
  const cover = { id, uploadedAt: clock.now().toISOString(), bytes: 1, width: 1, height: 1, postId: null }
  await db.insert(covers).values(cover)
  expect(await checks.uploads!(place())).toEqual([
    'wrong',
    expect.stringContaining(`1 are missing, such as covers/${id}.webp`),
  ])
  const path = new StoredFiles(dataDir, coverFiles).pathOf(id)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, '')
  expect(await checks.uploads!(place())).toEqual(['fine', 'All 1 uploaded files are there.'])
  await rm(uploadsOf(dataDir), { recursive: true })
  await writeFile(uploadsOf(dataDir), 'a file')
  expect((await checks.uploads!(place()))[0]).toBe('wrong')
})

test('an operator reads that Redis or PgBouncer does not answer, or is not set up', async (context) => {
  const { connection, place } = await start()
  expect(await checks.redis!(place())).toEqual(['fine', 'None is set.'])
  expect(await checks.redis!(place({ redisUrl: 'redis://127.0.0.1:1' }))).toEqual([
    'wrong',
    expect.stringMatching(/^Redis does not answer \(.*ECONNREFUSED.*\)\. Start it, or correct REDIS_URL\.$/),
  ])
  expect(await checks.pooler!(place())).toEqual(['fine', 'None is set.'])
  expect(await checks.pooler!(place({ databasePoolUrl: 'postgres://ana@127.0.0.1:1/zimmer' }))).toEqual([
    'wrong',
    expect.stringContaining('DATABASE_POOL_URL'),
  ])
  expect(await checks.pooler!(place({ databasePoolUrl: addressOf(connection) }))).toEqual([
    'wrong',
    expect.stringContaining('do not have the setting'),
  ])
  if (redisIsMissing) context.skip('redis-server is not installed')
  const redis = await launchRedis()
  onTestFinished(() => redis.stop())
  expect((await checks.redis!(place({ redisUrl: redis.url })))[0]).toBe('fine')
})

test('an operator reads which public address and proxy do not fit', () => {
  const stateOf = (settings: Record<string, string>) => findingOfAddress(readConfig(settings))[0]
  expect(stateOf({})).toBe('fine')
  expect(stateOf({ HOST: '0.0.0.0' })).toBe('wrong')
  expect(stateOf({ TRUST_PROXY: '10.0.0.7' })).toBe('wrong')
  expect(stateOf({ PUBLIC_ORIGIN: 'https://example.org' })).toBe('warning')
  expect(stateOf({ PUBLIC_ORIGIN: 'http://example.org' })).toBe('warning')
  expect(stateOf({ PUBLIC_ORIGIN: 'http://localhost:3000' })).toBe('fine')
  expect(stateOf({ PUBLIC_ORIGIN: 'https://example.org', TRUST_PROXY: '10.0.0.7' })).toBe('fine')
})

test('an operator reads that the disk is nearly full [R15]', async () => {
  const { place } = await start()
  expect((await checks.disk!(place()))[1]).toMatch(/^\d+ MB are free\./)
  expect(findingOfDisk(4 * keptFreeBytes)[0]).toBe('fine')
  expect(findingOfDisk(4 * keptFreeBytes - 1)[0]).toBe('warning')
  expect(findingOfDisk(keptFreeBytes - 1)[0]).toBe('wrong')
})

test('an operator reads that the page or its renderer is not built', async () => {
  const dist = await ownFolder()
  expect(findingOfPage(dist)).toEqual([
    'wrong',
    expect.stringContaining('web/index.html and render/render.js'),
  ])
  for (const file of ['web/index.html', 'render/render.js']) {
    await mkdir(dirname(join(dist, file)), { recursive: true })
    await writeFile(join(dist, file), '')
  }
  expect(findingOfPage(dist)[0]).toBe('fine')
})

test('an operator reads one line for each check, and a check that cannot run is wrong while the others go on', async () => {
  const { place } = await start()
  const report = await examine(place()).then(
    () => expect.unreachable('There is no admin.'),
    (error: Error) => error.message.split('\n'),
  )
  expect(report.map((line) => line.slice(9, 23).trim())).toEqual(Object.keys(checks))
  expect(report.find((line) => line.includes('admin'))).toMatch(/^wrong {4}admin {11}There is no admin/)
  const broken = { ...place(), random: null as never, database: null as never }
  const { message } = (await examine(broken).catch((error: Error) => error)) as Error
  expect(message.split('\n')).toHaveLength(Object.keys(checks).length)
})
