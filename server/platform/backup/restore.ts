import { cp, mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type Client, escapeIdentifier, type ClientConfig } from 'pg'
import { connectClient } from '../database/connection.ts'
import { migrate } from '../database/migrate.ts'
import { BackupRefused, readArchive } from './archive.ts'
import { type Contents, contentsName, tablesFolder, target, uploadsFolder } from './backup.ts'
import { copyIn } from './copy.ts'
import { dailyBackupFact } from './daily.ts'

/** Reads the whole file and compares its checksums; writes nothing. */
export async function checkBackup(file: string, migrations: string): Promise<Contents> {
  let described = '{}'
  let hasOddName = false
  for await (const { name, content } of readArchive(file)) {
    hasOddName ||= !isPlain(name)
    if (name === contentsName) described = content.toString()
  }
  if (hasOddName) throw new BackupRefused(`${basename(file)} holds a file with an odd name.`)
  const contents = JSON.parse(described) as Contents
  if (contents.format !== 1)
    throw new BackupRefused(`${basename(file)} is no backup that this version can read.`)
  const { level } = contents
  if (!(await journalOf(migrations)).entries.some(({ when }) => when === level))
    throw new BackupRefused('The backup was made by a newer version: restore it with that one.')
  return contents
}

/** A name that leads into the folder it stands in, and nowhere else. */
const isPlain = (name: string) =>
  !/[\\\0]/.test(name) && name.split('/').every((part) => !['', '.', '..'].includes(part))

interface Destination {
  connection: ClientConfig
  uploads: string
  migrations: string
}

/** Fills an empty place from a backup that was checked. What fails leaves it empty. */
export async function restoreBackup(
  file: string,
  contents: Contents,
  destination: Destination,
): Promise<void> {
  const { connection, uploads, migrations } = destination
  const client = await connectClient(connection, 'zimmer restore')
  try {
    await refuseUsedPlace(client, contents, uploads)
    await migrateTo(contents.level, connection, migrations)
    await client.query('begin')
    // Nobody may begin to use the place meanwhile.
    for (const table of Object.keys(contents.tables))
      await client.query(`lock table public.${escapeIdentifier(table)} in access exclusive mode`)
    await refuseUsedPlace(client, contents, uploads)
    const constraints = await foreignKeys(client)
    for (const { table, name } of constraints)
      await client.query(`alter table ${table} drop constraint ${name}`)
    try {
      await fill(client, file, contents, uploads)
      for (const { table, name, rule } of constraints)
        await client.query(`alter table ${table} add constraint ${name} ${rule}`)
      // Nothing is in the folder of daily backups of the new place.
      await client.query('delete from instance_facts where name = $1', [dailyBackupFact])
      await client.query('commit')
    } catch (error) {
      await rm(uploads, { recursive: true, force: true })
      throw error
    }
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

async function refuseUsedPlace(client: Client, { level }: Contents, uploads: string) {
  const files = await readdir(uploads).catch(() => [])
  if (files.length > 0)
    throw new BackupRefused(
      `The folder ${uploads} holds files: a backup is restored into an empty place only.`,
    )
  const { rows: tables } = await client.query<{ schema: string; name: string }>(
    `select nspname as schema, relname as name from pg_class c join pg_namespace n on n.oid = relnamespace
      where relkind in ('r', 'p') and nspname !~ '^(pg_|information_schema$)'`,
  )
  for (const { schema, name } of tables) {
    const table = `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`
    const isOurs = schema === 'drizzle'
    // Of our own tables all may be there, as long as they are empty: a restore that was interrupted leaves them so.
    const { rowCount } = await client.query(
      isOurs
        ? { text: `select from ${table} where created_at > $1 limit 1`, values: [level] }
        : `select from ${table} limit 1`,
    )
    if (rowCount !== 0)
      throw new BackupRefused('The database holds data: a backup is restored into an empty place only.')
  }
}

/** The tables as they were when the backup was made; the next start brings them to the version of the code. */
async function migrateTo(level: number, connection: ClientConfig, migrations: string) {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-migrations-'))
  try {
    await cp(migrations, folder, { recursive: true })
    const journal = await journalOf(migrations)
    const entries = journal.entries.filter(({ when }) => when <= level)
    await writeFile(join(folder, journalName), JSON.stringify({ ...journal, entries }))
    await migrate(connection, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const journalName = 'meta/_journal.json'

const journalOf = async (migrations: string) =>
  JSON.parse(await readFile(join(migrations, journalName), 'utf8')) as { entries: { when: number }[] }

/** Taken away while the tables are filled, one after the other, and checked when they are put back. */
async function foreignKeys(client: Client) {
  const { rows } = await client.query<{ table: string; name: string; rule: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as rule
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  return rows
}

async function fill(client: Client, file: string, { tables }: Contents, uploads: string) {
  for await (const { name, content } of readArchive(file)) {
    const [folder, table = ''] = name.split('/')
    if (folder === tablesFolder)
      await copyIn(client, `copy ${target(table, tables[table] ?? [])} from stdin`, content)
    if (folder === uploadsFolder) await putFile(join(uploads, name.slice(uploadsFolder.length)), content)
  }
}

async function putFile(path: string, content: Buffer) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}
