import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { getCalendar, saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { getDiary, getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { createLog } from '#server/log.ts'
import { contentOf } from '#server/testing/content.ts'
import { startTestApp } from '#server/testing/test-app.ts'

const dayOf = (n: number) => new Date(Date.UTC(2025, 0, n)).toISOString().slice(0, 10)

/** An encrypted diary and calendar of 120 days, in which the rows of some days no longer are what was written. */
async function startDamaged(days: string[]) {
  const lines: string[] = []
  const logger = createLog('error', { write: (line: string) => void lines.push(line) })
  const t = await startTestApp({ config: { diaryKey: 'a1'.repeat(32) }, logger })
  const ana = await t.person()
  const entries = []
  for (let n = 1; n <= 120; n++)
    entries.push(await ana.does(saveDiaryEntry, { input: { date: dayOf(n), content: `entry ${n}` } }))
  await ana.does(saveCalendarNote, { input: { date: dayOf(1), note: 'note 1' } })
  await ana.does(saveCalendarNote, { input: { date: dayOf(2), note: 'note 2' } })
  const isDamaged = sql`= any(${sql.param(days)}::date[])`
  await t.db.execute(
    sql`update diary_entries set content = set_byte(content, 30, 255 - get_byte(content, 30)) where entry_date ${isDamaged}`,
  )
  await t.db.execute(sql`update calendar_notes set content = '\\x00' where note_date ${isDamaged}`)
  const told = () => lines.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>)
  return { ...t, ana, entries, told }
}

test('a damaged day is logged in one line without its person, and the writer reads all other days [S44 R15]', async () => {
  const { ana, entries, told } = await startDamaged([dayOf(2)])
  expect(await ana.does(getDiary)).toEqual(entries.filter(({ entry_date }) => entry_date !== dayOf(2)))
  const line = {
    level: 50,
    time: expect.any(String),
    kind: 'diary',
    key: '2025-01-02',
    msg: 'A stored text is damaged: it cannot be decrypted. It was left as it is.',
  }
  expect(told()).toEqual([line])
  expect((await ana.does(getCalendar)).map(({ content }) => content)).toEqual(['note 1'])
  expect(told()).toEqual([{ ...line, kind: 'calendar' }])
})

test('a writer with a season of damaged days, the last ones included, reads every other day [S44]', async () => {
  const damaged = Array.from({ length: 110 }, (_, n) => dayOf(n + 11))
  const { ana, entries } = await startDamaged(damaged)
  expect(await ana.does(getDiary)).toEqual(entries.slice(0, 10))
  const page = await ana.tries(getDiary, { query: { limit: '115' } })
  expect(page.body).toEqual(entries.slice(5, 10))
  expect(page.headers['next-before']).toBe(dayOf(6))
})

test('a writer who starts a damaged day as if it were empty is refused, and the row stays as it is [S44]', async () => {
  const { ana, db } = await startDamaged([dayOf(2)])
  const before = await contentOf(db)
  for (const answer of [
    await ana.tries(getDiaryEntry, { params: { day: dayOf(2) } }),
    await ana.tries(saveDiaryEntry, { input: { date: dayOf(2), content: 'anew', base: null } }),
    await ana.tries(saveCalendarNote, { input: { date: dayOf(2), note: 'anew', base: null } }),
  ])
    expect(answer).toMatchObject({
      status: 400,
      code: 'DayDamaged',
      error: 'What is stored for this day is damaged and cannot be read. Nothing was overwritten.',
    })
  expect(await contentOf(db)).toEqual(before)
})

test('a writer who still has the text of a damaged day restores it by saving [S44]', async () => {
  const { ana, entries } = await startDamaged([dayOf(2)])
  const input = { date: dayOf(2), content: 'entry 2, again', base: entries[1]!.updated_at }
  const saved = await ana.does(saveDiaryEntry, { input })
  expect(await ana.does(getDiaryEntry, { params: { day: dayOf(2) } })).toEqual(saved)
})
