import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { getConfig } from '#contract/app/endpoints.ts'
import { dayOf } from '#contract/days.ts'
import type { Config } from './config.ts'
import {
  accountRoutes,
  addLogoutNavigation,
  createDevices,
  createHashing,
  ensureDemoAccount,
  ensureFirstAdmin,
  findViewer,
  listEndedSessions,
  settingsRoutes,
} from './features/account/index.ts'
import { calendarRoutes } from './features/calendar/index.ts'
import { openVault } from './features/day-texts/index.ts'
import { diaryRoutes } from './features/diary/index.ts'
import { createFeedDays, feedRoutes, findPublicPost } from './features/feed/index.ts'
import {
  countRoomsThatEnded,
  createLiveRooms,
  createShelf,
  roomRoutes,
  storyRoutes,
} from './features/rooms/index.ts'
import { adminRoutes } from './features/admin/index.ts'
import { addLive } from './live.ts'
import { addPage } from './page.ts'
import { allPersonalData } from './personal-data.ts'
import { addPurges } from './purges.ts'
import { addCountedRefusals, type Refusal } from './platform/audit.ts'
import { keepDailyBackup } from './platform/backup/daily.ts'
import type { Clock } from './platform/clock.ts'
import { isDatabaseUnavailable } from './platform/database/unavailable.ts'
import { databaseClock } from './platform/database/database-clock.ts'
import type { Database } from './platform/database/pool.ts'
import { addCspReport } from './platform/http/csp-report.ts'
import { handle } from './platform/http/handle.ts'
import { addHealth } from './platform/http/health.ts'
import { mount, refuseOtherMethods } from './platform/http/mount.ts'
import { PreparedAnswers } from './platform/http/prepared-answers.ts'
import { sameForAll } from './platform/http/policy.ts'
import { createServer, type Platform } from './platform/http/server.ts'
import { type Bus, createLocalBus } from './platform/live/bus.ts'
import { Streams } from './platform/live/streams.ts'
import { schedule } from './platform/schedule.ts'
import { createTally } from './platform/tally.ts'
import { isId } from './platform/http/paging.ts'
import { findInstanceSecret, keyFor } from './platform/instance.ts'
import { newId, type Random } from './platform/ids.ts'
import { memoryLimit } from './platform/memory.ts'

export interface Outside {
  config: Config
  database: Database
  clock: Clock
  random: Random
  /** Carries words between processes; left out, this one is alone. */
  bus?: Bus
  logger?: FastifyBaseLogger
  /** Bytes that the process may use. */
  memory?: number
  /** Where the page was built. */
  pageFolder?: string
}

/** The whole server: the platform, then every feature. What comes from outside is an argument. */
export async function buildApp(outside: Outside) {
  const { config, database, random, bus = createLocalBus(), logger } = outside
  const { memory = memoryLimit(), pageFolder = join(import.meta.dirname, '../dist/web') } = outside
  const clock = await databaseClock(database, outside.clock)
  const secret = await findInstanceSecret(database, random)
  const platform: Platform = {
    config,
    database,
    clock,
    random,
    addressKey: secret,
    logger,
    findViewer: (token) => findViewer(database, token),
    refusals: createTally<Refusal>((refusals) => addCountedRefusals(database, platform, refusals)),
  }
  const hashing = createHashing(random)
  const devices = createDevices({ key: keyFor('known devices', secret), clock, random })
  await ensureFirstAdmin(platform, hashing, config)
  await ensureDemoAccount(platform, hashing, config)

  const answers = new PreparedAnswers(memory)
  const feedDays = createFeedDays({ database, clock, timeZone: config.timeZone, answers })
  const shelf = createShelf({ database, clock, answers })
  const vault = await openVault(platform)
  const personalData = allPersonalData({ onFeedDayChanged: feedDays.drop, onShelfChanged: shelf.drop })
  const publicConfig = () => ({
    timeZone: config.timeZone,
    today: dayOf(clock.now(), config.timeZone),
    supportEmail: config.supportEmail,
    companyName: config.companyName,
    submissionPortal: config.submissionPortal,
    demoMode: config.demoMode,
  })

  const server = await createServer(platform)
  const streams = new Streams({
    server,
    clock,
    limitsRates: config.limitsRates,
    listEndedSessions: (opened) => listEndedSessions(database, opened),
  })
  const rooms = createLiveRooms({
    bus,
    database,
    streams,
    process: newId(platform),
    logError: (error) => server.app.log.error({ err: error }, 'live rooms failed'),
  })
  mount(server, platform, [
    handle(getConfig, sameForAll, async () => publicConfig()),
    ...accountRoutes({ config, database, clock, hashing, devices, personalData }),
    ...settingsRoutes(),
    ...adminRoutes(),
    ...feedRoutes({ config, clock, feedDays, addressKey: secret }),
    ...roomRoutes({ config, live: rooms.live, shelf }),
    ...storyRoutes({ config, answers }),
    ...diaryRoutes({ vault }),
    ...calendarRoutes({ vault }),
  ])
  addLive(server, { platform, streams, rooms })
  addLogoutNavigation(server, { config, database })
  addHealth(server, platform)
  await addCspReport(server)
  await addPage(server, {
    config: () => JSON.stringify(publicConfig()),
    todaysFeed: async () => (await feedDays.get(0)).prepared,
    findPublicPost: async (id) => (isId(id) ? findPublicPost(database, id) : undefined),
    answers,
    folder: pageFolder,
  })
  refuseOtherMethods(server)

  platform.refusals.keepOn(server.app, 'audit of refusals')
  schedule(server.app, 'reading the clock of the database', 5000, async () => {
    try {
      await clock.sync()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
    }
  })
  addPurges(server.app, { database, personalData })
  schedule(server.app, 'count of finished rooms', 60 * 1000, (signal) =>
    countRoomsThatEnded(database, signal),
  )
  schedule(server.app, 'daily backup', 10 * 60 * 1000, (signal) => keepDailyBackup(platform, signal))
  return server.app
}
