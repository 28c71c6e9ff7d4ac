import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { emptyPlaceIn, lastingOf } from '#server/testing/backup-places.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { testClock } from '../clock.ts'
import { keepDailyBackup } from './daily.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zimmer-daily-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a server makes a backup a day by itself, and keeps seven days and four weeks [R19]', async () => {
  const clock = testClock('2025-06-01T06:00:00Z')
  const { db, config } = await startTestApp({ clock, config: { dataDir: folder } })
  const backups = join(folder, 'backups')
  const part = (day: string) => `${day}.tar.zst.3f1c.part`
  await mkdir(backups)
  for (const day of ['2025-05-31', '2025-06-28']) await writeFile(join(backups, part(day)), 'half')
  for (let hour = 0; hour < 28 * 24; hour += 12) {
    await keepDailyBackup({ config, database: db, clock })
    clock.advance(12 * 60 * 60 * 1000)
  }
  const days = ['08', '15', '22', '23', '24', '25', '26', '27', '28']
  expect((await readdir(backups)).toSorted()).toEqual(
    [...days.map((day) => `2025-06-${day}.tar.zst`), part('2025-06-28')].toSorted(),
  )
  const place = await emptyPlaceIn(folder)
  await place.restore(join(backups, '2025-06-28.tar.zst'))
  expect(await place.content()).toEqual(await lastingOf(db))
})

test('a daily backup gives up when the server ends, leaves nothing, and is made another time [R17 R19]', async () => {
  const { config, db, clock } = await startTestApp({ config: { dataDir: folder } })
  const names = () => readdir(join(folder, 'backups')).catch(() => [])
  const ending = new AbortController()
  await db.transaction(async (tx) => {
    // A table that the backup has to wait for.
    await tx.execute(sql`lock table users in access exclusive mode`)
    const backup = keepDailyBackup({ config, database: db, clock }, ending.signal)
    await expect.poll(names).toEqual([expect.stringMatching(/\.part$/)])
    ending.abort()
    await expect(backup).rejects.toMatchObject({ name: 'AbortError' })
    expect(await names()).toEqual([])
  })
  await keepDailyBackup({ config, database: db, clock })
  expect(await names()).toEqual(['2025-06-10.tar.zst'])
})
