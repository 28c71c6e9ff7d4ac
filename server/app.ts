import type { FastifyBaseLogger } from 'fastify'
import { getConfig } from '#contract/app/endpoints.ts'
import { dayOf } from '#contract/days.ts'
import type { Config } from './config.ts'
import { addPage } from './page.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/database/pool.ts'
import { addCspReport } from './platform/http/csp-report.ts'
import { handle } from './platform/http/handle.ts'
import { addHealth } from './platform/http/health.ts'
import { mount } from './platform/http/mount.ts'
import { sameForAll } from './platform/http/policy.ts'
import { createServer, type Platform } from './platform/http/server.ts'
import type { Random } from './platform/ids.ts'

interface Outside {
  config: Config
  database: Database
  clock: Clock
  random: Random
  logger?: FastifyBaseLogger
}

/** The whole server: the platform, then every feature. What comes from outside is an argument. */
export async function buildApp({ config, database, clock, random, logger }: Outside) {
  const publicConfig = () => ({
    timeZone: config.timeZone,
    today: dayOf(clock.now(), config.timeZone),
    supportEmail: config.supportEmail,
    companyName: config.companyName,
    submissionPortal: config.submissionPortal,
    demoMode: config.demoMode,
  })
  const platform: Platform = {
    config,
    database,
    clock,
    random,
    logger,
    findViewer: async () => ({ kind: 'visitor' }),
    onRefusedAdminCall: async () => {},
  }
  const server = await createServer(platform)
  mount(server, platform, [handle(getConfig, sameForAll, async () => publicConfig())])
  addHealth(server, platform)
  await addCspReport(server)
  await addPage(server, {
    config: () => JSON.stringify(publicConfig()),
    todaysFeed: async () => 'null',
    findPublicPost: async () => undefined,
  })
  return server.app
}
