import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { Query, type QueryConfig } from 'pg'
import { expect, test, vi } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { allowed, calls, requestOf } from '../testing/calls.ts'
import { startTestApp } from '../testing/test-app.ts'
import { startWorld } from '../testing/world.ts'

/** The rows of the table in the manual: a table of the schema, its column, and the obstacles. */
async function readRows() {
  const manual = await readFile(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
  const [, part = ''] = /^### A distributed Postgres$([^]*?)(?=^##|$(?![^]))/m.exec(manual) ?? []
  return [...part.matchAll(/^\| `(\w+)` +\| (\S.*?) +\| (.*?) +\| (.*?) +\|$/gm)].map(
    ([, table = '', how = '', unique = '', references = '']) => ({ table, how, unique, references }),
  )
}

const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!).toSorted()

test('the manual names for every table its column of distribution, each unique key without that column, and each table it references', async () => {
  const { db } = await startTestApp()
  const { rows: columns } = await db.execute<{ table: string; column: string }>(
    sql`select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'`,
  )
  const { rows: keys } = await db.execute<{ table: string; name: string; columns: string[] }>(
    sql`select t.relname as table, i.relname as name,
        array(select a.attname::text from unnest(x.indkey) k join pg_attribute a on a.attrelid = t.oid and a.attnum = k) as columns
      from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
      where x.indisunique and t.relnamespace = 'public'::regnamespace`,
  )
  const { rows: references } = await db.execute<{ table: string; target: string }>(
    sql`select distinct conrelid::regclass::text as table, confrelid::regclass::text as target
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  const rows = await readRows()
  const tables = [...new Set(columns.map(({ table }) => table))].toSorted()
  expect(rows.map(({ table }) => table).toSorted()).toEqual(tables)
  for (const { table, how, unique, references: named } of rows) {
    expect([
      'reference',
      'local',
      ...columns.flatMap((of) => (of.table === table ? [`\`${of.column}\``] : [])),
    ]).toContain(how)
    const column = /^`(\w+)`$/.exec(how)?.[1]
    const without = keys.filter(
      (key) => key.table === table && column !== undefined && !key.columns.includes(column),
    )
    expect(namesIn(unique), `${table}: unique keys without ${how}`).toEqual(
      without.map(({ name }) => name).toSorted(),
    )
    const targets = references.filter((each) => each.table === table).map(({ target }) => target)
    expect(namesIn(named), `${table}: references`).toEqual(targets.toSorted())
  }
})

test('no table uses a sequence, which would need a counter for the whole cluster', async () => {
  const { db } = await startTestApp()
  const { rows } = await db.execute(sql`select sequencename from pg_sequences where schemaname = 'public'`)
  expect(rows).toEqual([])
})

/** A column of a row plus or minus an interval. Of the clock or of a time in UTC such a sum is constant or immutable. */
const sumOfTimes = /(?<!at time zone 'utc') [+-] (interval|make_interval)/
const ofClock = /app_now\(\) [+-] (interval '[^']*'|make_interval\([^)]*\))/g

/** Says what Citus refuses in a statement. The columns are those of distribution, by table. */
function faultsOf(statement: string, columns: ReadonlyMap<string, string>): string[] {
  const text = statement.replaceAll(/\s+/g, ' ').replaceAll('"', '').toLowerCase()
  const faults: string[] = []
  if (/\bselect ((from|where|order|limit|for|union)\b|\))/.test(text)) faults.push('selects no column')
  for (const [, set = ''] of text.matchAll(/ do update set (.*?)(?= returning |$)/g))
    if (set.includes('app_now()') || sumOfTimes.test(set)) faults.push('has a conflict that is not immutable')
  for (const [, table = '', set = ''] of text.matchAll(
    /\bupdate (\w+)(?: as \w+)? set (.*?)(?= where | from | returning |$)/g,
  )) {
    if (sumOfTimes.test(set.replaceAll(ofClock, ''))) faults.push('computes a time from a column')
    const column = columns.get(table)
    if (column !== undefined && new RegExp(`(^|, )${column} =`).test(set)) faults.push(`changes ${column}`)
  }
  for (const [, list = ''] of text.matchAll(
    /insert into \w+(?: as \w+)? \([^)]*\) select (.*?)(?= from | where )/g,
  ))
    if (/(^|, )\$\d+(,|$)/.test(list)) faults.push('inserts a parameter without a type')
  return faults
}

test.each([
  ['select from users', 'selects no column'],
  ['select 1 where exists (select where true)', 'selects no column'],
  [
    'insert into inboxes (user_id) values ($1) on conflict (user_id) do update set seen_at = app_now()',
    'has a conflict that is not immutable',
  ],
  [
    "insert into inboxes (user_id) values ($1) on conflict (user_id) do update set n = 1 where inboxes.at + interval '1 day' > excluded.at",
    'has a conflict that is not immutable',
  ],
  [
    "update drafts set at = greatest(app_now(), drafts.at + interval '1 ms')",
    'computes a time from a column',
  ],
  [
    'update pushes set at = moment.at + make_interval(secs => $1) from moment',
    'computes a time from a column',
  ],
  ['update "sessions" set "token_hash" = $1 where "token_hash" = $2', 'changes token_hash'],
  ['insert into drafts (user_id, id) select $1, $2::uuid where true', 'inserts a parameter without a type'],
])('the test of all calls notices a statement that Citus refuses: %s', (statement, fault) => {
  expect(faultsOf(statement, new Map([['sessions', 'token_hash']]))).toEqual([fault])
})

test('no call sends a statement of a form that Citus refuses: without a column, with a conflict that is not immutable, with a new key of distribution', async () => {
  const columns = new Map(
    (await readRows()).flatMap(({ table, how }) =>
      how === 'reference' ? [] : [[table, how.replaceAll('`', '')]],
    ),
  )
  const sent = new Set<string>()
  // Also on connections that were opened for an earlier test.
  const { submit } = Query.prototype
  const spy = vi.spyOn(Query.prototype, 'submit').mockImplementation(function (
    this: Query,
    ...args: Parameters<Query['submit']>
  ) {
    sent.add((this as unknown as QueryConfig).text)
    return submit.apply(this, args)
  })
  try {
    const world = await startWorld()
    // The deletion of an account ends its other calls.
    for (const row of calls.toSorted(
      (one, other) => Number(one.endpoint === deleteAccount) - Number(other.endpoint === deleteAccount),
    ))
      await allowed(world, row).request(requestOf(row, row.make(world)))
  } finally {
    spy.mockRestore()
  }
  const changes = [...sent].filter((statement) => /\b(insert|update)\b/i.test(statement))
  expect(changes.length).toBeGreaterThan(60)
  expect(
    [...sent].flatMap((statement) => faultsOf(statement, columns).map((fault) => [fault, statement])),
  ).toEqual([])
}, 120_000)
