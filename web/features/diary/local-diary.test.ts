import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fillStorage } from '#web/lib/testing.ts'
import { copyToBrowser, entryForm, hasSavedText, localDiary, localForm } from './local-diary.ts'

const early = '2025-06-10T08:00:00.000Z'
const late = '2025-06-10T09:00:00.000Z'
const entry = (entry_date: string, content = 'Text', updated_at: string | null = early) => ({
  entry_date,
  content,
  updated_at,
})
const local = localDiary('ana')
const on = new AbortController().signal

beforeEach(() => localStorage.clear())
afterEach(() => void vi.unstubAllGlobals())

test('an entry is stored in this browser with the fields of the server and a flag that it is saved [DIARY-17 DIARY-18]', () => {
  const here = localForm(entry('2025-06-10'))
  expect(here).toEqual({
    date: '2025-06-10',
    content: 'Text',
    saved: true,
    updated_at: early,
  })
  expect(entryForm(here)).toEqual(entry('2025-06-10'))
})

test.each([
  ['Text', early, true],
  ['', early, false],
  [' \n\u200b', early, false],
  ['Text', null, false],
])(
  'an entry with the text %j and the version %s is shown to its reader: %s [DIARY-30 DIARY-49]',
  (content, at, shown) => {
    expect(hasSavedText(entry('2025-06-10', content, at))).toBe(shown)
  },
)

test('a person has a copy of the days of the account in this browser [DIARY-34]', async () => {
  await copyToBrowser(local, [entry('2025-06-09'), entry('2025-06-10')], on)
  expect(local.all()).toEqual([localForm(entry('2025-06-09')), localForm(entry('2025-06-10'))])
})

test('a copy that is older than the account is replaced, and a newer one stays [DIARY-34]', async () => {
  await copyToBrowser(local, [entry('2025-06-09'), entry('2025-06-10', 'Newer here', late)], on)
  const before = local.version()
  await copyToBrowser(local, [entry('2025-06-09'), entry('2025-06-10')], on)
  expect(local.version()).toBe(before)
  await copyToBrowser(local, [entry('2025-06-09', 'Newer there', late)], on)
  expect(local.read('2025-06-09')?.content).toBe('Newer there')
  expect(local.read('2025-06-10')?.content).toBe('Newer here')
})

test('an unsaved text in this browser is not replaced by a copy [DIARY-14 DIARY-34]', async () => {
  const waiting = {
    date: '2025-06-10',
    content: 'Unsaved',
    saved: false,
    updated_at: null,
  }
  local.write('2025-06-10', waiting)
  await copyToBrowser(local, [entry('2025-06-10', 'Text', late)], on)
  expect(local.read('2025-06-10')).toEqual(waiting)
})

test('a long diary is copied from its latest day backwards, and leaves room for other data [DIARY-50]', async () => {
  const year = '2025-06-'
  const long = [10, 11, 12, 13].map((day) => entry(`${year}${day}`, 'x'.repeat(1_000_000)))
  await copyToBrowser(local, long, on)
  expect(local.all().map(({ date }) => date)).toEqual(['2025-06-11', '2025-06-12', '2025-06-13'])
})

test('a person whose browser has no room gets no copy and no error [DIARY-50]', async () => {
  local.write('2025-06-08', localForm(entry('2025-06-08')))
  fillStorage()
  await copyToBrowser(local, [entry('2025-06-09'), entry('2025-06-10')], on)
  expect(local.all()).toEqual([localForm(entry('2025-06-08'))])
})

test('a person who logs out while days are copied has no copy left in this browser [S48]', async () => {
  const leaving = new AbortController()
  const many = Array.from({ length: 300 }, (_, i) =>
    entry(new Date(86_400_000 * i).toISOString().slice(0, 10)),
  )
  const copying = copyToBrowser(local, many, leaving.signal)
  leaving.abort()
  localStorage.clear()
  await copying
  expect(local.all()).toEqual([])
})

test('a person with damaged days in this browser reads the other days [S48]', () => {
  local.write('2025-06-10', localForm(entry('2025-06-10')))
  localStorage.setItem('diary:ana:2025-06-09', '{"date":"2025-06-09","content":"Old form"}')
  localStorage.setItem('diary:ana:not-a-day', '{}')
  expect(local.all()).toEqual([localForm(entry('2025-06-10'))])
})
