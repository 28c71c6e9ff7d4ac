import { sql } from 'drizzle-orm'
import {
  createHashing,
  grantAdmin,
  removeAccountByEmail,
  revokeAdmin,
  setPassword,
} from '#server/features/account/index.ts'
import { calendarTexts } from '#server/features/calendar/index.ts'
import { changeDiaryKey } from '#server/features/day-texts/index.ts'
import { diaryTexts } from '#server/features/diary/index.ts'
import { fillDemo } from '#server/features/demo/index.ts'
import { countFeedDaysAnew } from '#server/features/feed/index.ts'
import { ConfigError, isTimeZone, type Settings } from '#server/config.ts'
import { findDurabilityFault } from '#server/platform/database/usable.ts'
import { cutShort } from '#server/platform/cut-short.ts'
import { changeTimeZone, holdTimeZone, isSameZone, zoneFact } from '#server/platform/time-zone.ts'
import { backup, restore } from './backup.ts'
import { connect, type Place } from './place.ts'
import { readPassword } from './read-password.ts'

interface Command {
  name: string
  /** How many words follow the name. */
  takes: 0 | 1
  /** Answers the sentence to print. */
  run: (config: Settings, argument: string, signal: AbortSignal) => Promise<string>
}

export const commands: Command[] = [
  { name: 'admin grant', takes: 1, run: onDatabase((place, email) => grantAdmin(place, email)) },
  { name: 'admin revoke', takes: 1, run: onDatabase((place, email) => revokeAdmin(place, email)) },
  {
    name: 'user delete',
    takes: 1,
    run: onDatabase((place, email) => removeAccountByEmail(place, email, place.personalData)),
  },
  {
    name: 'password',
    takes: 1,
    run: async (config, email, signal) => {
      const password = await cutShort(readPassword(email), signal)
      return connect(
        config,
        (place) => setPassword(place, createHashing(place.random), config, { email, password }),
        signal,
      )
    },
  },
  { name: 'backup', takes: 1, run: backup },
  { name: 'restore', takes: 1, run: restore },
  {
    name: 'demo',
    takes: 0,
    run: onDatabase(fillDemoInZone),
  },
  {
    name: 'diary-key',
    takes: 0,
    run: onDatabase((place) => changeDiaryKey(place, [diaryTexts, calendarTexts])),
  },
  { name: 'time-zone', takes: 1, run: onDatabase(moveToZone) },
  // The database was brought to this version on the way here.
  { name: 'migrate', takes: 0, run: onDatabase(async () => 'The database is at this version.') },
  { name: 'doctor', takes: 0, run: onDatabase(examine) },
]

/** The work of a command that needs the database, at this version. */
function onDatabase(work: (place: Place, argument: string) => Promise<string>): Command['run'] {
  return (config, argument, signal) => connect(config, (place) => work(place, argument), signal)
}

async function fillDemoInZone(place: Place): Promise<string> {
  const { connection, config } = place
  const zone = await holdTimeZone({ connection, wanted: config.timeZone })
  return fillDemo(place.database, zone.name, place).finally(() => zone.release())
}

async function moveToZone({ connection, database }: Place, zone: string): Promise<string> {
  if (!isTimeZone(zone)) throw new ConfigError(`${zone} is no time zone: name one such as Europe/Berlin.`)
  await changeTimeZone(connection, zone, () => countFeedDaysAnew(database, zone))
  return `Days are counted in ${zone} from now on: set APP_TIME_ZONE to it, or leave it out.`
}

/** Looks at what goes wrong most often, and says it. */
async function examine({ database, config }: Place): Promise<string> {
  const { rows } = await database.execute<{ version: string; zone: string | null }>(
    sql`select current_setting('server_version') as version,
      (select value from instance_facts where name = ${zoneFact}) as zone`,
  )
  const { version, zone } = rows[0]!
  const faults = [
    (await findDurabilityFault(database)) ?? false,
    zone !== null &&
      config.timeZone !== undefined &&
      !isSameZone(zone, config.timeZone) &&
      `APP_TIME_ZONE is ${config.timeZone} here, and the days of this installation are counted in ${zone}.`,
    config.publicOrigin === undefined &&
      config.host !== '127.0.0.1' &&
      'PUBLIC_ORIGIN is not set, though the server listens beyond this machine.',
  ].filter((fault) => fault !== false)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return `All is well: Postgres ${version}, days in ${zone ?? 'the zone of its first start'}.`
}
