import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type Client, escapeIdentifier, type ClientConfig } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import * as z from 'zod/mini'
import { connectClient } from '../database/connection.ts'
import { BackupRefused, type Member, unfinished, writeArchive } from './archive.ts'

/** The first member of a backup describes the others. */
export const Contents = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  /** The newest migration of the database, by the name it has there. */
  level: z.number(),
  /** The columns of each table. */
  tables: z.record(z.string(), z.array(z.string())),
})
export type Contents = z.infer<typeof Contents>

export const contentsName = 'backup.json'
export const tablesFolder = 'tables'
export const uploadsFolder = 'uploads'

export const uploadsOf = (dataDir: string) => join(dataDir, uploadsFolder)

/**
 * The folder of files that are not complete. It is on the disk where the files stay, so that a rename can move them there. What
 * a killed process left in it is deleted (`purgeArriving`).
 */
export const arrivingOf = (dataDir: string) => join(uploadsOf(dataDir), 'arriving')

interface Source {
  connection: ClientConfig
  uploads: string
  now: Date
}

/** These tables must not be restored: a session may have ended since (S23), and a stored answer may belong to a change that the restore undoes. */
const leftOut = ['sessions', 'idempotency_keys']

/**
 * Writes the database, as it is at one moment, and the uploads into one file, while people go on writing. The signal
 * cancels the backup.
 */
export async function makeBackup(
  { connection, uploads, now }: Source,
  file: string,
  signal?: AbortSignal,
): Promise<void> {
  const client = await connectClient(connection, 'zimmer backup')
  // A waiting statement would delay the cancellation.
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
  // Uploads come before the tables, while every file that the tables name still exists.
  yield* uploaded(uploads)
  for (const [table, columns] of Object.entries(contents.tables)) {
    let part = 0
    const rows = client.query(copyTo(`copy ${copyTargetOf(table, columns)} to stdout`))
    for await (const content of inParts(rows)) {
      yield { name: `${tablesFolder}/${table}/${String(++part).padStart(6, '0')}.copy`, content }
    }
  }
}

/** The table and its columns as COPY takes them. */
export const copyTargetOf = (table: string, columns: string[]) =>
  `public.${escapeIdentifier(table)} (${columns.map(escapeIdentifier).join(', ')})`

async function contentsOf(client: Client, now: Date): Promise<Contents> {
  // The first statement also takes the snapshot that all later statements of the transaction see.
  const { rows: known } = await client.query<{ is: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as is",
  )
  if (!known[0]!.is) throw new BackupRefused('There is nothing to back up: the database is empty.')
  const { rows: migrations } = await client.query<{ level: string }>(
    'select max(created_at)::text as level from drizzle.__drizzle_migrations',
  )
  const tables = (await tablesOf(client)).filter(({ name }) => !leftOut.includes(name))
  return {
    format: 1,
    madeAt: now.toISOString(),
    level: Number(migrations[0]!.level),
    tables: Object.fromEntries(tables.map(({ name, columns }) => [name, columns])),
  }
}

/** All tables with those of their columns that can be written. */
export async function tablesOf(client: Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      group by c.relname order by c.relname`,
  )
  return rows
}

/** The files of uploads. One that is deleted meanwhile is left out: no row of the snapshot names it. */
export async function* uploaded(folder: string): AsyncGenerator<Member> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(noneIfMissing)
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.endsWith(unfinished)) continue
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).replaceAll(sep, '/')
    const content = await readFile(path).catch(noneIfMissing)
    if (Buffer.isBuffer(content)) yield { name: `${uploadsFolder}/${name}`, content }
  }
}

function noneIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}

const partSize = 4 * 1024 * 1024

const newline = 10

/** Cuts what COPY sends into parts of whole rows. A newline ends a row: within a text COPY writes it as `\n`. */
async function* inParts(copied: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of copied) {
    const end = chunk.lastIndexOf(newline) + 1
    held.push(chunk)
    size += chunk.length
    if (size < partSize || end === 0) continue
    const rest = chunk.subarray(end)
    yield Buffer.concat(held).subarray(0, size - rest.length)
    held = [rest]
    size = rest.length
  }
  if (size > 0) yield Buffer.concat(held)
}
