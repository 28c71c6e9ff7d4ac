import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { getDiary, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { allEncryptedTables } from '#server/features.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { contentOf } from '#server/testing/content.ts'
import { atServerWithKey, startTestApp } from '#server/testing/test-app.ts'
import { changeDiaryKey } from './index.ts'

const keyA = 'a1'.repeat(32)
const keyB = 'b2'.repeat(32)

async function startEncrypted() {
  const t = await startTestApp({ config: { diaryKey: keyA } })
  const ana = await t.person()
  const change = () =>
    changeDiaryKey(
      { database: t.db, random: systemRandom, config: { diaryKey: keyA, newDiaryKey: keyB } },
      allEncryptedTables,
    )
  /** The browser of the same person, at a server that was started with the new key. */
  const startAgain = () => atServerWithKey(t, keyB, ana)
  return { ...t, ana, change, startAgain }
}

test('a save whose answer was lost is repeated after a change of the key as if it were the first one [R7 S44]', async () => {
  const { ana, db, change, startAgain } = await startEncrypted()
  const headers = { 'idempotency-key': 'one' }
  const entry = { input: { date: '2025-06-10', content: 'Rain' }, headers }
  const note = { input: { date: '2025-06-10', note: 'Buy ink', base: null }, headers }
  await ana.does(saveDiaryEntry, entry)
  const stored = await ana.does(saveCalendarNote, note)
  await change()
  const client = await startAgain()
  expect(await client.tries(saveDiaryEntry, entry)).toMatchObject({ status: 200, body: { content: 'Rain' } })
  const before = await contentOf(db)
  // The page takes this conflict for saved, because the stored text is the text that it sends.
  expect(await client.tries(saveCalendarNote, note)).toMatchObject({
    code: 'CalendarConflict',
    body: { current: stored },
  })
  expect(await contentOf(db)).toEqual(before)
  expect(await client.does(getDiary)).toHaveLength(1)
})

test('a refused change of the key deletes no stored answer [R7]', async () => {
  const { ana, db, change } = await startEncrypted()
  const save = {
    input: { date: '2025-06-10', content: 'Rain', base: null },
    headers: { 'idempotency-key': 'one' },
  }
  const first = await ana.does(saveDiaryEntry, save)
  await db.execute(sql`update diary_entries set entry_date = '2025-06-11'`)
  await expect(change()).rejects.toThrow(/authenticate/)
  expect(await ana.does(saveDiaryEntry, save)).toEqual(first)
})

test('long texts are encrypted again a megabyte at a time [S44]', async () => {
  const { ana, db, change, startAgain } = await startEncrypted()
  for (let n = 1; n <= 9; n++)
    await ana.does(saveDiaryEntry, { input: { date: `2025-06-0${n}`, content: '🌒'.repeat(100_000) } })
  const before = await ana.does(getDiary)
  await db.execute(sql`create table batches (bytes int)`)
  await db.execute(sql`
    create function note_batch() returns trigger language plpgsql as $$
    begin insert into batches select sum(size) from fresh; return null; end $$`)
  await db.execute(sql`
    create trigger batch after update on diary_entries referencing new table as fresh
    for each statement execute function note_batch()`)
  expect(await change()).toMatch(/^9 texts /)
  const { rows } = await db.execute(sql`select bytes from batches`)
  expect(rows.map(({ bytes }) => bytes)).toEqual([1_200_000, 1_200_000, 1_200_000])
  expect(await (await startAgain()).does(getDiary)).toEqual(before)
})
