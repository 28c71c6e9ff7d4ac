import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type Client, escapeIdentifier, type ClientConfig } from 'pg'
import { connectClient } from '../database/connection.ts'
import { BackupRefused, type Member, unfinished, writeArchive } from './archive.ts'
import { copyOut } from './copy.ts'

/** The first member of a backup: what is in it. */
export interface Contents {
  format: 1
  madeAt: string
  /** The newest migration of the database, by the name it has there. */
  level: number
  tables: Record<string, string[]>
}

export const contentsName = 'backup.json'
export const tablesFolder = 'tables'
export const uploadsFolder = 'uploads'

export const uploadsOf = (dataDir: string) => join(dataDir, uploadsFolder)

interface Source {
  connection: ClientConfig
  uploads: string
  now: Date
}

/** What must not come back: a session that was ended since (S23), and the answer to a change that was undone. */
const leftOut = ['sessions', 'idempotency_keys']

/**
 * Writes the database, as it is at one moment, and the uploads into one file, while people go on writing. Given up
 * when the signal says so.
 */
export async function makeBackup(
  { connection, uploads, now }: Source,
  file: string,
  signal?: AbortSignal,
): Promise<void> {
  const client = await connectClient(connection, 'zimmer backup')
  // A statement that waits would hold up the end.
  signal?.addEventListener('abort', () => void client.end())
  try {
    await client.query('begin transaction isolation level repeatable read read only')
    const contents = await contentsOf(client, now)
    await writeArchive(file, members(client, contents, uploads), signal)
  } finally {
    await client.end()
  }
}

async function* members(client: Client, contents: Contents, uploads: string): AsyncGenerator<Member> {
  yield { name: contentsName, content: Buffer.from(`${JSON.stringify(contents, null, 2)}\n`) }
  // First, while every file that the database knows is still there.
  yield* uploaded(uploads)
  for (const [table, columns] of Object.entries(contents.tables)) {
    let part = 0
    for await (const content of inParts(copyOut(client, `copy ${target(table, columns)} to stdout`))) {
      yield { name: `${tablesFolder}/${table}/${String(++part).padStart(6, '0')}.copy`, content }
    }
  }
}

/** The table and its columns, for COPY. */
export const target = (table: string, columns: string[]) =>
  `public.${escapeIdentifier(table)} (${columns.map(escapeIdentifier).join(', ')})`

async function contentsOf(client: Client, now: Date): Promise<Contents> {
  // Also fixes the moment: all later statements of the transaction see what this one sees.
  const { rows: known } = await client.query<{ is: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as is",
  )
  if (!known[0]!.is) throw new BackupRefused('There is nothing to back up: the database is empty.')
  const { rows: migrations } = await client.query<{ level: string }>(
    'select max(created_at)::text as level from drizzle.__drizzle_migrations',
  )
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and c.relname <> all($1)
      group by c.relname order by c.relname`,
    [leftOut],
  )
  return {
    format: 1,
    madeAt: now.toISOString(),
    level: Number(migrations[0]!.level),
    tables: Object.fromEntries(tables.map(({ name, columns }) => [name, columns])),
  }
}

async function* uploaded(folder: string): AsyncGenerator<Member> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(noneIfMissing)
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.endsWith(unfinished)) continue
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).replaceAll(sep, '/')
    yield { name: `${uploadsFolder}/${name}`, content: await readFile(path) }
  }
}

function noneIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}

const partSize = 4 * 1024 * 1024

/** Whole rows, some megabytes at a time. */
async function* inParts(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const row of rows) {
    held.push(row)
    size += row.length
    if (size < partSize) continue
    yield Buffer.concat(held)
    held = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(held)
}
