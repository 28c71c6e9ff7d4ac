import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { diaryMax, getDiary, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { type DiaryEntry, diaryMaxMiB } from '#contract/diary/entry.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { save } from '#server/testing/diary.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { planOf } from '#server/testing/plan.ts'
import { startTestApp } from '#server/testing/test-app.ts'

/** A diary as if it had been written day by day, without a call for each. */
async function addEntries(db: Db, userId: string, { count, content }: { count: number; content: string }) {
  await db.execute(sql`
    insert into diary_entries (user_id, entry_date, content, size, updated_at)
    select ${userId}, date '2010-01-01' + n, convert_to(n || ' ' || ${content}::text, 'UTF8'),
      octet_length(n || ' ' || ${content}::text), app_now()
    from generate_series(0, ${count - 1}::int) n`)
}

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
  // There is space for one more text of this length.
  await addEntries(db, ana.me.id, { count: 334, content: 'x'.repeat(100_000) })
  // All saves that may run at once have begun, so that none of them sees the text of another one.
  const release = await holdLocks(db, sql`select 1 from users for update`)
  const saving = Promise.all(
    Array.from({ length: 50 }, (_, i) => save(ana, 'y'.repeat(100_000), { date: `20${30 + i}-01-01` })),
  )
  await untilLockWaits(db, 4)
  await release()
  const answers = await saving
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'DiaryFull')).toHaveLength(49)
  const { rows } = await db.execute(
    sql`select count(*)::int, sum(size)::int <= ${diaryMaxMiB * 2 ** 20} as fits from diary_entries`,
  )
  expect(rows).toEqual([{ count: 335, fits: true }])
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

test('what a diary takes is summed from the index alone, and a page is one range of the key', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  await addEntries(db, ana.me.id, { count: 5000, content: 'x'.repeat(500) })
  await db.execute(
    sql`insert into users (id, created_at) select 'p' || n, app_now() from generate_series(1, 200) n`,
  )
  await db.execute(
    sql`insert into diary_entries select 'p' || n, entry_date, content, key_id, size, updated_at from diary_entries, generate_series(1, 20) n`,
  )
  await db.execute(sql`vacuum analyze diary_entries`)
  expect(await planOf(db, sql`select sum(size) from diary_entries where user_id = 'p7'`)).toContain(
    'diary_size_of_person',
  )
  expect(
    await planOf(
      db,
      sql`select * from diary_entries where user_id = 'p7' and entry_date > '2010-05-01' order by entry_date limit 200`,
    ),
  ).toMatch(/Index Scan using diary_entries_user_id_entry_date_pk/)
})

test('a fifth list of one person at a time is refused before anything is read for it [R24 R25]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  await ana.does(saveDiaryEntry, { input: { date: '2025-06-10', content: 'Rain.' } })
  const open = await db.transaction(async (tx) => {
    await tx.execute('lock table diary_entries in access exclusive mode')
    const open = Array.from({ length: 4 }, () => ana.tries(getDiary))
    // Nobody can read the table: an answer shows that it was not asked.
    expect(await ana.tries(getDiary)).toMatchObject({ status: 429, code: 'TooManyRequests' })
    return open
  })
  for (const { status } of await Promise.all(open)) expect(status).toBe(200)
  expect(await ana.does(getDiary)).toHaveLength(1)
})
