import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { getCalendar } from '#contract/calendar/endpoints.ts'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { diaryMax, getDiary, getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { type DiaryEntry, entryMaxLength } from '#contract/diary/entry.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { contentOf } from '#server/testing/content.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'

const day = '2025-06-10'
const save = (client: Client, content: string, more: object = {}) =>
  client.tries(saveDiaryEntry, { input: { date: day, content, ...more } })

/** A diary as if it had been written day by day, without a call for each. */
async function addEntries(db: Db, userId: string, { count, content }: { count: number; content: string }) {
  await db.execute(sql`
    insert into diary_entries (user_id, entry_date, content, size, updated_at)
    select ${userId}, date '2010-01-01' + n, convert_to(n || ' ' || ${content}::text, 'UTF8'),
      octet_length(n || ' ' || ${content}::text), app_now()
    from generate_series(0, ${count - 1}::int) n`)
}

test('a registered person keeps one entry a day on the server [DIARY-01 DIARY-16 DIARY-17 DIARY-22 API-17 API-18 PERM-08]', async () => {
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

test('a diary takes 32 MiB in all: what is over is refused, a shorter text still goes in [S31]', async () => {
  const { person, db } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  const mebibyte = 1024 * 1024
  await addEntries(db, ana.me.id, { count: 32, content: 'x'.repeat(mebibyte - 10_003) })
  const used = async () =>
    Number(
      (await db.execute(sql`select sum(size) as n from diary_entries where user_id = ${ana.me.id}`)).rows[0]![
        'n'
      ],
    )
  const free = 32 * mebibyte - (await used())
  for (let i = 0; free > i * 90_000 && i < 3; i++)
    expect((await save(ana, 'y'.repeat(90_000), { date: `2025-07-0${i + 1}` })).status).toBe(200)
  const left = 32 * mebibyte - (await used())
  const full = await save(ana, 'y'.repeat(left + 1), { date: '2025-08-01' })
  expect(full).toMatchObject({
    status: 400,
    code: 'DiaryFull',
    error: 'Your diary has reached its limit of 32 MiB.',
  })
  expect(await used()).toBe(32 * mebibyte - left)
  expect((await save(ana, 'y'.repeat(left), { date: '2025-08-01' })).status).toBe(200)
  expect(await used()).toBe(32 * mebibyte)
  // Its own former text does not count against a day, a conflict is told first, and others have room.
  expect((await save(ana, 'z'.repeat(left), { date: '2025-08-01' })).status).toBe(200)
  expect(await save(ana, 'longer'.repeat(left), { date: '2025-08-01', base: null })).toMatchObject({
    status: 400,
  })
  expect((await save(ana, '', { date: '2025-08-01' })).status).toBe(200)
  expect((await save(ben, 'y')).status).toBe(200)
})

test('saves at once do not take a diary over its limit together [S31 R5 R6]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  await addEntries(db, ana.me.id, { count: 319, content: 'x'.repeat(100_000) })
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => save(ana, 'y'.repeat(100_000), { date: `20${30 + i}-01-01` })),
  )
  const { rows } = await db.execute<{ n: number }>(sql`select sum(size)::int as n from diary_entries`)
  expect(rows[0]!.n).toBeLessThanOrEqual(32 * 1024 * 1024)
  const kept = answers.filter(({ status }) => status === 200).length
  expect(kept).toBe(Math.floor((32 * 1024 * 1024 - 319 * 100_003) / 100_000) || kept)
  expect(answers.filter(({ code }) => code === 'DiaryFull')).toHaveLength(50 - kept)
  expect(await db.execute(sql`select 1 from diary_entries`)).toMatchObject({ rowCount: 319 + kept })
})

test('a long diary is read whole, and page by page, each day once and oldest first [S30 API-18]', async () => {
  const { person, db } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  await addEntries(db, ana.me.id, { count: 1234, content: 'a day' })
  await addEntries(db, ben.me.id, { count: 3, content: 'another' })
  const all = await ana.does(getDiary)
  expect(all).toHaveLength(1234)
  expect(all.map(({ content }) => content)).toEqual(Array.from({ length: 1234 }, (_, n) => `${n} a day`))
  for (const limit of ['200', '617', '1233', '1234', '5000']) {
    const pages: DiaryEntry[][] = []
    let before: string | undefined
    do {
      const answer = await ana.tries(getDiary, { query: { limit, ...(before && { before }) } })
      pages.unshift(answer.body as DiaryEntry[])
      before = answer.headers['next-before'] as string | undefined
    } while (before !== undefined)
    expect(pages.flat()).toEqual(all)
    expect(pages.at(-1)).toHaveLength(Math.min(Number(limit), 1234))
  }
  expect(await ana.does(getDiary, { query: { limit: '1' } })).toEqual(all.slice(-1))
  expect(await ana.does(getDiary, { query: { before: '2010-01-01' } })).toEqual([])
})

test('without a limit the newest 5000 days come, and the older ones behind their cursor [S30]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  await addEntries(db, ana.me.id, { count: diaryMax + 2, content: 'x' })
  const newest = await ana.tries(getDiary)
  const entries = newest.body as DiaryEntry[]
  expect(entries).toHaveLength(diaryMax)
  expect(entries[0]!.content).toBe('2 x')
  const before = newest.headers['next-before'] as string
  expect(before).toBe(entries[0]!.entry_date)
  const rest = await ana.tries(getDiary, { query: { before } })
  expect((rest.body as DiaryEntry[]).map(({ content }) => content)).toEqual(['0 x', '1 x'])
  expect(rest.headers['next-before']).toBeUndefined()
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

test('saves while the account is being deleted end plainly, and leave nothing [S15 R5 R6]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  const saves = Array.from({ length: 30 }, (_, i) =>
    save(ana, 'late', { date: `2025-06-${String(i + 1).padStart(2, '0')}` }),
  )
  const gone = ana.tries(deleteAccount)
  for (const { status } of await Promise.all(saves)) expect([200, 401]).toContain(status)
  expect((await gone).status).toBe(200)
  expect(await db.execute(sql`select 1 from diary_entries`)).toMatchObject({ rowCount: 0 })
})

test('a diary entry is no calendar note [CAL-16]', async () => {
  const { person } = await startTestApp()
  const ana = await person()
  await save(ana, 'x')
  expect(await ana.does(getCalendar)).toEqual([])
})

test('what a diary takes is summed from the index alone, and a page is one range of the key', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  await addEntries(db, ana.me.id, { count: 5000, content: 'x'.repeat(500) })
  const planOf = async (query: string) => {
    const { rows } = await db.execute(sql.raw(`explain ${query}`))
    return rows.map((row) => String(row['QUERY PLAN'])).join('\n')
  }
  await db.execute(
    sql`insert into users (id, created_at) select 'p' || n, app_now() from generate_series(1, 200) n`,
  )
  await db.execute(
    sql`insert into diary_entries select 'p' || n, entry_date, content, key_id, size, updated_at from diary_entries, generate_series(1, 20) n`,
  )
  await db.execute(sql`vacuum analyze diary_entries`)
  expect(
    await planOf(`select sum(size) from diary_entries where user_id = 'p7' and entry_date <> '2010-01-01'`),
  ).toContain('diary_size_of_person')
  expect(
    await planOf(
      `select * from diary_entries where user_id = 'p7' and entry_date > '2010-05-01' order by entry_date limit 200`,
    ),
  ).toMatch(/Index Scan using diary_entries_user_id_entry_date_pk/)
})
