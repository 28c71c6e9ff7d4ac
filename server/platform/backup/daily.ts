import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Client } from 'pg'
import { dayOf } from '#contract/days.ts'
import type { PlatformSettings } from '#server/platform/settings.ts'
import type { Clock } from '../clock.ts'
import { connectClient } from '../database/connection.ts'
import { lockKeys, tryLock } from '../database/lock-keys.ts'
import type { Database, Db } from '../database/pool.ts'
import { findFact } from '../instance.ts'
import type { UploadStore } from '../uploads/upload-store.ts'
import { type FileKind, listFiles, makeBackup } from './backup.ts'
import { expiredBackupDays } from './retention.ts'

interface Deps {
  config: Pick<PlatformSettings, 'dataDir' | 'timeZone'>
  database: Database
  uploads: UploadStore
  clock: Clock
  /** All files that rows name. */
  kinds: readonly FileKind[]
  log: FastifyBaseLogger
}

/** The fact of the installation that holds the start time of its last daily backup. */
const dailyBackupFact = 'daily-backup'
/** The fact that holds how many files the rows of that backup name and the backup does not contain. */
const missingFilesFact = 'daily-backup-missing'
export const dailyBackupFacts: string[] = [dailyBackupFact, missingFilesFact]

/** After this time without a backup the process that made them has ended. Otherwise it is late by minutes at most. */
const takeOverMs = 26 * 60 * 60 * 1000

const fileOfDay = /^(\d{4}-\d\d-\d\d)\.tar\.zst$/
const partOfDay = /^\d{4}-\d\d-\d\d\.tar\.zst\..+\.part$/
const nameOf = (day: string) => `${day}.tar.zst`
const backupsOf = (dataDir: string) => join(dataDir, 'backups')

/**
 * Makes the backup of the day, unless it exists, and removes expired ones. With several processes on one database, the
 * process that made the last backup also makes the next one, so that all backups are in one folder.
 */
export async function keepDailyBackup(deps: Deps, signal?: AbortSignal): Promise<void> {
  const client = await connectClient(deps.database.connection, 'zimmer daily backup')
  try {
    if (await tryLock(client, lockKeys.dailyBackup)) await keepUnderLock(client, deps, signal)
  } finally {
    await client.end()
  }
}

async function keepUnderLock(client: Client, deps: Deps, signal?: AbortSignal) {
  const { config, database, uploads, clock, kinds, log } = deps
  const folder = backupsOf(config.dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = await readdir(folder)
  // Remove files that a killed process left unfinished. Only the holder of the lock writes in this folder.
  for (const name of names) if (partOfDay.test(name)) await rm(join(folder, name), { force: true })
  const days = names.flatMap((name) => fileOfDay.exec(name)?.[1] ?? [])
  const { now, last } = await findTimes(client, clock)
  const dayAt = (time: Date) => dayOf(time, config.timeZone)
  const today = dayAt(now)
  const isMade = last !== undefined && dayAt(last) === today
  const isOurTurn =
    last === undefined || days.includes(dayAt(last)) || Math.abs(now.getTime() - last.getTime()) > takeOverMs
  if (!isMade && isOurTurn) {
    if (!days.includes(today)) {
      const source = { connection: database.connection, uploads, kinds, now }
      const { missing, excluded } = await makeBackup(source, join(folder, nameOf(today)), signal)
      days.push(today)
      if (excluded.size > 0) log.warn({ files: listFiles(excluded) }, 'the daily backup leaves out files')
      if (missing.size > 0)
        log.error({ files: listFiles(missing) }, 'the daily backup lacks files that the database names')
      await setFact(client, missingFilesFact, String(missing.size))
    }
    await setFact(client, dailyBackupFact, now.toISOString())
  }
  for (const name of expiredBackupDays(days).map(nameOf)) await rm(join(folder, name), { force: true })
}

const setFact = (client: Client, name: string, value: string) =>
  client.query(
    'insert into instance_facts (name, value) values ($1, $2) on conflict (name) do update set value = $2',
    [name, value],
  )

/** How many files are missing in the last daily backup, though its rows name them. */
export const countMissingFiles = async (db: Db): Promise<number> =>
  Number((await findFact(db, missingFilesFact)) ?? 0)

/** When the last daily backup was made, and how long ago: both by the clock of the database (R20). */
export async function findLastBackup(db: Db): Promise<{ madeAt: Date; ageMs: number } | undefined> {
  const { rows } = await db.execute<{ madeAt: string; ageMs: number }>(
    sql`select value as "madeAt", (extract(epoch from app_now() - value::timestamptz) * 1000)::float8 as "ageMs"
      from instance_facts where name = ${dailyBackupFact}`,
  )
  return rows[0] && { ...rows[0], madeAt: new Date(rows[0].madeAt) }
}

export const dailyBackupFile = ({ dataDir, timeZone }: Deps['config'], madeAt: Date): string =>
  join(backupsOf(dataDir), nameOf(dayOf(madeAt, timeZone)))

/** Both times are those of the database, which all processes share (R20). */
async function findTimes(client: Client, clock: Clock) {
  await client.query("select set_config('app.clock_offset', $1, false)", [`${clock.offsetMs} ms`])
  const { rows } = await client.query<{ now: Date; last: string | null }>(
    'select app_now() as now, (select value from instance_facts where name = $1) as last',
    [dailyBackupFact],
  )
  const { now, last } = rows[0]!
  return { now, last: last === null ? undefined : new Date(last) }
}
