import { type Client, escapeIdentifier, type ClientConfig } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import * as z from 'zod/mini'
import { connectClient } from '../database/connection.ts'
import type { UploadStore } from '../uploads/upload-store.ts'
import { BackupRefused, type Member, writeArchive } from './archive.ts'
import { uploadsFolder } from './upload-names.ts'

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

/** The files of one kind: `<kind>/<id><extension>` among the uploads. Each row of the table names one by its id. */
export interface FileKind {
  kind: string
  extension: string
  table: string
}

interface Source {
  connection: ClientConfig
  uploads: UploadStore
  /** All files that rows name. */
  kinds: readonly FileKind[]
  now: Date
}

/** The files that a backup does not contain, each with the reason. Their names begin after `uploads/`. */
export interface BackupGaps {
  /** Files that rows of the backup name. */
  missing: ReadonlyMap<string, string>
  /** What else is among the uploads. */
  excluded: ReadonlyMap<string, string>
}

/** These tables must not be restored: a session may have ended since (S23), an attempt to sign in is over, a delivery may have been made, and a stored answer may belong to a change that the restore undoes. */
const excludedTables = [
  'sessions',
  'api_tokens',
  'openid_attempts',
  // Of sessions.
  'push_devices',
  'pushes',
  'webhook_deliveries',
  'webhook_attempts',
  'idempotency_keys',
  // The server makes them again, from the posts.
  'post_trigrams',
]

/**
 * Writes the database, as it is at one moment, and the uploads into one file, while people go on writing. The signal
 * cancels the backup. A file that cannot be read does not prevent the backup of all others: the caller has to name it.
 */
export async function makeBackup(
  { connection, uploads, kinds, now }: Source,
  file: string,
  signal?: AbortSignal,
): Promise<BackupGaps> {
  const client = await connectClient(connection, 'zimmer backup')
  // A waiting statement would delay the cancellation.
  signal?.addEventListener('abort', () => void client.end())
  try {
    await client.query('begin transaction isolation level repeatable read read only')
    const contents = await contentsOf(client, now)
    const named = await filesOfRows(client, contents, kinds)
    const excluded = new Map<string, string>()
    const taken = new Set<string>()
    async function* members() {
      yield { name: contentsName, content: Buffer.from(`${JSON.stringify(contents, null, 2)}\n`) }
      // Uploads come before the tables, while every file that the tables name still exists.
      for await (const member of uploads.members(excluded)) {
        taken.add(member.name)
        yield member
      }
      yield* rowsOf(client, contents)
    }
    await writeArchive(file, members(), signal)
    const missing = new Map<string, string>()
    for (const name of named) {
      if (taken.has(`${uploadsFolder}/${name}`)) continue
      missing.set(name, excluded.get(name) ?? 'not found')
      excluded.delete(name)
    }
    return { missing, excluded }
  } finally {
    await client.end()
  }
}

async function* rowsOf(client: Client, { tables }: Contents): AsyncGenerator<Member> {
  for (const [table, columns] of Object.entries(tables)) {
    let part = 0
    const rows = client.query(copyTo(`copy ${copyTargetOf(table, columns)} to stdout`))
    for await (const content of inParts(rows)) {
      yield { name: `${tablesFolder}/${table}/${String(++part).padStart(6, '0')}.copy`, content }
    }
  }
}

/** Lists the files that the rows of the snapshot name. A database of an older version may lack a table. */
async function filesOfRows(client: Client, { tables }: Contents, kinds: readonly FileKind[]) {
  const names: string[] = []
  for (const { kind, extension, table } of kinds.filter((each) => Object.hasOwn(tables, each.table))) {
    const { rows } = await client.query<{ id: string }>(`select id from public.${escapeIdentifier(table)}`)
    names.push(...rows.map(({ id }) => `${kind}/${id}${extension}`))
  }
  return names
}

const listedFiles = 20

/** Names files with their reasons. A list of any length stays short. */
export function listFiles(files: ReadonlyMap<string, string>): string {
  // A name may contain control characters.
  const listed = [...files].slice(0, listedFiles).map(([name, why]) => `${JSON.stringify(name)} (${why})`)
  const others = files.size - listed.length
  return `${listed.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
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
  const tables = (await tablesOf(client)).filter(({ name }) => !excludedTables.includes(name))
  return {
    format: 1,
    madeAt: now.toISOString(),
    level: Number(migrations[0]!.level),
    tables: Object.fromEntries(tables.map(({ name, columns }) => [name, columns])),
  }
}

/** SQL: the table `c` of `pg_class` is not part of an extension, which makes and fills its tables itself. */
export const isNoExtensionTable = `not exists (
  select 1 from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')`

/** All tables with those of their columns that can be written. */
export async function tablesOf(client: Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and ${isNoExtensionTable} and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      group by c.relname order by c.relname`,
  )
  return rows
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
