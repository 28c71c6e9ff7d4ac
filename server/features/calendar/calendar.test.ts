import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { getCalendar, saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { type CalendarNote, noteMaxLength } from '#contract/calendar/note.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'

const day = '2025-06-10'
const save = (client: Client, note: string, more: object = {}) =>
  client.tries(saveCalendarNote, { input: { date: day, note, ...more } })

test('a registered person keeps one note a day on the server [CAL-03 CAL-14 CAL-16 API-19 API-20 PERM-08]', async () => {
  const { person } = await startTestApp()
  const ana = await person()
  expect(await ana.does(getCalendar)).toEqual([])
  const first = await ana.does(saveCalendarNote, { input: { date: day, note: 'Buy ink\r\nand paper' } })
  expect(first).toEqual({ note_date: day, content: 'Buy ink\nand paper', updated_at: expect.any(String) })
  const second = await ana.does(saveCalendarNote, { input: { date: day, note: 'Buy ink' } })
  const earlier = await ana.does(saveCalendarNote, { input: { date: '2025-06-01', note: '' } })
  expect(await ana.does(getCalendar)).toEqual([earlier, second])
  // A note is no diary entry.
  expect(await ana.does(getDiary)).toEqual([])
})

test('visitors and guests are asked to log in, and nothing is stored [CAL-17 CAL-18 S16]', async () => {
  const { visitor, guest, db } = await startTestApp()
  for (const nobody of [visitor(), await guest()]) {
    const before = await contentOf(db)
    for (const answer of [await save(nobody, 'x'), await nobody.tries(getCalendar)])
      expect(answer).toMatchObject({
        status: 401,
        code: 'SignInRequired',
        error: 'Please log in to save calendar notes',
      })
    expect(await contentOf(db)).toEqual(before)
  }
})

test('only its writer can read a note: neither an admin nor a call with another id can [S3 S44]', async () => {
  const { person, admin } = await startTestApp()
  const [ana, ben, boss] = [await person(), await person(), await admin()]
  const note = await ana.does(saveCalendarNote, { input: { date: day, note: 'Only for me' } })
  for (const other of [ben, boss]) {
    expect((await other.request({ url: `/api/calendar?userId=${ana.me.id}` })).json()).toEqual([])
    expect(await save(other, 'Mine', { userId: ana.me.id, base: null })).toMatchObject({ status: 200 })
  }
  expect(await ana.does(getCalendar)).toEqual([note])
})

test('a save with an older base overwrites nothing, and its answer shows the stored note [API-20 R5]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  const first = await ana.does(saveCalendarNote, { input: { date: day, note: 'one', base: null } })
  const second = await ana.does(saveCalendarNote, {
    input: { date: day, note: 'two', base: first.updated_at },
  })
  const before = await contentOf(db)
  for (const base of [first.updated_at, null])
    expect(await save(ana, 'stale', { base })).toMatchObject({
      status: 400,
      code: 'CalendarConflict',
      error: 'This note was changed elsewhere in the meantime. Nothing was overwritten.',
      body: { current: second },
    })
  expect(await save(ana, 'x', { date: '2025-06-11', base: first.updated_at })).toMatchObject({
    status: 400,
    code: 'CalendarConflict',
    body: { current: { note_date: '2025-06-11', content: '', updated_at: null } },
  })
  expect(await contentOf(db)).toEqual(before)
})

test('a person sends 50 equal saves at once: one is stored, and all others are refused with a code [R5 R6]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  const answers = await Promise.all(Array.from({ length: 50 }, () => save(ana, 'same', { base: null })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'CalendarConflict')).toHaveLength(49)
  expect(await db.execute(sql`select 1 from calendar_notes`)).toMatchObject({ rowCount: 1 })
})

test('a person saves the longest note; one character more, or a text that is no day, is refused [S29 S31]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  const longest = '😀'.repeat(noteMaxLength)
  expect((await save(ana, longest)).status).toBe(200)
  const before = await contentOf(db)
  expect(await save(ana, `${longest}x`)).toMatchObject({ status: 400, fields: { note: expect.any(String) } })
  expect(await save(ana, 'x', { date: '2025-02-29' })).toMatchObject({
    status: 400,
    fields: { date: expect.any(String) },
  })
  expect(await contentOf(db)).toEqual(before)
})

test('a calendar takes 32 MiB in all: a note beyond that is refused, and a shorter one is still saved [S31]', async () => {
  const { person, db } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  await db.execute(sql`
    insert into calendar_notes (user_id, note_date, content, size, updated_at)
    select ${ana.me.id}, date '2010-01-01' + n, '', 32768, app_now() from generate_series(1, 1023) n`)
  expect((await save(ana, 'x'.repeat(10_000))).status).toBe(200)
  const before = await contentOf(db)
  expect(await save(ana, '😀'.repeat(10_000), { date: '2025-06-11' })).toMatchObject({
    status: 400,
    code: 'CalendarFull',
    error: 'Your calendar has reached its limit of 32 MiB.',
  })
  expect(await contentOf(db)).toEqual(before)
  expect((await save(ana, 'x'.repeat(10_000), { date: '2025-06-11' })).status).toBe(200)
  expect((await save(ben, '😀'.repeat(10_000))).status).toBe(200)
})

test('notes are read page by page, the newest first and each page oldest first [S30 API-19]', async () => {
  const { person } = await startTestApp()
  const ana = await person()
  for (const date of ['2025-06-03', '2025-06-01', '2025-06-02']) await save(ana, date, { date })
  const first = await ana.tries(getCalendar, { query: { limit: '2' } })
  expect((first.body as CalendarNote[]).map(({ content }) => content)).toEqual(['2025-06-02', '2025-06-03'])
  expect(first.headers['next-before']).toBe('2025-06-02')
  const last = await ana.tries(getCalendar, { query: { limit: '2', before: '2025-06-02' } })
  expect((last.body as CalendarNote[]).map(({ content }) => content)).toEqual(['2025-06-01'])
  expect(last.headers['next-before']).toBeUndefined()
})

test('a save repeated with its key gets the first answer, and its text is stored only in the note [R7 S44]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  const call = {
    input: { date: day, note: 'A note of its own', base: null },
    headers: { 'idempotency-key': 'note-1' },
  }
  const first = await ana.tries(saveCalendarNote, call)
  const again = await ana.tries(saveCalendarNote, call)
  expect([again.status, again.body]).toEqual([200, first.body])
  const { calendar_notes: notes, ...others } = await contentOf(db)
  expect(notes).toHaveLength(1)
  expect(JSON.stringify(others)).not.toContain('A note of its own')
})

test('a deleted account loses its notes, and nobody else loses notes [S15]', async () => {
  const { person, db } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  for (const each of [ana, ben]) await save(each, 'x')
  await ana.does(deleteAccount)
  const { rows } = await db.execute(sql`select user_id from calendar_notes`)
  expect(rows).toEqual([{ user_id: ben.me.id }])
})
