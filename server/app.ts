import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { Counter } from 'prom-client'
import { getConfig } from '#contract/app/endpoints.ts'
import { finishedRoomsAtOnce } from '#contract/rooms/endpoints.ts'
import type { Config } from './config.ts'
import { cachedTextsPersonalData, createCachedTexts } from './cached-texts.ts'
import { contractNames } from './contract-names.ts'
import { abuseReportRoutes } from './features/abuse-reports/index.ts'
import {
  accountRoutes,
  addLogoutNavigation,
  createDevices,
  createHashing,
  ensureDemoAccount,
  ensureFirstAdmin,
  findViewer,
  type Hashing,
  listEndedSessions,
  settingsRoutes,
} from './features/account/index.ts'
import { calendarRoutes } from './features/calendar/index.ts'
import { createCovers } from './features/covers/index.ts'
import { openVault } from './features/day-texts/index.ts'
import { diaryRoutes } from './features/diary/index.ts'
import {
  createFeedDays,
  feedEventLoaders,
  feedRoutes,
  dropDaysOfPerson,
  hasPage,
  reviewRoutes,
} from './features/feed/index.ts'
import {
  addRoomTopics,
  countRoomsThatEnded,
  createShelf,
  readStory,
  roomEventLoaders,
  roomRoutes,
  beforeShowNameChange,
  storyRoutes,
} from './features/rooms/index.ts'
import { createMagazine } from './features/magazine/index.ts'
import { friendEventLoaders, friendRoutes } from './features/friends/index.ts'
import { addInboxTopics, inboxRoutes, notificationEventLoaders } from './features/inbox/index.ts'
import {
  invitationEventLoaders,
  invitationRoutes,
  removeAcceptancesBetween,
} from './features/invitations/index.ts'
import { messageEventLoaders, messageRoutes } from './features/messages/index.ts'
import { mayReadPage, peopleRoutes } from './features/people/index.ts'
import { addFeeds, addHub, addRobots, addSitemap, createFeeds } from './features/syndication/index.ts'
import { addPreviews } from './features/previews/index.ts'
import { adminRoutes, statsRoutes } from './features/admin/index.ts'
import { allFileKinds } from './file-kinds.ts'
import { addInstallationMetrics } from './installation-metrics.ts'
import { addLive } from './live.ts'
import { addPage } from './page.ts'
import { PageRenderer } from './page-renderer.ts'
import { createPublicPages } from './public-pages.ts'
import { publicAddress } from './platform/http/public-address.ts'
import { allPersonalData } from './personal-data.ts'
import { addPurges } from './purges.ts'
import { addCountedRefusals, type Refusal } from './platform/audit.ts'
import { keepDailyBackup } from './platform/backup/daily.ts'
import type { Clock } from './platform/clock.ts'
import { isDatabaseUnavailable } from './platform/database/unavailable.ts'
import { databaseClock } from './platform/database/database-clock.ts'
import type { Database } from './platform/database/pool.ts'
import { AnswerCache } from './platform/http/answers/answer-cache.ts'
import { addCspReport } from './platform/http/csp-report.ts'
import { handle } from './platform/http/endpoints/handle.ts'
import { addDescription } from './platform/http/endpoints/description.ts'
import { addHealth } from './platform/http/health.ts'
import { mount } from './platform/http/endpoints/mount.ts'
import { sameForAll } from './platform/http/endpoints/policy.ts'
import type { Platform } from './platform/http/platform.ts'
import { createServer } from './platform/http/server.ts'
import { type Bus, createLocalBus } from './platform/live/bus.ts'
import { Streams } from './platform/live/streams.ts'
import { Topics } from './platform/live/topics.ts'
import { schedule } from './platform/schedule.ts'
import { SharedCounters } from './platform/shared-counters.ts'
import type { SharedStore } from './platform/shared-store.ts'
import { createTally } from './platform/tally.ts'
import { findInstanceSecret, keyFor } from './platform/instance.ts'
import { newId, type Random } from './platform/ids.ts'
import { memoryLimit } from './platform/memory.ts'

export interface Outside {
  config: Config
  database: Database
  clock: Clock
  random: Random
  /** How passwords are hashed. */
  hashing?: Hashing
  /** Carries messages between processes. Left out, this process is the only one. */
  bus?: Bus
  /** Stores the counters of all processes. Left out, this process counts by itself. */
  shared?: SharedStore | undefined
  logger?: FastifyBaseLogger
  /** Bytes that the process may use. */
  memory?: number
  /** Where the page was built. */
  pageFolder?: string
  /** Where the renderer of the page was built. */
  renderFolder?: string
  maxLoopDelayMs?: number
}

/** Builds the whole server: the platform, then every feature. Everything from outside is an argument. */
export async function buildApp(outside: Outside) {
  const { config, database, random, bus = createLocalBus(), logger } = outside
  const {
    hashing = createHashing(random),
    memory = memoryLimit(),
    pageFolder = join(import.meta.dirname, '../dist/web'),
    renderFolder = join(import.meta.dirname, '../dist/render'),
  } = outside
  const clock = await databaseClock(database, outside.clock)
  const secret = await findInstanceSecret(database, random)
  const shared =
    outside.shared && new SharedCounters(outside.shared, clock, keyFor('shared counters', secret))
  const platform: Platform = {
    config,
    database,
    clock,
    random,
    shared,
    addressKey: secret,
    // Nobody who reads a database with an encrypted diary can guess what its owner sent.
    inputKey: config.diaryKey ?? '',
    logger,
    maxLoopDelayMs: outside.maxLoopDelayMs,
    findViewer: (token) => findViewer(database, token),
    refusals: createTally<Refusal>((refusals) => addCountedRefusals(database, platform, refusals)),
  }
  const process = newId(platform)
  const devices = createDevices({ key: keyFor('known devices', secret), clock, random })
  await ensureFirstAdmin(platform, hashing, config)
  await ensureDemoAccount(platform, hashing, config)

  const answers = new AnswerCache({ memory, bus, clock })
  const feeds = createFeeds({
    config,
    database,
    clock,
    answers,
    key: keyFor('ids of feeds', secret),
  })
  const feedDays = createFeedDays({ database, clock, timeZone: config.timeZone, answers })
  const onStoriesChanged = () => answers.noteChange('stories')
  const shelf = createShelf({ database, answers })
  const vault = await openVault({ ...platform, config })
  const personalData = [
    ...allPersonalData({
      onFeedDayChanged: feedDays.drop,
      onShelfChanged: shelf.drop,
      onInboxChanged: (personIds) => inboxes.notify(personIds),
    }),
    cachedTextsPersonalData(answers),
  ]
  const publicConfig = () => ({
    timeZone: config.timeZone,
    today: feedDays.dateAt(0),
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
    shared,
    processId: process,
    listEndedSessions: (opened) => listEndedSessions(database, opened),
  })
  const onFailure = (error: unknown) => {
    if (!isDatabaseUnavailable(error)) server.app.log.error({ err: error }, 'a live topic failed')
  }
  const topics = new Topics({ streams, onFailure })
  const loaders = {
    ...feedEventLoaders,
    ...friendEventLoaders,
    ...invitationEventLoaders,
    ...messageEventLoaders(vault),
    ...notificationEventLoaders,
    ...roomEventLoaders,
  }
  const inboxes = addInboxTopics({ bus, database, topics, loaders })
  const rooms = addRoomTopics({
    bus,
    clock,
    database,
    inboxes,
    streams,
    topics,
    process,
    onFailure,
  })
  const hub = addHub(server, { config, database, clock })
  const magazine = createMagazine({ config, database })
  const covers = createCovers({ config, database })
  mount(server, platform, [
    handle(getConfig, sameForAll, { answersFromMemory: true }, async () => publicConfig()),
    ...accountRoutes({
      config,
      database,
      clock,
      hashing,
      devices,
      personalData,
      shared,
    }),
    ...settingsRoutes({
      beforeShowNameChange: async (call, showName) => {
        await beforeShowNameChange(rooms)(call, showName)
        call.afterCommit(onStoriesChanged)
      },
      onPageChange: async (call) => {
        await dropDaysOfPerson(feedDays)(call)
        call.afterCommit(() => answers.noteChange('posts'))
      },
      onIntroductionChange: () => answers.noteChange('introductions'),
      hasPage,
    }),
    ...adminRoutes({ config, personalData }),
    ...statsRoutes({ config }),
    ...feedRoutes({
      config,
      clock,
      feedDays,
      addressKey: secret,
      onPublic: hub.notifyOfPosts,
      assignCover: covers.assign,
    }),
    ...reviewRoutes({ config, feedDays, inbox: inboxes, onPublic: hub.notifyOfPosts }),
    ...roomRoutes({
      config,
      notifier: rooms,
      inbox: inboxes,
      shelf,
      onSignatureChange: onStoriesChanged,
    }),
    ...storyRoutes({ config, answers }),
    ...diaryRoutes({ vault }),
    ...calendarRoutes({ vault }),
    ...friendRoutes({ inbox: inboxes, onFriendAdded: removeAcceptancesBetween }),
    ...invitationRoutes({ inbox: inboxes }),
    ...inboxRoutes({ inbox: inboxes, loaders }),
    ...messageRoutes({ vault, inbox: inboxes }),
    ...abuseReportRoutes({ vault }),
    ...peopleRoutes(),
    ...magazine.routes,
    ...covers.routes,
  ])
  addLive(server, { platform, streams, topics })
  addLogoutNavigation(server, { config, database })
  magazine.serve(server)
  covers.serve(server)
  addFeeds(server, feeds)
  addRobots(server, config)
  addSitemap(server, { config, database })
  addPreviews(server, { database, answers })
  addHealth(server, platform)
  addDescription(server, platform, contractNames)
  addInstallationMetrics(server.metrics.registry, { database, config })
  await addCspReport(server)
  const pages = createPublicPages({
    config: publicConfig,
    feedDay: (offset) => ({ get: () => feedDays.get(offset), peek: () => feedDays.peek(offset) }),
    ...createCachedTexts({ answers, database }),
    readStory: (id, maxBytes) => readStory(database, id, maxBytes),
    shelf: {
      get: () => shelf.newest(finishedRoomsAtOnce),
      peek: () => shelf.peekNewest(finishedRoomsAtOnce),
    },
    olderStories: shelf.older,
    addressOf: (path) => publicAddress(config, path),
    onFailure: (error) => server.app.log.error({ err: error }, 'the feed of the page could not be read'),
  })
  const rendererEnds = new Counter({
    name: 'zimmer_page_renderer_ends_total',
    help: 'How often the process that renders pages has ended, or was ended because it took too long',
    registers: [server.metrics.registry],
  })
  const renderer = new PageRenderer(renderFolder, {
    onEnd(reason) {
      rendererEnds.inc()
      server.app.log.error({ reason }, 'the process that renders pages has ended')
    },
  })
  await addPage(server, {
    pages,
    mayReadPerson: (readerId, id) => mayReadPage(database, readerId, id),
    renderer,
    answers,
    folder: pageFolder,
  })

  platform.refusals.keepOn(server.app, 'audit of refusals')
  schedule(server.app, 'reading the clock of the database', 5000, async () => {
    try {
      await clock.sync()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
    }
  })
  addPurges(server.app, {
    database,
    personalData,
    dataDir: config.dataDir,
    uploads: { 'the magazine': magazine.purge, 'the covers': covers.purge },
  })
  schedule(server.app, 'count of finished rooms', 60 * 1000, (signal) =>
    countRoomsThatEnded(database, signal),
  )
  const backups = { ...platform, kinds: allFileKinds, log: server.app.log }
  schedule(server.app, 'daily backup', 10 * 60 * 1000, (signal) => keepDailyBackup(backups, signal))
  return server.app
}
