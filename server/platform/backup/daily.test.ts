import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { like, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { allFileKinds } from '#server/features.ts'
import { createLog } from '#server/log.ts'
import { emptyPlaceIn, lastingOf } from '#server/testing/backup-places.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { testClock } from '../clock.ts'
import { instanceFacts } from '../schema.ts'
import { keepDailyBackup } from './daily.ts'
import { openUploads } from '../uploads/open-uploads.ts'

const hours = 60 * 60 * 1000
const others = { kinds: allFileKinds, log: createLog('silent') }
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zimmer-daily-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a server makes one backup each day by itself, and keeps those of seven days and four weeks [R19]', async () => {
  const clock = testClock('2025-06-01T06:00:00Z')
  const { db, config } = await startTestApp({ clock, config: { dataDir: folder } })
  const backups = join(folder, 'backups')
  const part = (day: string) => `${day}.tar.zst.3f1c.part`
  await mkdir(backups)
  for (const day of ['2025-05-31', '2025-06-28']) await writeFile(join(backups, part(day)), 'half')
  for (let hour = 0; hour < 28 * 24; hour += 12) {
    await keepDailyBackup({ ...others, config, uploads: openUploads(config), database: db, clock })
    clock.advance(12 * 60 * 60 * 1000)
  }
  const days = ['08', '15', '22', '23', '24', '25', '26', '27', '28']
  expect((await readdir(backups)).toSorted()).toEqual(days.map((day) => `2025-06-${day}.tar.zst`))
  const place = await emptyPlaceIn(folder)
  await place.restore(join(backups, '2025-06-28.tar.zst'))
  expect(await place.content()).toEqual(await lastingOf(db))
  expect(await place.database.$count(instanceFacts, like(instanceFacts.name, 'daily-backup%'))).toBe(0)
})

test('a daily backup is cancelled when the server ends, leaves no file, and is made later [R17 R19]', async () => {
  const { config, db, clock } = await startTestApp({ config: { dataDir: folder } })
  const names = () => readdir(join(folder, 'backups')).catch(() => [])
  const ending = new AbortController()
  await db.transaction(async (tx) => {
    // A lock for which the backup has to wait.
    await tx.execute(sql`lock table users in access exclusive mode`)
    const backup = keepDailyBackup(
      { ...others, config, uploads: openUploads(config), database: db, clock },
      ending.signal,
    )
    await expect.poll(names, { timeout: 20_000 }).toEqual([expect.stringMatching(/\.part$/)])
    ending.abort()
    await expect(backup).rejects.toMatchObject({ name: 'AbortError' })
    expect(await names()).toEqual([])
  })
  await keepDailyBackup({ ...others, config, uploads: openUploads(config), database: db, clock })
  expect(await names()).toEqual(['2025-06-10.tar.zst'])
})

/** Starts several processes on one database, each with a data folder of its own. */
async function startProcesses(count: number, start = '2025-06-10T06:00:00Z') {
  const clock = testClock(start)
  const { config, db } = await startTestApp({ clock })
  return {
    clock,
    db,
    processes: Array.from({ length: count }, (_, i) => {
      const dataDir = join(folder, `process-${i}`)
      return {
        keep: () =>
          keepDailyBackup({
            ...others,
            config: { ...config, dataDir },
            uploads: openUploads({ ...config, dataDir }),
            database: db,
            clock,
          }),
        names: () => readdir(join(dataDir, 'backups')).catch(() => []),
      }
    }),
  }
}

test('of three servers on one database one makes the backup of the day, and the same server those of the next days [R19]', async () => {
  const { clock, processes } = await startProcesses(3)
  const folders = async () => {
    const all = await Promise.all(processes.map(({ names }) => names()))
    return all.filter((names) => names.length > 0)
  }
  await Promise.all(processes.map(({ keep }) => keep()))
  expect(await folders()).toEqual([['2025-06-10.tar.zst']])
  for (let round = 0; round < 12; round++) {
    clock.advance(6 * hours)
    // Each server is the first one in some round.
    for (const i of [0, 1, 2]) await processes[(i + round) % 3]!.keep()
  }
  expect(await folders()).toEqual([['10', '11', '12', '13'].map((day) => `2025-06-${day}.tar.zst`)])
})

test('another server makes the backups 26 hours after the last one of a server that has ended [R19]', async () => {
  const { clock, processes } = await startProcesses(2)
  const [gone, heir] = processes as [(typeof processes)[0], (typeof processes)[0]]
  await gone.keep()
  clock.advance(25 * hours)
  await heir.keep()
  expect(await heir.names()).toEqual([])
  clock.advance(1 * hours + 60_000)
  await heir.keep()
  expect(await heir.names()).toEqual(['2025-06-11.tar.zst'])
  clock.advance(24 * hours)
  await gone.keep()
  expect(await gone.names()).toEqual(['2025-06-10.tar.zst'])
  await heir.keep()
  expect(await heir.names()).toEqual(['2025-06-11.tar.zst', '2025-06-12.tar.zst'])
})

test('a server whose clock was a month ahead makes backups again after it is set back [R19 R20]', async () => {
  const { clock, processes } = await startProcesses(1, '2025-07-10T06:00:00Z')
  await processes[0]!.keep()
  clock.set('2025-06-10T06:00:00Z')
  await processes[0]!.keep()
  expect(await processes[0]!.names()).toEqual(['2025-06-10.tar.zst', '2025-07-10.tar.zst'])
})
