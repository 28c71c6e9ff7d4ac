import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../testing/test-app.ts'

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
