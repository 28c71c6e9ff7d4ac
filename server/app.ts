import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { Counter } from 'prom-client'
import { getConfig } from '#contract/app/endpoints.ts'
import { finishedRoomsAtOnce } from '#contract/rooms/endpoints.ts'
import { createCachedTexts } from './cached-texts.ts'
import type { Config } from './config.ts'
import { contractNames } from './contract-names.ts'
import { DomainEvents } from './domain-events.ts'
import type { Started } from './feature.ts'
import {
  createHashing,
  ensureDemoAccount,
  ensureFirstAdmin,
  findExportViewer,
  findTokenViewer,
  isExportToken,
  findViewer,
  hasAdmin,
  type Hashing,
  listEndedSessions,
} from './features/account/index.ts'
import { assignCoverAt } from './features/covers/index.ts'
import { openVault } from './features/day-texts/index.ts'
import {
  createFeedDays,
  hasPage,
  mayPublish,
  watchForPosts,
  withPremiumSwitch,
} from './features/feed/index.ts'
import { addInboxTopics } from './features/inbox/index.ts'
import {
  accessOf,
  announcementAt,
  instanceOnPages,
  instancePageOf,
  watchInstance,
} from './features/instance/index.ts'
import { mayReadPage } from './features/people/index.ts'
import { createAwayNotificationLetters } from './features/away-notifications/index.ts'
import { createShelf, ensureSealKey, readStory } from './features/rooms/index.ts'
import { allFileKinds, allPersonalData, features, inboxLoaders } from './features.ts'
import { addInstallationMetrics } from './installation-metrics.ts'
import { addLive } from './live.ts'
import { addPage } from './page.ts'
import { PageRenderer } from './page-renderer.ts'
import { addCountedRefusals, type Refusal } from './platform/audit.ts'
import { keepDailyBackup } from './platform/backup/daily.ts'
import type { Clock } from './platform/clock.ts'
import { databaseClock, followDatabase } from './platform/database/database-clock.ts'
import type { Database } from './platform/database/pool.ts'
import { isDatabaseUnavailable } from './platform/database/unavailable.ts'
import { AnswerCache } from './platform/http/answers/answer-cache.ts'
import { FactorAllowances } from './platform/http/bounds/factor-allowances.ts'
import { addCspReport } from './platform/http/csp-report.ts'
import { addDescription } from './platform/http/endpoints/description.ts'
import { handle } from './platform/http/endpoints/handle.ts'
import { mount } from './platform/http/endpoints/mount.ts'
import { sameForAll, withScope } from './platform/http/endpoints/policy.ts'
import { addHealth } from './platform/http/health.ts'
import type { Platform } from './platform/http/platform.ts'
import { publicAddress } from './platform/http/public-address.ts'
import { createServer } from './platform/http/server.ts'
import { newId, type Random } from './platform/ids.ts'
import { findInstanceSecret, keyFor } from './platform/instance.ts'
import { type Bus, createLocalBus } from './platform/live/bus.ts'
import { Streams } from './platform/live/streams.ts'
import { Topics } from './platform/live/topics.ts'
import { type CallOutgoing, createOutgoing } from './platform/outgoing/outgoing.ts'
import { memoryLimit } from './platform/memory.ts'
import { schedule } from './platform/schedule.ts'
import { SharedCounters } from './platform/shared-counters.ts'
import type { SharedStore } from './platform/shared-store.ts'
import { createEntryCounter } from './platform/entry-counter.ts'
import { openUploads } from './platform/uploads/open-uploads.ts'
import { createPublicPages } from './public-pages.ts'
import { addPurges } from './purges.ts'

export interface Outside {
  config: Config
  database: Database
  clock: Clock
  random: Random
  hashing?: Hashing
  /** Carries messages between processes. Left out, this process is the only one. */
  bus?: Bus
  /** Stores the counters of all processes. Left out, this process counts by itself. */
  shared?: SharedStore | undefined
  /** Calls other servers. Left out, it reaches the public internet alone. */
  callOutgoing?: CallOutgoing
  logger?: FastifyBaseLogger
  /** Bytes that the process may use. */
  memory?: number
  /** Where the page was built. */
  pageFolder?: string
  /** Where the renderer of the page was built. */
  renderFolder?: string
  maxLoopDelayMs?: number
}

/** Builds the whole server: the platform, the features, the pages and the schedules. Everything from outside is an argument. */
export async function buildApp(outside: Outside) {
  const { config, database, random, bus = createLocalBus(), logger } = outside
  const { timeZone } = config
  const {
    hashing = createHashing(random),
    memory = memoryLimit(),
    callOutgoing = createOutgoing(),
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
    allowances: new FactorAllowances(clock),
    addressKey: secret,
    // Nobody who reads a database with an encrypted diary can guess what its owner sent.
    inputKey: config.diaryKey ?? '',
    logger,
    maxLoopDelayMs: outside.maxLoopDelayMs,
    findViewer: (token) => findViewer(database, token),
    findTokenViewer: (token) =>
      isExportToken(token)
        ? findExportViewer(database, token, { secret, clock })
        : findTokenViewer(database, token),
    refusals: createEntryCounter<Refusal>((refusals) => addCountedRefusals(database, platform, refusals)),
  }
  const process = newId(platform)
  await ensureFirstAdmin(platform, hashing, config)
  await ensureDemoAccount(platform, hashing, config)

  const events = new DomainEvents()
  const answers = new AnswerCache({ memory, bus, clock })
  const feedDays = createFeedDays({ database, clock, timeZone, answers, events })
  const shelf = createShelf({ database, answers, events })
  const vault = await openVault({ ...platform, config })
  await ensureSealKey(database, vault)

  const server = await createServer(platform)
  const hasPosts = await watchForPosts({ database, events, app: server.app })
  const instance = await watchInstance({ database, bus, app: server.app })
  server.headers.follow(() => instance.settings().modelTraining)
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
  const loaders = inboxLoaders(vault)
  const inboxes = addInboxTopics({ bus, database, topics, events, loaders })

  const live = { bus, process, streams, topics, inboxes, loaders }
  const uploads = openUploads(config)
  const data = {
    dataDir: config.dataDir,
    uploads,
    personalData: allPersonalData,
    answers,
    feedDays,
    shelf,
    vault,
  }
  const awayNotificationLetters = createAwayNotificationLetters(loaders)
  const ofOthers = {
    hasPage,
    assignCover: assignCoverAt,
    instance,
    callOutgoing,
    awayNotificationLetters,
  }
  const deps = { ...platform, ...live, ...data, ...ofOthers, config, shared, secret, hashing, events }
  const started = features.map((feature): Started => feature.start(deps))
  const { submissionPortal, demoMode } = config
  const premium = withPremiumSwitch(config, instance)
  const publicConfig = () => {
    const settings = instance.settings()
    const shown = instanceOnPages(settings, clock.now())
    return {
      timeZone,
      today: feedDays.dateAt(0),
      hasPosts: hasPosts(),
      supportEmail: settings.supportEmail || config.supportEmail,
      companyName: settings.name || config.companyName,
      submissionPortal,
      demoMode,
      publishesPremium: mayPublish(premium, true),
      ...(config.relay !== undefined && { sendsMail: true as const }),
      ...(config.openidName !== undefined && { openidName: config.openidName }),
      ...(shown && { instance: shown }),
      ...accessOf(settings),
    }
  }
  /**
   * A short text that changes when `publicConfig` does: with the day, the first post, the settings and the end of an announcement.
   * The rest of `publicConfig` never changes while the server runs.
   */
  const publicConfigVersion = () => {
    const announcement = announcementAt(instance.settings(), clock.now())
    return `${feedDays.dateAt(0)} ${hasPosts()} ${instance.version()} ${announcement?.endsAt}`
  }
  mount(server, platform, [
    handle(getConfig, withScope('any', sameForAll), { answersFromMemory: true }, async () => publicConfig()),
    ...started.flatMap(({ routes = [] }) => routes),
  ])
  addLive(server, { platform, streams, topics })
  for (const { serve } of started) serve?.(server)
  addHealth(server, platform)
  addDescription(server, platform, contractNames)
  addInstallationMetrics(server.metrics.registry, { database, config })
  await addCspReport(server)

  const pages = createPublicPages({
    config: publicConfig,
    configVersion: publicConfigVersion,
    instance,
    feedDay: feedDays.onDay,
    ...createCachedTexts({ answers, database, events }),
    readStory: (id, maxBytes) => readStory(database, id, maxBytes),
    shelf: {
      get: () => shelf.newest(finishedRoomsAtOnce),
      peek: () => shelf.peekNewest(finishedRoomsAtOnce),
    },
    olderStories: shelf.older,
    instancePage: (page) => instancePageOf(page, instance.settings(), config),
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
    instance,
    mayReadPerson: (readerId, id) => mayReadPage(database, readerId, id),
    hasAdmin: () => hasAdmin(database),
    hasOpenid: config.openidIssuer !== undefined,
    renderer,
    answers,
    folder: pageFolder,
  })

  platform.refusals.writeEveryMinute(server.app, 'audit of refusals')
  followDatabase(server.app, clock)
  addPurges(server.app, deps)
  const backups = { ...platform, uploads, kinds: allFileKinds, log: server.app.log }
  schedule(server.app, 'daily backup', 10 * 60 * 1000, (signal) => keepDailyBackup(backups, signal))
  return server.app
}
