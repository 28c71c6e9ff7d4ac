import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { getCalendar } from '#contract/calendar/endpoints.ts'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { getDiary, getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { entryMaxLength } from '#contract/diary/entry.ts'
import { contentOf } from '#server/testing/content.ts'
import { day, save } from '#server/testing/diary.ts'
import { startTestApp } from '#server/testing/test-app.ts'

test('a registered person keeps one entry a day on the server [DIARY-01 DIARY-16 DIARY-17 DIARY-22 API-16 API-17 API-18 PERM-08]', async () => {
  const { person, clock } = await startTestApp()
  const ana = await person()
  expect(await ana.does(getDiaryEntry, { params: { day } })).toEqual({
    entry_date: day,
    content: '',
    updated_at: null,
  })
  expect(await ana.does(getDiary)).toEqual([])
  const first = await ana.does(saveDiaryEntry, { input: { date: day, content: 'Rain all morning' } })
  expect(first).toEqual({ entry_date: day, content: 'Rain all morning', updated_at: expect.any(String) })
  expect(Math.abs(Date.parse(first.updated_at!) - clock.now().getTime())).toBeLessThan(60_000)
  const second = await ana.does(saveDiaryEntry, { input: { date: day, content: 'Rain, then sun' } })
  const before = await ana.does(saveDiaryEntry, { input: { date: '2025-06-09', content: 'Wind' } })
  expect(await ana.does(getDiary)).toEqual([before, second])
  expect(await ana.does(getDiaryEntry, { params: { day } })).toEqual(second)
})

test.each([
  ['lines and ends', '\n  two spaces \t\n\n\n'],
  ['every script', 'ñ е́ 字 한글 עברית 👩‍👩‍👧‍👦 \u{1F1E9}\u{1F1EA}'],
  ['a decomposed letter', 'a\u0308 is not \u00e4'],
  ['markup and code', `<script>alert("1")</script> ' or 1=1 -- \\x00 $1 %s`],
  ['unusual characters', '\u0001\u200b\u2028\ufeff\uffff'],
  ['nothing, which empties the day', ''],
  ['blanks, which are kept too', ' \n\u00a0'],
])('what is read is what was typed: %s [S28 DIARY-49]', async (_name, content) => {
  const { person } = await startTestApp()
  const ana = await person()
  expect((await ana.does(saveDiaryEntry, { input: { date: day, content } })).content).toBe(content)
  expect((await ana.does(getDiaryEntry, { params: { day } })).content).toBe(content)
  expect((await ana.does(getDiary)).map((entry) => entry.content)).toEqual([content])
})

test('line ends of Windows become plain ones, and nothing else changes [S28]', async () => {
  const { person } = await startTestApp()
  const saved = await (await person()).does(saveDiaryEntry, { input: { date: day, content: 'a\r\nb\rc\n' } })
  expect(saved.content).toBe('a\nb\rc\n')
})

test('the longest entry is taken, one character more is refused and changes nothing [S31]', async () => {
  const { person } = await startTestApp()
  const ana = await person()
  const longest = '😀'.repeat(entryMaxLength)
  expect(await save(ana, longest)).toMatchObject({ status: 200, body: { content: longest } })
  const refused = await save(ana, `${longest}x`)
  expect(refused).toMatchObject({
    status: 400,
    code: 'InvalidInput',
    fields: { content: expect.any(String) },
  })
  expect((await ana.does(getDiaryEntry, { params: { day } })).content).toBe(longest)
})

test.each(['2026-02-30', '1899-12-31', '2101-01-01', '2025-6-1', 'today', '2025-06-10T00:00:00Z'])(
  '%s is no day: it is neither read nor written [S29]',
  async (date) => {
    const { person, db } = await startTestApp()
    const ana = await person()
    const before = await contentOf(db)
    for (const answer of [
      await ana.tries(saveDiaryEntry, { input: { date, content: 'x' } }),
      await ana.tries(getDiaryEntry, { params: { day: date } }),
      await ana.tries(getDiary, { query: { before: date } }),
    ])
      expect(answer).toMatchObject({ status: 400, code: 'InvalidInput' })
    expect(await contentOf(db)).toEqual(before)
  },
)

test.each(['1900-01-01', '2024-02-29', '2100-12-31'])(
  'the day %s is the same text however it is read [S29]',
  async (date) => {
    const { person } = await startTestApp({ config: { timeZone: 'Pacific/Kiritimati' } })
    const ana = await person()
    await ana.does(saveDiaryEntry, { input: { date, content: 'x' } })
    expect((await ana.does(getDiaryEntry, { params: { day: date } })).entry_date).toBe(date)
    expect((await ana.does(getDiary)).map((entry) => entry.entry_date)).toEqual([date])
  },
)

test('visitors and guests are told to log in, and nothing is stored [DIARY-20 DIARY-24 DIARY-25 S16]', async () => {
  const { visitor, guest, db } = await startTestApp()
  for (const nobody of [visitor(), await guest()]) {
    const before = await contentOf(db)
    for (const answer of [
      await save(nobody, 'x'),
      await nobody.tries(getDiary),
      await nobody.tries(getDiaryEntry, { params: { day } }),
    ])
      expect(answer).toMatchObject({
        status: 401,
        code: 'SignInRequired',
        error: 'Please log in to save diary entries',
      })
    expect(await contentOf(db)).toEqual(before)
  }
})

test('a diary is its writer’s alone, also towards admins and whatever a call says [DIARY-21 S3 S44]', async () => {
  const { person, admin, db } = await startTestApp()
  const [ana, ben, boss] = [await person(), await person(), await admin()]
  const entry = await ana.does(saveDiaryEntry, { input: { date: day, content: 'Only for me' } })
  const asAna = { userId: ana.me.id, user_id: ana.me.id, authorId: ana.me.id }
  for (const other of [ben, boss]) {
    expect((await other.request({ url: `/api/diary?userId=${ana.me.id}` })).json()).toEqual([])
    expect(await other.does(getDiaryEntry, { params: { day } })).toMatchObject({ content: '' })
    // Another person's day is no conflict either: nothing tells that it is there.
    expect(await save(other, 'Mine', { ...asAna, base: null })).toMatchObject({ status: 200 })
    const conflict = await save(other, 'Again', { ...asAna, base: entry.updated_at })
    expect(conflict).toMatchObject({ status: 400, body: { current: { content: 'Mine' } } })
  }
  expect(await ana.does(getDiary)).toEqual([entry])
  expect(await db.execute(sql`select 1 from diary_entries`)).toMatchObject({ rowCount: 3 })
})

test('a deleted account takes its diary along, and nobody else’s [S15 DIARY-21]', async () => {
  const { person, db } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  for (const each of [ana, ben]) await save(each, `of ${each.me.id}`)
  await ana.does(deleteAccount)
  const { rows } = await db.execute(
    sql`select user_id, convert_from(content, 'UTF8') as content from diary_entries`,
  )
  expect(rows).toEqual([{ user_id: ben.me.id, content: `of ${ben.me.id}` }])
})

test.each([
  ['new days', false],
  ['days that have a text', true],
])(
  'saves of %s while the account is being deleted end plainly, and leave nothing [S15 R5 R6]',
  async (_days, haveTexts) => {
    const { person, db } = await startTestApp()
    const ana = await person()
    const days = Array.from({ length: 30 }, (_, i) => ({ date: `2025-06-${String(i + 1).padStart(2, '0')}` }))
    const saves = !haveTexts
      ? days
      : await Promise.all(
          days.map(async ({ date }) => {
            const { updated_at: base } = await ana.does(saveDiaryEntry, { input: { date, content: 'early' } })
            return { date, base }
          }),
        )
    const saveAll = (each: typeof saves) => each.map((one) => save(ana, 'late', one))
    const earlier = saveAll(saves.slice(0, 15))
    const gone = ana.tries(deleteAccount)
    const later = saveAll(saves.slice(15))
    for (const { status } of await Promise.all([...earlier, ...later])) expect([200, 401]).toContain(status)
    expect((await gone).status).toBe(200)
    expect(await db.execute(sql`select 1 from diary_entries`)).toMatchObject({ rowCount: 0 })
  },
)

test('a diary entry is no calendar note [CAL-16]', async () => {
  const { person } = await startTestApp()
  const ana = await person()
  await save(ana, 'x')
  expect(await ana.does(getCalendar)).toEqual([])
})
