import type { TestClock } from '#server/platform/clock.ts'
import { type Database, openDatabase } from '#server/platform/database/pool.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** A machine that runs many tests may be slow to open a connection. The defaults would then answer 503. */
export const patient = { statementTimeoutMs: 30_000, connectionTimeoutMs: 30_000 }

/**
 * An empty database with the pool of an app. After a test the next one of this worker takes both. The first statements of a
 * new connection cost more than most tests, because Postgres reads its catalogs for them.
 */
interface WarmDatabase {
  place: TestDatabase
  db: Database
  /** The clock of the test that has the database. */
  clock: { current: TestClock }
  /** Schema and methods as they were when the database was new. */
  schema: string
  methods: unknown[]
  tables: string[]
}

const free: WarmDatabase[] = []

/** A database with more rows is slow to empty, and its statistics are no longer those of an empty one. */
const maxRows = 2000

/** Takes an empty database. `release` empties it for the next test, or drops it when the test left more than rows. */
export async function takeWarmDatabase(clock: TestClock) {
  const warm = free.pop() ?? (await make(clock))
  warm.clock.current = clock
  const { place, db } = warm
  const release = async () => {
    // A test may have broken the database on purpose.
    if (await empty(warm).catch(() => false)) return void free.push(warm)
    if (!db.pool.ending) await db.close()
    await place.drop()
  }
  return { place, db, release }
}

async function make(first: TestClock): Promise<WarmDatabase> {
  const place = await createTestDatabase()
  const clock = { current: first }
  const db = openDatabase({
    connection: place.connection,
    clock: {
      now: () => clock.current.now(),
      monotonicMs: () => clock.current.monotonicMs(),
      get offsetMs() {
        return clock.current.offsetMs
      },
    },
    max: 10,
    ...patient,
  })
  const tables = await db.pool.query<{ name: string }>(
    "select format('%I', tablename) as name from pg_tables where schemaname = 'public'",
  )
  return {
    place,
    db,
    clock,
    schema: (await stateOf(db)).schema,
    tables: tables.rows.map(({ name }) => name),
    methods: methodsOf(db),
  }
}

/** Deletes all rows. Returns false when the test left something else: open work, a changed schema or setting, many rows, a spy. */
async function empty({ db, schema, tables, methods }: WarmDatabase): Promise<boolean> {
  const { pool } = db
  const isAtRest = !pool.ending && pool.idleCount === pool.totalCount && pool.waitingCount === 0
  if (!isAtRest || methodsOf(db).some((method, at) => method !== methods[at])) return false
  const state = await stateOf(db)
  if (state.schema !== schema || state.connections !== pool.totalCount || state.locks > 0) return false
  const filled = await pool.query<[boolean]>({
    text: `select ${tables.map((table) => `exists (select 1 from ${table})`).join(', ')}`,
    rowMode: 'array',
  })
  const deletions = tables.filter((_, at) => filled.rows[0]![at]).map((table) => `delete from ${table}`)
  const answers = await pool.query(
    ['begin', 'set local session_replication_role = replica', ...deletions, 'commit'].join('; '),
  )
  const deleted = (answers as unknown as { rowCount: number | null }[]).map(({ rowCount }) => rowCount ?? 0)
  return deleted.reduce((sum, count) => sum + count, 0) <= maxRows
}

/**
 * A value that changes with the schema, made of the ids of the transactions that wrote it, and the numbers of open connections
 * and of session locks. `int8in(xidout(…))` makes a number of an id. A cast by way of text takes three times as long.
 */
async function stateOf({ pool }: Database) {
  const catalogs = ['pg_class', 'pg_attribute', 'pg_proc', 'pg_trigger', 'pg_constraint', 'pg_index']
  const { rows } = await pool.query<{ schema: string; connections: number; locks: number }>(`select
    concat_ws(' ', ${catalogs.map((name) => `(select concat(count(*), '/', sum(int8in(xidout(xmin)))) from ${name})`).join(', ')},
      (select count(*) from pg_db_role_setting, pg_database where setdatabase = pg_database.oid and datname = current_database())
    ) as schema,
    (select count(*)::int from pg_stat_activity where datname = current_database() and backend_type = 'client backend') as connections,
    (select count(*)::int from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())) as locks`)
  return rows[0]!
}

/** The methods that a test may have replaced, and the numbers of listeners. A spy is a property that is not enumerable. */
const methodsOf = (db: Database): unknown[] => [
  ...[db, db.pool].flatMap((each) =>
    Object.values(Object.getOwnPropertyDescriptors(each))
      .map(({ value }): unknown => value)
      .filter((value) => typeof value === 'function'),
  ),
  ...db.pool.eventNames().map((name) => db.pool.listenerCount(name)),
]
