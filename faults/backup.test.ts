import { copyFile, mkdir, open, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { getMe, login, register } from '#contract/account/endpoints.ts'
import { tablesOf } from '#server/platform/backup/backup.ts'
import { connectClient } from '#server/platform/database/connection.ts'
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { makeDataFolder, removeDataFolder, startServer } from '../scripts/testing/running-server.ts'
import { zimmer } from './command-line.ts'
import { connectToDatabase, rounds, startDatabase, startInstance, storedPosts } from './instance.ts'
import { findIncompleteChanges, findWrongFiles } from './mix/check.ts'
import { startMixedChanges } from './mix/mixed-changes.ts'
import { startWriters } from './writers.ts'

const anasKey = { email: 'ana@example.org', password: 'secret1' }

test('a backup of a running instance is restored into an empty one, which then serves everything but the sessions [R19 S23]', async () => {
  const instance = await startInstance()
  const ana = instance.client()
  await ana.does(register, { input: { ...anasKey, firstName: 'Ana' } })
  await mkdir(join(instance.dataDir, 'uploads'))
  await writeFile(join(instance.dataDir, 'uploads/magazine'), 'a whole magazine')
  const folder = await ownFolder()
  const file = join(folder, 'backup.tar.zst')

  const writers = await startWriters(instance.client)
  await writers.untilMore(40)
  const made = await zimmer(instance.dataDir, ['backup', file])
  expect(made).toEqual({ code: 0, said: `The backup is in ${file}.\n`, complaint: '' })
  await writers.untilMore(10)
  const acknowledged = new Map(await writers.finish())
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  const dataDir = join(folder, 'restored')
  onTestFinished(() => removeDataFolder(dataDir))
  expect(await zimmer(dataDir, ['restore', file])).toMatchObject({ code: 0, complaint: '' })
  const server = await startServer({ dataDir })
  onTestFinished(async () => void (await server.end('SIGKILL')))
  const there = () => server.url
  // People sign in again: the session of before is not restored.
  expect((await new HttpClient(there, ana).tries(getMe)).status).toBe(401)
  expect((await new HttpClient(there).tries(login, { input: anasKey })).status).toBe(200)
  const restored = await storedPosts(new HttpClient(there))
  expect(restored.length).toBeGreaterThanOrEqual(40)
  expect(restored.length).toBeLessThan(acknowledged.size)
  for (const [content, id] of restored) expect(acknowledged.get(content)).toBe(id)
  expect(await readdir(join(dataDir, 'uploads'))).toEqual(['magazine'])
})

test('a backup made while people write contains all tables at one moment: an instance restored from it has the checksums and the uploaded files of that moment [R19 S34]', async () => {
  const instance = await startInstance()
  const folder = await ownFolder()
  const file = join(folder, 'backup.tar.zst')
  const changes = await startMixedChanges({ client: instance.client, seed: rounds, hasUploads: true })
  const [db, holder] = [await connectToDatabase(instance.dataDir), await connectToDatabase(instance.dataDir)]
  await fillPosts(db, rounds * 5000)
  await changes.untilMore(50 * rounds)

  const goOn = await changes.pause()
  await untilStoriesAreSigned(db)
  const before = await checksumsOf(db)
  // The backup waits for this table after it has taken its snapshot.
  await holder.query('begin')
  await holder.query('lock table abuse_reports in access exclusive mode')
  const making = zimmer(instance.dataDir, ['backup', file])
  await expect
    .poll(() => isBackupWaiting(db), { timeout: 60_000, message: 'The backup does not wait for the lock.' })
    .toBe(true)
  goOn()
  await changes.untilMore(25 * rounds)
  await holder.query('commit')
  await changes.untilMore(5)
  expect(await making).toMatchObject({ code: 0, complaint: '' })
  await changes.finish()
  expect(await checksumsOf(db)).not.toEqual(before)
  await Promise.all([db.end(), holder.end()])

  const dataDir = join(folder, 'restored')
  onTestFinished(() => removeDataFolder(dataDir))
  expect(await zimmer(dataDir, ['restore', file])).toMatchObject({ code: 0, complaint: '' })
  const { connection, stop } = await startEmbeddedPostgres({ dataDir })
  const restored = await connectClient(connection, 'faults')
  expect(await findIncompleteChanges(restored)).toEqual([])
  expect(await findWrongFiles(restored, changes.journal, dataDir)).toEqual([])
  expect(await checksumsOf(restored)).toEqual(before)
  await restored.end()
  await stop()
})

test('a backup names what it leaves out, and fails without a magazine that the database names, whose rest is kept [R19 R29]', async () => {
  const instance = await startInstance()
  const folder = await ownFolder()
  const uploads = join(instance.dataDir, 'uploads')
  await mkdir(join(uploads, 'lost+found'), { recursive: true })
  await writeFile(join(uploads, 'one\\two'), '')
  const leftOut =
    '\nIt leaves out what is no upload: "lost+found" (not an upload), "one\\\\two" (odd name).\n'
  const whole = join(folder, 'whole.tar.zst')
  expect(await zimmer(instance.dataDir, ['backup', whole])).toEqual({
    code: 0,
    said: `The backup is in ${whole}.${leftOut}`,
    complaint: '',
  })

  const db = await connectToDatabase(instance.dataDir)
  const id = '11111111-1111-4111-8111-111111111111'
  await db.query('insert into magazine_issues (id, uploaded_at) values ($1, now())', [id])
  await db.end()
  const incomplete = join(folder, 'incomplete.tar.zst')
  const missing = `The database names files that could not be read: "magazine/${id}.pdf" (not found).`
  expect(await zimmer(instance.dataDir, ['backup', incomplete])).toEqual({
    code: 1,
    said: '',
    complaint: `The backup in ${incomplete} is incomplete. ${missing}${leftOut}`,
  })
  expect((await readdir(folder)).toSorted()).toEqual(['incomplete.tar.zst', 'whole.tar.zst'])
})

/**
 * The checksum of each table. Sessions and stored answers are not restored. The server stores the words and trigrams of
 * posts in the background, also while the changes are paused, so of `post_trigrams` only the posts are compared.
 */
async function checksumsOf(db: Client): Promise<Record<string, string>> {
  const checksums: Record<string, string> = {}
  for (const { name } of await tablesOf(db)) {
    if (['sessions', 'idempotency_keys', 'post_words'].includes(name)) continue
    const source = name === 'post_trigrams' ? '(select post_id from post_trigrams)' : name
    const { rows } = await db.query<{ checksum: string }>(
      `select count(*) || ' ' || md5(coalesce(string_agg(md5(line::text), '' order by line::text), '')) as checksum
       from ${source} line`,
    )
    checksums[name] = rows[0]!.checksum
  }
  return checksums
}

const fillPosts = (db: Client, count: number) =>
  db.query(
    `insert into posts (id, content, author_name, post_type, created_at, content_digest)
     select gen_random_uuid(), 'Filled ' || n, 'Ben', 'standard', now(), n from generate_series(1, $1::int) n`,
    [count],
  )

/** The server signs new passages up to 5 s after they were sent, also while the changes are paused. */
async function untilStoriesAreSigned(db: Client) {
  const unsigned = `
    select name from rooms join room_chains on room_id = rooms.id
    where seal is null and (signed_position < last_position or expires_at <= app_now())`
  await expect
    .poll(async () => (await db.query(unsigned)).rows, {
      timeout: 60_000,
      message: 'The server does not sign all stories.',
    })
    .toEqual([])
}

async function isBackupWaiting(db: Client): Promise<boolean> {
  const { rows } = await db.query(
    "select 1 from pg_stat_activity where application_name = 'zimmer backup' and wait_event_type = 'Lock'",
  )
  return rows.length > 0
}

test('restore refuses, in one sentence, a damaged file and an instance that runs or holds data [R19]', async () => {
  const instance = await startInstance()
  const folder = await ownFolder()
  const file = join(folder, 'backup.tar.zst')
  expect((await zimmer(instance.dataDir, ['backup', file])).code).toBe(0)

  const damaged = join(folder, 'damaged.tar.zst')
  await copyFile(file, damaged)
  const bytes = await open(damaged, 'r+')
  await bytes.write('x', 500)
  await bytes.close()
  const elsewhere = join(folder, 'elsewhere')
  expect(await zimmer(elsewhere, ['restore', damaged])).toEqual({
    code: 1,
    said: '',
    complaint: 'damaged.tar.zst is damaged or no backup: nothing was restored.\n',
  })
  expect(await readdir(folder)).toEqual(['backup.tar.zst', 'damaged.tar.zst'])

  const refused = { code: 1, said: '', complaint: expect.stringMatching(/^[^\n]+\.\n$/) }
  expect(await zimmer(instance.dataDir, ['restore', file])).toEqual(refused)
  await instance.server.end('SIGTERM')
  expect(await zimmer(instance.dataDir, ['restore', file])).toEqual({
    ...refused,
    complaint: 'The database holds data: a backup is restored into an empty place only.\n',
  })
  expect(await instance.postmaster()).toBeUndefined()
  expect(await zimmer(instance.dataDir, ['backup', file])).toEqual(refused)
  expect(await zimmer(elsewhere, ['backup', join(folder, 'other')])).toEqual(refused)
})

test('a backup moves an instance from its own database to a Postgres server [R19]', async () => {
  const instance = await startInstance()
  const ana = instance.client()
  await ana.does(register, { input: { ...anasKey, firstName: 'Ana' } })
  const folder = await ownFolder()
  const file = join(folder, 'backup.tar.zst')
  await zimmer(instance.dataDir, ['backup', file])
  const { url } = await startDatabase()
  const dataDir = join(folder, 'files')
  await mkdir(dataDir)
  expect(await zimmer(dataDir, ['restore', file], { DATABASE_URL: url })).toMatchObject({ code: 0 })
  const server = await startServer({ dataDir, settings: { DATABASE_URL: url } })
  onTestFinished(async () => void (await server.end('SIGKILL')))
  expect((await new HttpClient(() => server.url).tries(login, { input: anasKey })).status).toBe(200)
})

async function ownFolder() {
  const folder = await makeDataFolder()
  onTestFinished(() => removeDataFolder(folder))
  return folder
}
