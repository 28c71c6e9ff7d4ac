import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { submitPost } from '#contract/feed/endpoints.ts'
import {
  filesOf,
  lastingOf,
  membersOf,
  oddTexts,
  ownMigrations,
  startBackups,
} from '#server/testing/backup-places.ts'
import { contentOf } from '#server/testing/content.ts'
import { migrate } from '../database/migrate.ts'

const here = startBackups()

test('a restored instance has every row and every upload, byte by byte [R19]', async () => {
  const { db } = await here.startInstance()
  await here.backupOf(db)
  const place = await here.emptyPlace()
  await place.restore()
  expect(await place.content()).toEqual(await lastingOf(db))
  const { 'still-coming.part': half, ...whole } = await filesOf(here.uploads)
  expect(half).toBe('half')
  expect(await place.uploaded()).toEqual(whole)
  await migrate(place.connection, ownMigrations)
  expect(await place.content()).toEqual(await lastingOf(db))
  await expect(
    place.database.execute(sql`insert into emails (address, user_id) values ('a@example.org', 'nobody')`),
  ).rejects.toMatchObject({ cause: { code: '23503' } })
})

test('a backup contains no session, no API token and no stored answer, so that what has ended stays ended [S23 S61 R19]', async () => {
  const { db } = await here.startInstance()
  const { sessions, api_tokens: tokens, idempotency_keys: keys } = await contentOf(db)
  expect([sessions!.length, tokens!.length, keys!.length]).toEqual([2, 1, 1])
  await here.backupOf(db)
  const names = (await membersOf(here.file)).map(({ name }) => name.split('/')[1])
  expect(names).toContain('users')
  expect(names).not.toContain('sessions')
  expect(names).not.toContain('api_tokens')
  expect(names).not.toContain('webhook_deliveries')
  expect(names).not.toContain('idempotency_keys')
  expect(names).not.toContain('post_trigrams')
  const place = await here.emptyPlace()
  await place.restore()
  expect(await place.content()).toMatchObject({ sessions: [], api_tokens: [], idempotency_keys: [] })
})

test('a backup made while people sign up and write contains one moment, and each change whole or not at all [R19 R5]', async () => {
  const t = await here.startInstance()
  let isOver = false
  const writers = Array.from({ length: 3 }, async () => {
    while (!isOver) {
      const person = await t.person()
      await person.does(submitPost, { input: { content: oddTexts[4]!, authorName: 'Ana', type: 'premium' } })
    }
  })
  await t.person()
  await here.backupOf(t.db)
  isOver = true
  await Promise.all(writers)
  await t.person()

  const place = await here.emptyPlace()
  await place.restore()
  const [then, later] = [await place.content(), await contentOf(t.db)]
  const people = then.emails!.length
  expect(people).toBeGreaterThan(1)
  expect(people).toBeLessThan(later.emails!.length)
  expect([then.credentials!.length, then.users!.length]).toEqual([people, people + 1])
  for (const table of ['emails', 'users', 'credentials', 'posts', 'audit_log'])
    expect(then[table]!.filter((row) => !later[table]!.includes(row))).toEqual([])
})

test('a long table is kept in parts of whole rows, and is restored from them [R19]', async () => {
  const { db } = await here.startInstance()
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, content_digest)
    select gen_random_uuid(), repeat(md5(n::text) || E'\\t\\n', n % 1000), 'Ana', 'standard', app_now(), ''
      from generate_series(1, 1000) n`)
  await here.backupOf(db)
  const parts = (await membersOf(here.file)).filter(({ name }) => name.startsWith('tables/posts/'))
  expect(parts.length).toBeGreaterThan(3)
  for (const { content } of parts) expect(content.at(-1)).toBe('\n'.charCodeAt(0))
  const place = await here.emptyPlace()
  await place.restore()
  expect(await place.content()).toEqual(await lastingOf(db))
})

test('only the owner of a backup can read it, because it contains addresses and digests of passwords [R19]', async () => {
  const { db } = await here.startInstance()
  await here.backupOf(db)
  expect((await stat(here.file)).mode & 0o777).toBe(0o600)
})

test('a backup never replaces a file, and a failed backup leaves no file [R19]', async () => {
  const { db } = await here.startInstance()
  await writeFile(here.file, 'mine')
  await expect(here.backupOf(db)).rejects.toThrow(
    /^There is a file .* already: name one that is not there\.$/,
  )
  expect(await readFile(here.file, 'utf8')).toBe('mine')
  await rm(here.file)
  await rm(here.uploads, { recursive: true })
  await writeFile(here.uploads, 'a file where a folder should be')
  await expect(here.backupOf(db)).rejects.toThrow('ENOTDIR')
  expect(await readdir(here.folder)).toEqual(['uploads'])
})

test('no table uses a sequence, which a backup would not contain', async () => {
  const { db } = await here.startInstance()
  const { rows } = await db.execute(sql`select sequencename from pg_sequences where schemaname <> 'drizzle'`)
  expect(rows).toEqual([])
})
