import { existsSync } from 'node:fs'
import { open, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { Redis } from 'ioredis'
import type { Settings } from '#server/config.ts'
import { hasAdmin } from '#server/features/account/index.ts'
import { findKeyState } from '#server/features/day-texts/index.ts'
import { createProvider } from '#server/features/openid/index.ts'
import { PageRenderer } from '#server/page-renderer.ts'
import { countMissingFiles, dailyBackupFile, findLastBackup } from '#server/platform/backup/daily.ts'
import { uploadsOf } from '#server/platform/backup/upload-names.ts'
import { clusterOf } from '#server/platform/database/place.ts'
import { type Db, openDatabase } from '#server/platform/database/pool.ts'
import {
  findDurabilityFault,
  refusePoolerOfOtherDatabase,
  refusePoolerWithoutSettings,
} from '#server/platform/database/usable.ts'
import { sentenceOf } from '#server/platform/describe-error.ts'
import { keptFreeBytes } from '#server/platform/disk.ts'
import { isThisMachine } from '#server/platform/http/request/origin.ts'
import { findFact } from '#server/platform/instance.ts'
import { inTime } from '#server/platform/in-time.ts'
import { reachRelay } from '#server/platform/mail/send-mail.ts'
import { createOutgoing } from '#server/platform/outgoing/outgoing.ts'
import { isSameZone, zoneFact } from '#server/platform/time-zone.ts'
import { openUploads } from '#server/platform/uploads/open-uploads.ts'
import type { Place } from './place.ts'
import { listUploads } from './uploads.ts'

/** What a check found, and what to do about it. */
type Finding = ['fine' | 'warning' | 'wrong', sentence: string]
const fine = (sentence: string): Finding => ['fine', sentence]
const warning = (sentence: string): Finding => ['warning', sentence]
const wrong = (sentence: string): Finding => ['wrong', sentence]

type Check = (place: Place) => Finding | Promise<Finding>

/** Every check by what it looks at. Checks of parts that are not in use say so. */
export const checks: Record<string, Check> = {
  database: async ({ database }) => {
    const { rows } = await database.execute<{ version: string }>(
      sql`select current_setting('server_version') as version`,
    )
    const fault = await findDurabilityFault(database)
    return fault === undefined ? fine(`Postgres ${rows[0]!.version} answers.`) : wrong(fault)
  },

  pooler: async ({ connection, clock, config: { databasePoolUrl } }) => {
    if (databasePoolUrl === undefined) return fine('None is set.')
    const pool = openDatabase({ connection, pooler: { connectionString: databasePoolUrl }, clock, max: 1 })
    try {
      await refusePoolerOfOtherDatabase(connection, pool)
      await refusePoolerWithoutSettings(pool)
      return fine('PgBouncer leads to the same database.')
    } catch (error) {
      return wrong(`${sentenceOf(error)} (DATABASE_POOL_URL)`)
    } finally {
      await pool.close()
    }
  },

  redis: async ({ config: { redisUrl } }) => {
    if (redisUrl === undefined) return fine('None is set.')
    const redis = new Redis(redisUrl, {
      lazyConnect: true,
      connectTimeout: 2000,
      commandTimeout: 2000,
      retryStrategy: () => null,
    })
    let failure: unknown
    redis.on('error', (error) => (failure = error))
    try {
      await redis.connect()
      await redis.set('zimmer:doctor', '1', 'PX', 1000)
      return fine('Redis answers and stores.')
    } catch (error) {
      const reason = sentenceOf(failure ?? error)
      return wrong(`Redis does not answer (${reason}). Start it, or correct REDIS_URL.`)
    } finally {
      redis.disconnect()
    }
  },

  'time zone': async ({ database, config: { timeZone } }) => {
    const zone = await findFact(database, zoneFact)
    if (zone === undefined) return fine('Days get the zone of the first start.')
    if (timeZone === undefined || isSameZone(zone, timeZone)) return fine(`Days are counted in ${zone}.`)
    return wrong(
      `APP_TIME_ZONE is ${timeZone} here, and the days of this installation are counted in ${zone}. Leave APP_TIME_ZONE out.`,
    )
  },

  'public address': ({ config }) => findingOfAddress(config),

  'sign-in by': async ({ config, clock }) => {
    const provider = createProvider(config, createOutgoing(), clock)
    if (provider === undefined) return fine('None is set.')
    try {
      await provider.fetchDescription()
      return fine(`${config.openidName} describes itself as an OpenID Connect provider.`)
    } catch (error) {
      const reason = sentenceOf(causeOf(error))
      return wrong(
        `People cannot sign in with ${config.openidName} (${reason}). Start it, or correct OIDC_ISSUER.`,
      )
    }
  },

  'mail server': async ({ config: { relay, mailFrom } }) => {
    if (relay === undefined) return fine('None is set.')
    try {
      await reachRelay(relay, mailFrom!, new AbortController().signal)
      return fine(
        relay.credentials === undefined
          ? 'The mail server answers. No mail was sent.'
          : 'The mail server answers and takes the name and the password. No mail was sent.',
      )
    } catch (error) {
      return wrong(
        `Mails cannot be sent (${sentenceOf(error)}). Start the mail server, or correct SMTP_URL. Mails wait for two days.`,
      )
    }
  },

  admin: async ({ database }) =>
    (await hasAdmin(database))
      ? fine('There is an admin.')
      : wrong(
          'There is no admin, so nobody can approve posts. Run "npm run zimmer -- admin grant EMAIL" for a registered person.',
        ),

  'diary key': async ({ database, random, config: { diaryKey } }) => {
    const state = await findKeyState(database, diaryKey, random)
    if (state === 'locked')
      return wrong(
        'Diary, calendar and messages are locked, because DIARY_KEY is not the key of their texts. Set DIARY_KEY to that key.',
      )
    return fine(state === 'none' ? 'Texts are stored as they are.' : 'DIARY_KEY is the key of the texts.')
  },

  backup: async ({ database, config: { dataDir } }) => {
    const last = await findLastBackup(database)
    if (last === undefined)
      return (await isInUseForLong(database))
        ? warning(
            `There is no daily backup, though this installation has had an account for more than a day. ${makeBackup}`,
          )
        : warning('There is no daily backup yet. The running server makes one within ten minutes.')
    const { madeAt, ageMs } = last
    const file = dailyBackupFile({ dataDir, timeZone: (await findFact(database, zoneFact)) ?? 'UTC' }, madeAt)
    if (!(await isReadable(file)))
      return wrong(`The last daily backup cannot be read: there is no usable file ${file}. ${makeBackup}`)
    const missing = await countMissingFiles(database)
    if (missing > 0)
      return wrong(
        `The last daily backup lacks ${missing} of the files that the database names. Look in the log for "the daily backup lacks files".`,
      )
    const hours = Math.floor(ageMs / 3_600_000)
    return hours < oldBackupHours
      ? fine(`The last daily backup was made at ${madeAt.toISOString()}.`)
      : warning(`The last daily backup is ${hours} hours old. ${makeBackup}`)
  },

  disk: async ({ config: { dataDir } }) => {
    const folders = [dataDir, uploadsOf(dataDir), join(dataDir, 'backups'), await clusterOf(dataDir)]
    const disks = await Promise.all(folders.map((folder) => statfs(folder).catch(() => undefined)))
    const free = disks.flatMap((disk) => (disk === undefined ? [] : [disk.bavail * disk.bsize]))
    if (free.length === 0) return warning(`${dataDir} does not exist yet. The server makes it at its start.`)
    return findingOfDisk(Math.min(...free))
  },

  uploads: async ({ database, config }) => {
    const uploads = openUploads(config)
    const fault = await uploads.findFault()
    if (fault !== undefined) return wrong(fault)
    const files = await listUploads(database)
    const missing = await uploads.missingOf(files)
    if (missing.length === 0) return fine(`All ${files.length} uploaded files are in the ${uploads.place}.`)
    return wrong(
      `Of ${files.length} uploaded files ${missing.length} are missing in the ${uploads.place}, such as ${missing[0]}. Copy them from a backup into it.`,
    )
  },

  page: () => findingOfPage(join(import.meta.dirname, '../../dist')),
}

const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? causeOf(error.cause) : error

const oldBackupHours = 26
const makeBackup = 'Run "npm run zimmer -- backup FILE", and look in the log for "daily backup failed".'
const lowBytes = 4 * keptFreeBytes

/** Whether somebody came so long ago that a server should have made a daily backup since. */
async function isInUseForLong(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ is: boolean }>(
    sql`select exists (select 1 from users where created_at < app_now() - ${`${oldBackupHours} hours`}::interval) as is`,
  )
  return rows[0]!.is
}

/** Whether a file has content and can be read by this account. */
async function isReadable(path: string): Promise<boolean> {
  try {
    const file = await open(path)
    return await file
      .read({ buffer: Buffer.alloc(1) })
      .then(({ bytesRead }) => bytesRead > 0)
      .finally(() => file.close())
  } catch {
    return false
  }
}

export function findingOfDisk(freeBytes: number): Finding {
  const free = `${Math.floor(freeBytes / 1024 ** 2)} MB are free.`
  if (freeBytes < keptFreeBytes) return wrong(`${free} No file is taken and no backup made. Free some space.`)
  return freeBytes < lowBytes ? warning(`${free} Free some space.`) : fine(free)
}

/** Renders the smallest page in a process, as the server does. */
export async function findingOfPage(dist: string, limitMs = 10_000): Promise<Finding> {
  const missing = ['web/index.html', 'render/render.js'].filter((file) => !existsSync(join(dist, file)))
  if (missing.length > 0) return wrong(`${missing.join(' and ')} is missing in dist. Run "npm run build".`)
  let end: string | undefined
  const renderer = new PageRenderer(join(dist, 'render'), { onEnd: (reason) => (end ??= reason) })
  const page = { title: '', answers: {}, lists: {}, isMissing: true } as const
  const late = () => new Error(`No page was rendered within ${limitMs / 1000} s.`)
  try {
    await inTime(renderer.render({ address: '/404', data: page }), limitMs, late)
    return fine('The page is built, and its renderer works.')
  } catch (error) {
    return wrong(
      `The renderer of the page does not work: ${end ?? sentenceOf(error)} Pages come without their text. Run "npm run build".`,
    )
  } finally {
    // This kills the process. Its end keeps no program running, so do not wait for it.
    void renderer.end()
  }
}

export function findingOfAddress({ publicOrigin, trustProxy, host }: Settings): Finding {
  const isOpen = !isThisMachine(host)
  if (publicOrigin === undefined && trustProxy !== undefined)
    return wrong(
      'TRUST_PROXY is set and PUBLIC_ORIGIN is not, so cookies are not secure and links lead to localhost. Set PUBLIC_ORIGIN to the address that people type.',
    )
  if (publicOrigin === undefined && isOpen)
    return wrong(
      'PUBLIC_ORIGIN is not set, though the server listens beyond this machine. Set it to the address that people type.',
    )
  if (publicOrigin === undefined) return fine('The server is for this machine alone.')
  const isLocal = isThisMachine(new URL(publicOrigin).hostname)
  if (isLocal && isOpen)
    return wrong(
      `PUBLIC_ORIGIN is ${publicOrigin}, which leads to this machine alone, though the server listens beyond it. Set PUBLIC_ORIGIN to the address that people type, or leave HOST out.`,
    )
  if (publicOrigin.startsWith('https:') && trustProxy === undefined)
    return warning(
      'PUBLIC_ORIGIN is https and TRUST_PROXY is not set, so all people behind the proxy share one limit. Set TRUST_PROXY to the address of the proxy.',
    )
  if (publicOrigin.startsWith('http:') && !isLocal)
    return warning(
      'PUBLIC_ORIGIN is http, so passwords cross the network unencrypted. Put a proxy with TLS in front, and set PUBLIC_ORIGIN to https.',
    )
  return fine(`People type ${publicOrigin}.`)
}

/** Runs every check, one line for each. A check that fails by itself is wrong, and the others go on. */
export async function examine(place: Place): Promise<string> {
  const lines: string[] = []
  let isWrong = false
  for (const [name, check] of Object.entries(checks)) {
    const [state, sentence] = await findingOf(() => check(place))
    isWrong ||= state === 'wrong'
    lines.push(`${state.padEnd(7)}  ${name.padEnd(14)}  ${sentence}`)
  }
  if (isWrong) throw new Error(lines.join('\n'))
  return lines.join('\n')
}

async function findingOf(check: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await check()
  } catch (error) {
    return wrong(sentenceOf(error))
  }
}
