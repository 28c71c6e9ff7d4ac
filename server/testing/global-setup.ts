import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ClientConfig } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { isAlive } from '#server/platform/database/processes.ts'
import { atDatabase, createDatabase, dropDatabase } from './databases.ts'
import { throwawayFolder } from './throwaway.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    server: ClientConfig
    template: string
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
  return async () => {
    await dropDatabase(connection, template)
    await stop()
  }
}

async function startServer(): Promise<{ connection: ClientConfig; stop(): Promise<void> }> {
  const { DATABASE_URL } = process.env
  if (DATABASE_URL) return { connection: { connectionString: DATABASE_URL }, stop: async () => {} }
  const folder = await throwawayFolder()
  await removeLeftovers(folder)
  const dataDir = await mkdtemp(join(folder, `${folderName}${process.pid}-`))
  const postgres = await startEmbeddedPostgres({ dataDir, isThrowaway: true })
  return {
    connection: postgres.connection,
    stop: async () => {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const folderName = 'zimmer-test-'

/** A run that was killed leaves its Postgres running. */
async function removeLeftovers(folder: string) {
  for (const name of await readdir(folder)) {
    const pid = new RegExp(`^${folderName}(\\d+)-`).exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    const dataDir = join(folder, name)
    if ((await stat(dataDir)).uid !== process.getuid?.()) continue
    await stopEmbeddedPostgres(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  }
}
