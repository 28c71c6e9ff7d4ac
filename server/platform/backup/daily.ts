import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dayOf } from '#contract/days.ts'
import type { Config } from '#server/config.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/pool.ts'
import { makeBackup, uploadsOf } from './backup.ts'
import { expired } from './retention.ts'

interface Deps {
  config: Pick<Config, 'dataDir' | 'timeZone'>
  database: Database
  clock: Clock
}

const fileOfDay = /^(\d{4}-\d\d-\d\d)\.tar\.zst$/
const partOfDay = /^(\d{4}-\d\d-\d\d)\.tar\.zst\..+\.part$/
const nameOf = (day: string) => `${day}.tar.zst`

/** Makes the backup of the day unless it is there, and removes those that are no longer kept. */
export async function keepDailyBackup(
  { config, database, clock }: Deps,
  signal?: AbortSignal,
): Promise<void> {
  const folder = join(config.dataDir, 'backups')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const now = clock.now()
  const today = dayOf(now, config.timeZone)
  const names = await readdir(folder)
  const days = names.flatMap((name) => fileOfDay.exec(name)?.[1] ?? [])
  if (!days.includes(today)) {
    const source = { connection: database.connection, uploads: uploadsOf(config.dataDir), now }
    await makeBackup(source, join(folder, nameOf(today)), signal)
    days.push(today)
  }
  // What a process that was killed has left unfinished.
  const leftovers = names.filter((name) => (partOfDay.exec(name)?.[1] ?? today) < today)
  for (const name of [...expired(days).map(nameOf), ...leftovers])
    await rm(join(folder, name), { force: true })
}
