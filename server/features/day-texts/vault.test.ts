import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { register } from '#contract/account/endpoints.ts'
import { getCalendar, saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { getDiary, getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { buildApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/config.ts'
import { allEncryptedTables } from '#server/features.ts'
import { createLog } from '#server/log.ts'
import { testClock } from '#server/platform/clock.ts'
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { openDatabase } from '#server/platform/database/pool.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { contentOf } from '#server/testing/content.ts'
import { Client, startTestApp } from '#server/testing/test-app.ts'
import { changeDiaryKey } from './index.ts'

const keyA = 'a1'.repeat(32)
const keyB = 'b2'.repeat(32)
const day = '2025-06-10'

function listeningLog() {
  const lines: string[] = []
  const logger: FastifyBaseLogger = createLog('debug', { write: (line: string) => void lines.push(line) })
  return { lines, logger }
}

/** An installation whose server is stopped and started again, each time with another key. */
async function startInstallation(diaryKey?: string) {
  const t = await startTestApp({ config: { diaryKey } })
  const ana = await t.person()
  const startAgain = async (key: string | undefined) => {
    const { lines, logger } = listeningLog()
    const config: Config = { ...t.config, diaryKey: key }
    const app = await buildApp({ config, database: t.db, clock: t.clock, random: systemRandom, logger })
    onTestFinished(() => app.close())
    const client = new Client((options) => app.inject(options))
    for (const [name, value] of ana.cookies) client.cookies.set(name, value)
    return { client, lines }
  }
  const change = (key: string | undefined, newKey: string | undefined) =>
    changeDiaryKey(
      { database: t.db, random: systemRandom, config: { diaryKey: key, newDiaryKey: newKey } },
      allEncryptedTables,
    )
  return { ...t, ana, startAgain, change }
}

async function write(client: Client, text: string, date = day) {
  await client.does(saveDiaryEntry, { input: { date, content: text } })
  await client.does(saveCalendarNote, { input: { date, note: text } })
}

async function read(client: Client) {
  const entries = await client.does(getDiary)
  const notes = await client.does(getCalendar)
  return [...entries, ...notes].map(({ content }) => content)
}

/** Expects that every call of diary and calendar answers 503 and changes nothing, and that other calls work. */
async function expectLocked(client: Client, db: Parameters<typeof contentOf>[0]) {
  const before = await contentOf(db)
  for (const answer of [
    await client.tries(getDiary),
    await client.tries(getDiaryEntry, { params: { day } }),
    await client.tries(getDiaryEntry, { params: { day: '2001-01-01' } }),
    await client.tries(saveDiaryEntry, { input: { date: day, content: 'over it' } }),
    await client.tries(saveDiaryEntry, { input: { date: '2001-01-01', content: 'new', base: null } }),
    await client.tries(getCalendar),
    await client.tries(saveCalendarNote, { input: { date: day, note: 'over it' } }),
    await client.tries(saveCalendarNote, { input: { date: '2001-01-01', note: 'new' } }),
  ]) {
    expect(answer).toMatchObject({ status: 503, code: 'DiaryLocked' })
    expect(answer.headers['retry-after']).toBe('60')
  }
  expect(await contentOf(db)).toEqual(before)
  expect((await client.tries(getFeedDay, { params: { offset: '0' } })).status).toBe(200)
}

test('with a key, texts are stored encrypted and read as they were typed [S44]', async () => {
  const { ana, db } = await startInstallation(keyA)
  await write(ana, 'The sentinel sleeps')
  expect(await read(ana)).toEqual(['The sentinel sleeps', 'The sentinel sleeps'])
  expect(await ana.does(getDiaryEntry, { params: { day } })).toMatchObject({ content: 'The sentinel sleeps' })
  const { rows } = await db.execute<{ content: Buffer; key_id: string }>(
    sql`select content, key_id from diary_entries union all select content, key_id from calendar_notes`,
  )
  expect(rows).toHaveLength(2)
  for (const { content, key_id } of rows) {
    expect(content.includes('sentinel')).toBe(false)
    expect(key_id).not.toBeNull()
  }
})

test('texts from before the first key stay readable, and are encrypted when they are saved again [S44]', async () => {
  const { ana, startAgain, db } = await startInstallation()
  await write(ana, 'plain')
  const { client } = await startAgain(keyA)
  expect(await read(client)).toEqual(['plain', 'plain'])
  await write(client, 'encrypted')
  expect(await read(client)).toEqual(['encrypted', 'encrypted'])
  const { rows } = await db.execute(sql`select 1 from diary_entries where key_id is null`)
  expect(rows).toHaveLength(0)
})

test.each([
  ['without the key', undefined],
  ['with another key', keyB],
])(
  'a start %s says so in one line, locks diary and calendar, and overwrites nothing [S44]',
  async (_name, key) => {
    const { ana, startAgain, db } = await startInstallation(keyA)
    await write(ana, 'encrypted')
    const { client, lines } = await startAgain(key)
    const warnings = lines
      .map((line) => JSON.parse(line) as { level: number; msg: string })
      .filter(({ msg }) => msg.includes('DIARY_KEY'))
    expect(warnings).toMatchObject([{ level: 40 }])
    await expectLocked(client, db)
    const { client: right, lines: quiet } = await startAgain(keyA)
    expect(await read(right)).toEqual(['encrypted', 'encrypted'])
    expect(quiet.join('')).not.toContain('DIARY_KEY')
  },
)

test('a process without the key stores no unencrypted text after another process has set a key [S44]', async () => {
  const { ana, startAgain, db } = await startInstallation()
  await write(ana, 'plain')
  const { client } = await startAgain(keyA)
  const before = await contentOf(db)
  const save = { input: { date: '2025-06-11', content: 'plain again' } }
  expect(await ana.tries(saveDiaryEntry, save)).toMatchObject({ status: 503, code: 'DiaryLocked' })
  expect(await contentOf(db)).toEqual(before)
  expect(await client.tries(saveDiaryEntry, save)).toMatchObject({ status: 200 })
  expect(await ana.tries(getDiary)).toMatchObject({ status: 503, code: 'DiaryLocked' })
})

test('a changed key decrypts every text, the old one none, and a server left running with it writes nothing [S44]', async () => {
  const { ana, startAgain, change, db } = await startInstallation(keyA)
  for (let n = 1; n <= 205; n++)
    await ana.does(saveDiaryEntry, {
      input: { date: new Date(Date.UTC(2020, 0, n)).toISOString().slice(0, 10), content: `entry ${n}` },
    })
  await ana.does(saveCalendarNote, { input: { date: day, note: 'note' } })
  await db.execute(sql`
    insert into diary_entries (user_id, entry_date, content, key_id, size, updated_at)
    values (${ana.me.id}, '2001-01-01', 'plain', null, 5, app_now())`)
  const before = await ana.does(getDiary)
  expect(await change(keyA, keyB)).toBe(
    '207 texts are encrypted with the new key: start the server with it as DIARY_KEY.',
  )
  const changed = await contentOf(db)
  for (const answer of [
    await ana.tries(getDiary),
    await ana.tries(getDiaryEntry, { params: { day: '2020-01-01' } }),
    await ana.tries(saveDiaryEntry, { input: { date: '2020-01-01', content: 'over it' } }),
    await ana.tries(saveDiaryEntry, { input: { date: day, content: 'new', base: null } }),
    await ana.tries(getCalendar),
    await ana.tries(saveCalendarNote, { input: { date: '2001-01-01', note: 'new' } }),
  ])
    expect(answer).toMatchObject({ status: 503, code: 'DiaryLocked' })
  expect(await contentOf(db)).toEqual(changed)
  await expectLocked((await startAgain(keyA)).client, db)
  const { client } = await startAgain(keyB)
  expect(await client.does(getDiary)).toEqual(before)
  expect(await read(client)).toContain('note')
  expect((await db.execute(sql`select distinct key_id from diary_entries`)).rowCount).toBe(1)
})

test('an owner sets the first key by a change of the key, and no text is left unencrypted [S44]', async () => {
  const { ana, startAgain, change, db } = await startInstallation()
  await write(ana, 'The sentinel sleeps')
  expect(JSON.stringify(await contentOf(db))).toContain(Buffer.from('sentinel').toString('hex'))
  await change(undefined, keyA)
  expect(JSON.stringify(await contentOf(db))).not.toContain(Buffer.from('sentinel').toString('hex'))
  expect(await read((await startAgain(keyA)).client)).toEqual(['The sentinel sleeps', 'The sentinel sleeps'])
})

test.each([
  ['without a new key', keyA, undefined, 'DIARY_KEY_NEW'],
  ['with a wrong key', keyB, keyB, 'DIARY_KEY is not the key'],
  ['without the key in use', undefined, keyB, 'DIARY_KEY is not the key'],
])(
  'a change %s is refused with a sentence and changes nothing [S44]',
  async (_name, key, newKey, sentence) => {
    const { ana, change, db } = await startInstallation(keyA)
    await write(ana, 'encrypted')
    const before = await contentOf(db)
    await expect(change(key, newKey)).rejects.toThrow(sentence)
    expect(await contentOf(db)).toEqual(before)
  },
)

test('one text that cannot be decrypted stops the change of the key, and all stay as they were [S44 R5]', async () => {
  const { ana, change, db } = await startInstallation(keyA)
  await write(ana, 'encrypted')
  await write(ana, 'encrypted too', '2025-06-11')
  // Moved from another day.
  await db.execute(sql`
    update calendar_notes set content = (select content from calendar_notes where note_date = ${day})
    where note_date = '2025-06-11'`)
  const before = await contentOf(db)
  await expect(change(keyA, keyB)).rejects.toThrow(/authenticate/)
  expect(await contentOf(db)).toEqual(before)
})

test('saves during a change of the key end up readable or refused, never lost [S44 R6]', async () => {
  const { ana, startAgain, change } = await startInstallation(keyA)
  const date = (n: number) => `2025-06-${String(n + 1).padStart(2, '0')}`
  const saves = Array.from({ length: 30 }, (_, n) =>
    ana.tries(saveDiaryEntry, { input: { date: date(n), content: `text ${n}` } }),
  )
  await change(keyA, keyB)
  const answers = await Promise.all(saves)
  for (const { status, code } of answers) expect([200, 'DiaryLocked']).toContain(status === 200 ? 200 : code)
  const kept = answers.flatMap(({ status }, n) => (status === 200 ? [`text ${n}`] : []))
  expect(await read((await startAgain(keyB)).client)).toEqual(kept)
})

test('with a key no file of the data folder, no log line and no dump contains a word of a diary or of notes [S44]', async () => {
  const sentence = 'Nobody but me shall read of the heron'
  const found = await filesWith(sentence, keyA)
  expect(found).toEqual([])
  // Without a key the word is found, so the search works.
  expect((await filesWith(sentence, undefined)).length).toBeGreaterThan(0)
})

/** Writes a sentence by every call that takes one, and returns the places where it is found afterwards. */
async function filesWith(sentence: string, diaryKey: string | undefined): Promise<string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zimmer-vault-'))
  const postgres = await startEmbeddedPostgres({ dataDir, isThrowaway: true })
  const { lines, logger } = listeningLog()
  try {
    await migrate(postgres.connection, join(import.meta.dirname, '../../../migrations'))
    const clock = testClock('2025-06-10T12:00:00Z')
    const database = openDatabase({ connection: postgres.connection, clock })
    const config = { ...readConfig({ NODE_ENV: 'test' }), timeZone: 'Europe/Berlin', diaryKey }
    const app = await buildApp({ config, database, clock, random: systemRandom, logger })
    const ana = new Client((options) => app.inject(options))
    await ana.does(register, {
      input: { email: 'ana@example.org', password: 'secret pass 1', firstName: 'Ana', lastName: 'Lima' },
    })
    const { updated_at: base } = await ana.does(saveDiaryEntry, { input: { date: day, content: sentence } })
    const headers = { 'idempotency-key': 'one' }
    await ana.does(saveDiaryEntry, { input: { date: day, content: `${sentence}.`, base }, headers })
    await ana.tries(saveDiaryEntry, { input: { date: day, content: `${sentence}!`, base } })
    await ana.tries(saveDiaryEntry, { input: { date: 'no day', content: sentence } })
    await ana.does(saveCalendarNote, { input: { date: day, note: sentence }, headers })
    await ana.does(getDiary)
    // The statement fails while the database has the text.
    await database.execute(sql`alter table diary_entries add constraint small check (size < 10)  not valid`)
    expect((await ana.tries(saveDiaryEntry, { input: { date: day, content: sentence } })).status).toBe(500)
    await database.execute(sql`checkpoint`)
    const places = lines.some((line) => line.includes(sentence)) ? ['log'] : []
    const dump = JSON.stringify(await contentOf(database))
    if (dump.includes(sentence) || dump.includes(Buffer.from(sentence).toString('hex'))) places.push('dump')
    await app.close()
    await database.close()
    await postgres.stop()
    for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const bytes = await readFile(join(entry.parentPath, entry.name))
      const forms = [sentence, Buffer.from(sentence).toString('hex'), Buffer.from(sentence, 'utf16le')]
      if (forms.some((form) => bytes.includes(form))) places.push(entry.name)
    }
    return places
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
