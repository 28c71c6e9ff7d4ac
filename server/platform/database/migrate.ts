import { setTimeout as delay } from 'node:timers/promises'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import type { Client, ClientConfig } from 'pg'
import { OperatorError } from '../operator-error.ts'
import { applyMigrations, migrationsTable } from './apply-migrations.ts'
import { connectClient } from './connection.ts'
import { lockKeys, tryLock } from './lock-keys.ts'
import { refuseUnusableDatabase } from './usable.ts'

/** Thrown when the database was written by a newer version, so that this version must not change it. */
export class SchemaIsNewer extends OperatorError {}

/** Migrates the schema to the version of the code, once, even when several processes start together. */
export async function migrate(connection: ClientConfig, migrationsFolder: string): Promise<void> {
  const client = await connectClient(connection, 'zimmer migrate')
  try {
    await refuseUnusableDatabase(client)
    await acquireMigrationLock(client)
    const migrations = readMigrationFiles({ migrationsFolder })
    await refuseNewerSchema(client, migrations)
    await applyMigrations(client, migrations)
  } finally {
    await client.end()
  }
}

/**
 * Takes the lock of migrations, which another process may hold. It polls, because a statement that waits for the lock would
 * hold a snapshot, and `create index concurrently` of the other process waits for the end of every older snapshot.
 */
async function acquireMigrationLock(client: Client) {
  for (const start = Date.now(); ; await delay(pauseMs)) {
    if (await tryLock(client, lockKeys.migrations)) return
    if (Date.now() - start > longestWaitMs)
      throw new Error('Another process is still migrating the database.')
  }
}

const pauseMs = 50
const longestWaitMs = 5 * 60_000

async function refuseNewerSchema(client: Client, migrations: MigrationMeta[]) {
  const found = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    migrationsTable,
  ])
  if (!found.rows[0]?.exists) return
  const applied = await client.query<{ made: string }>(
    `select created_at::text as made from ${migrationsTable}`,
  )
  const known = new Set(migrations.map(({ folderMillis }) => String(folderMillis)))
  const unknown = applied.rows.filter(({ made }) => !known.has(made))
  if (unknown.length === 0) return
  throw new SchemaIsNewer(
    `The database has ${unknown.length} migration(s) that this version does not know: start the newer version, or restore a backup made by this one.`,
  )
}
