import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ClientConfig } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { launchRedis } from './redis.ts'
import { atDatabase, createDatabase, dropDatabase, dropDatabases } from './databases.ts'
import { testDatabasePrefix } from './test-database.ts'
import { makeThrowawayFolder } from './throwaway.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    server: ClientConfig
    template: string
    /** The Redis of a run over two processes (`npm run test:two-processes`). */
    redisOfTwoProcesses: string | undefined
  }
}

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url))

/** One server and one migrated template for the whole run: DATABASE_URL, or a Postgres of its own. */
export default async function setup(project: TestProject) {
  const { connection, stop } = await startServer()
  const template = `zimmer_template_${randomUUID().replaceAll('-', '')}`
  await createDatabase(connection, template)
  await migrate(atDatabase(connection, template), migrations)
  project.provide('server', connection)
  project.provide('template', template)
  const redis = process.env.TEST_PROCESSES === '2' ? await launchRedis() : undefined
  project.provide('redisOfTwoProcesses', redis?.url)
  return async () => {
    await redis?.stop()
    await dropDatabases(connection, testDatabasePrefix(template))
    await dropDatabase(connection, template)
    await stop()
  }
}

async function startServer(): Promise<{ connection: ClientConfig; stop(): Promise<void> }> {
  const { DATABASE_URL } = process.env
  if (DATABASE_URL) return { connection: { connectionString: DATABASE_URL }, stop: async () => {} }
  const dataDir = await makeThrowawayFolder('zimmer-test-', stopEmbeddedPostgres)
  const postgres = await startEmbeddedPostgres({ dataDir, isThrowaway: true })
  return {
    connection: postgres.connection,
    stop: async () => {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
