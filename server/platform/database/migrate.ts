import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import type { Client, ClientConfig } from 'pg'
import { connectClient } from './connection.ts'
import { lockKeys } from './lock-keys.ts'
import { refuseUnusableDatabase } from './usable.ts'

/** The database was written by a newer version; this one must not touch it. */
export class SchemaIsNewer extends Error {
  override name = 'SchemaIsNewer'
}

/** Brings the schema up to the code's, once, however many processes start together. */
export async function migrate(connection: ClientConfig, migrationsFolder: string): Promise<void> {
  const client = await connectClient(connection, 'zimmer migrate')
  try {
    await refuseUnusableDatabase(client)
    // Waiting for another process's migrations may take as long as they do.
    await client.query("set lock_timeout = '5min'")
    await client.query('select pg_advisory_lock($1)', [lockKeys.migrations])
    await refuseNewerSchema(client, migrationsFolder)
    // Waiting for a table would hold up all who come after us.
    await client.query("set lock_timeout = '2s'")
    await runMigrations(drizzle(client), { migrationsFolder })
  } finally {
    await client.end()
  }
}

async function refuseNewerSchema(client: Client, migrationsFolder: string) {
  const table = 'drizzle.__drizzle_migrations'
  const found = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    table,
  ])
  if (!found.rows[0]?.exists) return
  const applied = await client.query<{ made: string }>(`select created_at::text as made from ${table}`)
  const known = new Set(
    readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => String(folderMillis)),
  )
  const unknown = applied.rows.filter(({ made }) => !known.has(made))
  if (unknown.length === 0) return
  throw new SchemaIsNewer(
    `The database has ${unknown.length} migration(s) that this version does not know: start the newer version, or restore a backup made by this one.`,
  )
}
