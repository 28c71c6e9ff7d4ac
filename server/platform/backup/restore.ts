import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Client, escapeIdentifier, type ClientConfig } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { connectClient } from '../database/connection.ts'
import { migrate } from '../database/migrate.ts'
import type { UploadStore } from '../uploads/upload-store.ts'
import { BackupRefused, readArchive } from './archive.ts'
import { Contents, contentsName, isNoExtensionTable, tablesFolder, tablesOf, copyTargetOf } from './backup.ts'
import { dailyBackupFacts } from './daily.ts'
import { isPlain, nameFaultOf, uploadsFolder } from './upload-names.ts'

/** `backup.json` has some KB. */
const maxContentsBytes = 1024 * 1024

/** Reads the whole file and compares its checksums. Writes nothing. */
export async function checkBackup(file: string, migrations: string): Promise<Contents> {
  const names: string[] = []
  let described = ''
  for await (const { name, content } of readArchive(file)) {
    names.push(name)
    if (name === contentsName) described = await startOf(content, maxContentsBytes)
  }
  const contents = parseContents(described)
  if (contents === undefined)
    throw new BackupRefused(`${basename(file)} is no backup that this version can read.`)
  const fault = faultOf(names, contents)
  if (fault !== undefined) throw new BackupRefused(`${basename(file)} holds ${fault}.`)
  const { level } = contents
  if (!(await journalOf(migrations)).entries.some(({ when }) => when === level))
    throw new BackupRefused('The backup was made by a newer version: restore it with that one.')
  return contents
}

async function startOf(content: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes <= maxBytes) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parseContents(text: string): Contents | undefined {
  try {
    return Contents.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Says what is wrong with the names of the members. */
function faultOf(names: string[], { tables }: Contents): string | undefined {
  const known = new Set(names)
  if (known.size < names.length) return 'two files with one name'
  for (const name of names) {
    const parts = name.split('/')
    const [folder, inFolder = ''] = parts
    const isAccepted =
      folder === uploadsFolder
        ? nameFaultOf(name) === undefined
        : folder === tablesFolder && Object.hasOwn(tables, inFolder) && isPlain(name)
    if (name !== contentsName && !(isAccepted && parts.length > 1)) return 'a file with an odd name'
    if (parts.some((_, end) => end > 0 && known.has(parts.slice(0, end).join('/'))))
      return 'a file and a folder with one name'
  }
  return undefined
}

/** The fact that a restore commits with its rows. It is deleted when the uploads are in their place. */
const restoringFact = 'restoring'

/**
 * Fills an empty place from a backup that `checkBackup` has checked. After a failure the place is empty again. After a kill
 * the restore can be repeated, or `finishRestore` ends it.
 */
export async function restoreBackup(
  file: string,
  contents: Contents,
  destination: { connection: ClientConfig; uploads: UploadStore; migrations: string },
): Promise<void> {
  const { connection, uploads, migrations } = destination
  const client = await connectClient(connection, 'zimmer restore')
  try {
    await refuseUsedPlace(client, contents, uploads)
    await migrateTo(contents.level, connection, migrations)
    await refuseUnknownTables(client, file, contents)
    await client.query('begin')
    // A server that starts meanwhile must not write here.
    for (const table of Object.keys(contents.tables))
      await client.query(`lock table public.${escapeIdentifier(table)} in access exclusive mode`)
    await refuseUsedPlace(client, contents, uploads)
    const constraints = await foreignKeys(client)
    for (const { table, name } of constraints)
      await client.query(`alter table ${table} drop constraint ${name}`)
    try {
      await uploads.beginRestore()
      await fill(client, file, contents, uploads)
      for (const { table, name, rule } of constraints)
        await client.query(`alter table ${table} add constraint ${name} ${rule}`)
      // Mails that waited at the time of the backup may have been sent since. They wait for an admin.
      if (Object.hasOwn(contents.tables, 'mails')) await client.query(holdMails)
      // What people were to be told of may have been told since. The bell and the conversations still show it.
      if (contents.tables['inbox_events']?.includes('notice_at'))
        await client.query('update inbox_events set notice_at = null where notice_at is not null')
      // What was published before may have been delivered. A webhook gets only what is published after its creation.
      if (Object.hasOwn(contents.tables, 'webhooks'))
        await client.query('update webhooks set created_at = now()')
      // The new place has no daily backup yet.
      await client.query('delete from instance_facts where name = any($1)', [
        [...dailyBackupFacts, restoringFact],
      ])
      await client.query("insert into instance_facts (name, value) values ($1, '')", [restoringFact])
    } catch (error) {
      // While the service is unavailable its files stay. A repetition of the restore overwrites them.
      await uploads.undoRestore().catch(() => {})
      throw error
    }
    // Whether a commit that fails has reached the database is unknown: keep the uploads.
    await client.query('commit')
    await placeUploads(client, uploads)
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

const holdMails = `update mails set failed_at = now(), failure = 'A backup was restored, and this mail may have been sent before.'
  where failed_at is null`

/** Ends a restore that was killed after its commit. One that was killed before it must be repeated first. */
export async function finishRestore(connection: ClientConfig, uploads: UploadStore): Promise<void> {
  if (!(await uploads.hasUnfinishedRestore())) return
  const client = await connectClient(connection, 'zimmer restore')
  try {
    const { rows } = await client.query<{ is: boolean }>(
      "select to_regclass('public.instance_facts') is not null as is",
    )
    const { rowCount } = rows[0]!.is
      ? await client.query('select 1 from instance_facts where name = $1', [restoringFact])
      : { rowCount: 0 }
    if (rowCount === 0)
      throw new BackupRefused(
        `A restore did not end: repeat it, or delete ${uploads.restoringPlace} to start without it.`,
      )
    await placeUploads(client, uploads)
  } finally {
    await client.end()
  }
}

/** Whether somebody has an account. The tables may be missing yet. */
export async function hasAccounts(connection: ClientConfig): Promise<boolean> {
  const client = await connectClient(connection, 'zimmer restore')
  try {
    const { rows } = await client.query<{ is: boolean }>(
      "select to_regclass('public.users') is not null as is",
    )
    return rows[0]!.is && (await client.query('select 1 from users limit 1')).rowCount !== 0
  } finally {
    await client.end()
  }
}

async function placeUploads(client: Client, uploads: UploadStore) {
  await uploads.finishRestore()
  await client.query('delete from instance_facts where name = $1', [restoringFact])
}

async function refuseUnknownTables(client: Client, file: string, { tables }: Contents) {
  const known = new Map((await tablesOf(client)).map(({ name, columns }) => [name, new Set(columns)]))
  for (const [table, columns] of Object.entries(tables))
    if (!new Set(columns).isSubsetOf(known.get(table) ?? new Set()))
      throw new BackupRefused(
        `${basename(file)} holds a table that its version does not have: nothing was restored.`,
      )
}

async function refuseUsedPlace(client: Client, { level }: Contents, uploads: UploadStore) {
  if (await uploads.holdsFiles())
    throw new BackupRefused(
      `The ${uploads.place} holds files: a backup is restored into an empty place only.`,
    )
  const { rows: tables } = await client.query<{ schema: string; name: string }>(
    `select nspname as schema, relname as name from pg_class c join pg_namespace n on n.oid = relnamespace
      where relkind in ('r', 'p') and nspname !~ '^(pg_|information_schema$)' and ${isNoExtensionTable}`,
  )
  for (const { schema, name } of tables) {
    const table = `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`
    const isOurs = schema === 'drizzle'
    // An interrupted restore leaves our tables behind, empty. Another restore may use them.
    const { rowCount } = await client.query(
      isOurs
        ? { text: `select 1 from ${table} where created_at > $1 limit 1`, values: [level] }
        : `select 1 from ${table} limit 1`,
    )
    if (rowCount !== 0)
      throw new BackupRefused('The database holds data: a backup is restored into an empty place only.')
  }
}

/** Makes the tables of the backup's version. The next start migrates them to the version of the code. */
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

/** They are dropped while the tables are filled one after the other, and checked when they are added again. */
async function foreignKeys(client: Client) {
  const { rows } = await client.query<{ table: string; name: string; rule: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(f.oid) as rule
       from pg_constraint f join pg_class c on c.oid = conrelid
      where contype = 'f' and connamespace = 'public'::regnamespace and ${isNoExtensionTable}`,
  )
  return rows
}

async function fill(client: Client, file: string, { tables }: Contents, uploads: UploadStore) {
  for await (const { name, content } of readArchive(file)) {
    const [folder, table = ''] = name.split('/')
    if (folder === tablesFolder)
      await pipeline(
        content,
        client.query(copyFrom(`copy ${copyTargetOf(table, tables[table]!)} from stdin`)),
      )
    if (folder === uploadsFolder) await uploads.putRestored(name.slice(uploadsFolder.length + 1), content)
  }
}
