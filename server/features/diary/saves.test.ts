import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { getDiary, getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { type DiaryEntry, diaryMaxMiB } from '#contract/diary/entry.ts'
import { contentOf } from '#server/testing/content.ts'
import { day, save } from '#server/testing/diary.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { startTestApp } from '#server/testing/test-app.ts'

test('a save that starts from an older text overwrites nothing and shows what is there [API-17 R5]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  const first = await ana.does(saveDiaryEntry, { input: { date: day, content: 'one', base: null } })
  const second = await ana.does(saveDiaryEntry, {
    input: { date: day, content: 'two', base: first.updated_at },
  })
  expect(second.updated_at! > first.updated_at!).toBe(true)
  const before = await contentOf(db)
  for (const base of [first.updated_at, null, '2001-01-01T00:00:00.000Z']) {
    const { status, code, error, body } = await save(ana, 'stale', { base })
    expect({ status, code, error }).toEqual({
      status: 400,
      code: 'DiaryConflict',
      error: 'This day was changed elsewhere in the meantime. Nothing was overwritten.',
    })
    expect((body as { current: DiaryEntry }).current).toEqual(second)
  }
  expect(await contentOf(db)).toEqual(before)
})

test('a base for a day that is not there is a conflict with an empty day, and adds none', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  const answer = await save(ana, 'x', { base: '2025-06-10T12:00:00.000Z' })
  expect(answer).toMatchObject({
    status: 400,
    code: 'DiaryConflict',
    body: { current: { entry_date: day, content: '', updated_at: null } },
  })
  expect(await db.execute(sql`select 1 from diary_entries`)).toMatchObject({ rowCount: 0 })
})

test.each(['2025-02-30T12:00:00.000Z', '0000-01-01T00:00:00.000Z', '2025-06-10T99:00:00.000Z', 'now'])(
  'a base that no answer can have said, %s, is refused and changes nothing [S29]',
  async (base) => {
    const { person, db } = await startTestApp()
    const ana = await person()
    await save(ana, 'one')
    const before = await contentOf(db)
    const answer = await save(ana, 'two', { base })
    expect(answer).toMatchObject({ status: 400, code: 'InvalidInput', fields: { base: expect.any(String) } })
    expect(await contentOf(db)).toEqual(before)
  },
)

test('a day that was written elsewhere keeps its time, which is never in the future [OWN-07]', async () => {
  const { person } = await startTestApp()
  const ana = await person()
  const writtenAt = '2019-06-10T08:15:00.000Z'
  const put = async (date: string, more: object) =>
    ana.does(saveDiaryEntry, { input: { date, content: 'Rain', base: null, ...more } })
  const moved = await put(day, { writtenAt })
  expect(moved.updated_at).toBe(writtenAt)
  const later = await put('2025-06-09', { writtenAt: '9999-01-01T00:00:00.000Z' })
  expect(later.updated_at! < '2027').toBe(true)
  // A text that replaces another one is as new as its save.
  const changed = await put(day, { base: writtenAt, writtenAt })
  expect(changed.updated_at! >= later.updated_at!).toBe(true)
  const overwritten = await put(day, { base: undefined, writtenAt })
  expect(overwritten.updated_at! > changed.updated_at!).toBe(true)
})

test.each(['2025-02-30T12:00:00.000Z', 'yesterday'])(
  'a time of writing that is no instant, %s, is refused and changes nothing [S29]',
  async (writtenAt) => {
    const { person, db } = await startTestApp()
    const ana = await person()
    const before = await contentOf(db)
    const note = { date: day, note: 'Rain', writtenAt }
    for (const answer of [
      await save(ana, 'Rain', { writtenAt }),
      await ana.tries(saveCalendarNote, { input: note }),
    ])
      expect(answer).toMatchObject({
        status: 400,
        code: 'InvalidInput',
        fields: { writtenAt: expect.any(String) },
      })
    expect(await contentOf(db)).toEqual(before)
  },
)

test('no two saves of a day share their time, though the clock stands still or goes back [R20]', async () => {
  const { person, clock } = await startTestApp()
  const ana = await person()
  const times: string[] = []
  for (const content of ['one', 'two', 'three', 'four']) {
    times.push((await ana.does(saveDiaryEntry, { input: { date: day, content } })).updated_at!)
    clock.advance(-60_000)
  }
  expect(new Set(times).size).toBe(4)
  expect(times).toEqual(times.toSorted())
})

test.each([
  ['equal', () => 'the same'],
  ['different', (i: number) => `text ${i}`],
])('of 50 %s saves from the same base at once one is kept [R5 R6]', async (_name, contentOfSave) => {
  const { person } = await startTestApp()
  const ana = await person()
  const { updated_at: base } = await ana.does(saveDiaryEntry, { input: { date: day, content: 'start' } })
  for (const [date, from] of [
    [day, base],
    ['2025-06-11', null],
  ] as const) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        ana.tries(saveDiaryEntry, { input: { date, content: contentOfSave(i), base: from } }),
      ),
    )
    const kept = answers.filter(({ status }) => status === 200)
    expect(kept).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 'DiaryConflict')).toHaveLength(49)
    expect(await ana.does(getDiaryEntry, { params: { day: date } })).toEqual(kept[0]!.body)
  }
  expect(await ana.does(getDiary)).toHaveLength(2)
})

test('of 50 saves without a base at once the last one stands, and all are told so [R5 R6]', async () => {
  const { person } = await startTestApp()
  const ana = await person()
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => save(ana, `text ${i}`)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
  const saved = answers.map(({ body }) => body as DiaryEntry)
  expect(new Set(saved.map(({ updated_at }) => updated_at)).size).toBe(50)
  const last = saved.toSorted((a, b) => (a.updated_at! < b.updated_at! ? 1 : -1))[0]
  expect(await ana.does(getDiary)).toEqual([last])
})

test('a save repeated with its key gets the first answer, and its text is kept only in the diary [R7 S44]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  const headers = { 'idempotency-key': 'save-1' }
  const input = { date: day, content: 'A sentence of its own', base: null }
  const first = await ana.tries(saveDiaryEntry, { input, headers })
  const again = await ana.tries(saveDiaryEntry, { input, headers })
  expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
  const { diary_entries: entries, ...others } = await contentOf(db)
  expect(JSON.stringify(others)).not.toContain('A sentence of its own')
  const other = await ana.tries(saveDiaryEntry, { input: { ...input, content: 'Another' }, headers })
  expect(other).toMatchObject({ status: 400, code: 'IdempotencyKeyReused' })
  expect((await contentOf(db))['diary_entries']).toEqual(entries)
  // A refused save uses its key up for nothing.
  const key = { 'idempotency-key': 'save-2' }
  const stale = { ...input, content: 'Two' }
  expect((await ana.tries(saveDiaryEntry, { input: stale, headers: key })).code).toBe('DiaryConflict')
  const { updated_at: base } = first.body as DiaryEntry
  const right = await ana.tries(saveDiaryEntry, { input: { ...stale, base }, headers: key })
  expect(right).toMatchObject({ status: 200, body: { content: 'Two' } })
})

test('a day that is added elsewhere during a save is overwritten or is a conflict, and saves beside it go on [R5 R6 R7]', async () => {
  const { person, db } = await startTestApp()
  const [ana, ben, carla] = [await person(), await person(), await person()]
  const release = await holdLocks(
    db,
    sql`insert into diary_entries (user_id, entry_date, content, size, updated_at)
      select id, ${day}::date, convert_to('elsewhere', 'UTF8'), 9, app_now() from users where id in (${ana.me.id}, ${ben.me.id})`,
  )
  const headers = { 'idempotency-key': 'save' }
  const saveAll = () =>
    Promise.all([
      ana.tries(saveDiaryEntry, { input: { date: day, content: 'of Ana' }, headers }),
      ben.tries(saveDiaryEntry, { input: { date: day, content: 'of Ben', base: null }, headers }),
      carla.tries(saveDiaryEntry, { input: { date: day, content: 'of Carla', base: null }, headers }),
    ])
  const saving = saveAll()
  await untilLockWaits(db)
  await release()
  const answers = await saving
  expect(answers.map(({ status, code }) => code ?? status)).toEqual([200, 'DiaryConflict', 200])
  const texts = async () =>
    (await Promise.all([ana, ben, carla].map((who) => who.does(getDiaryEntry, { params: { day } })))).map(
      ({ content }) => content,
    )
  expect(await texts()).toEqual(['of Ana', 'elsewhere', 'of Carla'])
  const before = await contentOf(db)
  const again = await saveAll()
  expect(again.map(({ body }) => body)).toEqual(answers.map(({ body }) => body))
  expect(await contentOf(db)).toEqual(before)
})

test('a save in a diary that is more than half full overwrites a day that is added elsewhere meanwhile [R5 R6]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  const add = (date: string, size: number) => sql`
    insert into diary_entries (user_id, entry_date, content, size, updated_at)
    values (${ana.me.id}, ${date}::date, convert_to('elsewhere', 'UTF8'), ${size}::int, app_now())`
  await db.execute(add('2025-06-09', (diaryMaxMiB * 2 ** 20) / 2))
  const release = await holdLocks(db, add(day, 9))
  const saving = save(ana, 'of Ana')
  await untilLockWaits(db)
  await release()
  expect((await saving).status).toBe(200)
  expect(await ana.does(getDiaryEntry, { params: { day } })).toMatchObject({ content: 'of Ana' })
})
