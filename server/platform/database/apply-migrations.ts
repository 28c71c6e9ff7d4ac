import { setTimeout as delay } from 'node:timers/promises'
import type { MigrationMeta } from 'drizzle-orm/migrator'
import { type Client, DatabaseError } from 'pg'

/** The table in which `drizzle-kit` expects the applied migrations. */
export const migrationsTable = 'drizzle.__drizzle_migrations'

/**
 * Applies the migrations that the database does not have yet, each in its own transaction, or all in one when the database
 * is empty. Processes of the previous version may serve meanwhile. Indexes of existing tables are built before the
 * transaction, while people write. A transaction that waits for a table longer than 500 ms is rolled back and tried again;
 * it then locks that table first.
 */
export async function applyMigrations(client: Client, migrations: MigrationMeta[]): Promise<void> {
  await client.query('create schema if not exists drizzle')
  await client.query(
    `create table if not exists ${migrationsTable} (id serial primary key, hash text not null, created_at bigint)`,
  )
  const { rows } = await client.query<{ last: string | null }>(
    `select max(created_at)::text as last from ${migrationsTable}`,
  )
  const { last = null } = rows[0] ?? {}
  // Nobody uses an empty database, so all migrations fit in one transaction.
  if (last === null) return apply(client, migrations, [])
  for (const migration of migrations.filter(({ folderMillis }) => folderMillis > Number(last))) {
    try {
      await addExtensions(client, migration)
      const built = await buildIndexes(client, migration)
      await retryWhileLocked((lockFirst) => apply(client, [migration], built, lockFirst))
    } catch (error) {
      await dropIndexes(client, migration)
      throw error
    }
  }
}

/**
 * Runs migrations in one transaction. `built` has the final names of indexes that exist under a temporary name; they are
 * renamed. The locks `lockFirst` are taken in this order before the first statement. Throws `LocksMissed`.
 */
async function apply(
  client: Client,
  migrations: MigrationMeta[],
  built: string[],
  lockFirst: TableLock[] = [],
): Promise<void> {
  const run = async (statement: string, locks = locksOf(statement)) => {
    try {
      await client.query(statement)
    } catch (error) {
      throw isLockError(error) ? new LocksMissed(locks, error) : error
    }
  }
  await client.query('begin')
  try {
    // Give up a lock after 500 ms. While the migration waits for a table, all later statements on it wait too. In a
    // deadlock with a serving process the migration gives up first: Postgres ends the other statement only after
    // `deadlock_timeout` (1 s).
    await client.query("set local lock_timeout = '500ms'")
    for (const lock of await onExistingTables(client, lockFirst))
      await run(`lock table "${lock.table}" in ${lock.mode} mode`, [lock])
    for (const { sql, hash, folderMillis } of migrations) {
      for (const statement of sql) {
        const name = newIndexOf(statement)?.name
        const isBuilt = name !== undefined && built.includes(name)
        await run(isBuilt ? `alter index "${temporaryName(name)}" rename to "${name}"` : statement)
      }
      await client.query(`insert into ${migrationsTable} (hash, created_at) values ($1, $2)`, [
        hash,
        folderMillis,
      ])
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

interface TableLock {
  table: string
  mode: 'access exclusive' | 'share row exclusive'
}

/** A statement did not get a lock in time. `locks` has all locks that the statement may need. */
class LocksMissed extends Error {
  readonly locks: TableLock[]

  constructor(locks: TableLock[], cause: DatabaseError) {
    super(cause.message, { cause })
    this.locks = locks
  }
}

/**
 * The locks that a statement of a migration may need. People can still read a table in the weaker mode, which is enough for a
 * foreign key to the table, a trigger and a change of rows.
 */
const locksOf = (statement: string): TableLock[] =>
  [...statement.matchAll(/\b(table|references|on|update|into|from) (?:"public"\.)?"?(\w+)/gi)].map(
    ([, word = '', table = '']) => ({
      table,
      mode: word.toLowerCase() === 'table' ? 'access exclusive' : 'share row exclusive',
    }),
  )

/** Leaves out the tables that the migration itself adds, and matches that are no tables, as in `on delete`. */
async function onExistingTables(client: Client, locks: TableLock[]): Promise<TableLock[]> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename = any($1::text[])`,
    [locks.map(({ table }) => table)],
  )
  const names = new Set(rows.map(({ name }) => name))
  return locks.filter(({ table }) => names.has(table))
}

const newIndex = /^CREATE (UNIQUE )?INDEX "(\w+)" ON "(\w+)"/m

function newIndexOf(statement: string) {
  const [, unique = '', name, table] = newIndex.exec(statement) ?? []
  return name === undefined ? undefined : { unique, name, table }
}

/** The name of an index while it is built: an index of the old schema may have the final name. */
const temporaryName = (name: string) => `${name}_next`

/** Adds extensions before the indexes are built, since an index may need the operator classes of one. */
async function addExtensions(client: Client, { sql }: MigrationMeta): Promise<void> {
  for (const statement of sql) if (newExtension.test(statement)) await client.query(statement)
}

const newExtension = /^CREATE EXTENSION IF NOT EXISTS /m

/** Builds the new indexes of existing tables while people write. Returns their final names. */
async function buildIndexes(client: Client, { sql }: MigrationMeta): Promise<string[]> {
  const built: string[] = []
  for (const statement of sql) {
    const index = newIndexOf(statement)
    if (index === undefined) continue
    const next = temporaryName(index.name)
    // A process that was killed while it built the index may have left it.
    await client.query(`drop index concurrently if exists "${next}"`)
    try {
      const start = `create ${index.unique}index concurrently "${next}" on "${index.table}"`
      await client.query(statement.replace(newIndex, start))
      built.push(index.name)
    } catch (error) {
      // The transaction itself adds the table, which is then empty. An index of a new column of a filled table belongs in a
      // migration of its own, or else the transaction would build it while nobody can use the table.
      if (!(error instanceof DatabaseError) || !undefinedObject.has(error.code ?? '')) throw error
    }
  }
  return built
}

/** Drops the indexes that a failed migration has built or begun to build. They would slow down every write. */
async function dropIndexes(client: Client, { sql }: MigrationMeta): Promise<void> {
  for (const statement of sql) {
    const index = newIndexOf(statement)
    if (index !== undefined)
      await client.query(`drop index concurrently if exists "${temporaryName(index.name)}"`)
  }
}

/** The SQL states for an undefined table, column and function. */
const undefinedObject = new Set(['42P01', '42703', '42883'])

/**
 * The tries, of 500 ms each, and the pauses last together longer than the statement timeout of a server (5 s). Statements
 * that wait run in the pauses.
 */
const tries = 8
const pauseMs = 250

/**
 * Runs the migration until it gets its locks. A serving process may hold one table and wait for another that the migration has
 * locked, while the migration waits for the first: neither can go on. So each try begins with the locks for which the earlier
 * tries waited, those of the latest try first.
 */
async function retryWhileLocked(run: (lockFirst: TableLock[]) => Promise<void>) {
  let lockFirst: TableLock[] = []
  for (let left = tries - 1; ; left--) {
    try {
      return await run(lockFirst)
    } catch (error) {
      if (!(error instanceof LocksMissed)) throw error
      if (left === 0) throw error.cause
      const missed = new Set(error.locks.map(({ table }) => table))
      lockFirst = [...error.locks, ...lockFirst.filter(({ table }) => !missed.has(table))]
      await delay(pauseMs)
    }
  }
}

const isLockError = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && lockErrors.has(error.code ?? '')

/** The SQL states for a lock that was not available, and for a deadlock. */
const lockErrors = new Set(['55P03', '40P01'])
