import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { localDays } from './local-days.ts'
import { fillStorage } from './testing.ts'

const Row = z.object({ date: z.string(), content: z.string() })
const days = (owner = 'ana') => localDays('diary', owner, Row)
const row = (date: string, content = 'Text') => ({ date, content })

beforeEach(() => localStorage.clear())
afterEach(() => void vi.unstubAllGlobals())

test('each day of a person has a key of its own, and another person does not read it [DIARY-18 DIARY-19]', () => {
  expect(days().write('2025-06-10', row('2025-06-10'))).toBe(true)
  expect(JSON.parse(localStorage.getItem('diary:ana:2025-06-10')!)).toEqual(row('2025-06-10'))
  expect(days().read('2025-06-10')).toEqual(row('2025-06-10'))
  expect(days('ben').read('2025-06-10')).toBeUndefined()
  expect(days('ben').all()).toEqual([])
  expect(localDays('notes', 'ana', Row).all()).toEqual([])
})

test('a person reads all days in the order of their dates, not in the order of writing', () => {
  for (const day of ['2025-06-10', '2024-12-31', '2025-01-02']) days().write(day, row(day))
  expect(
    days()
      .all()
      .map(({ date }) => date),
  ).toEqual(['2024-12-31', '2025-01-02', '2025-06-10'])
})

test('another tab reads from the version that a day was written or removed [DIARY-34]', () => {
  const [here, there] = [days(), days()]
  const versions = [here.version()]
  there.write('2025-06-10', row('2025-06-10'))
  versions.push(here.version())
  there.write('2025-06-10', row('2025-06-10', 'Another text'))
  versions.push(here.version())
  expect(here.read('2025-06-10')?.content).toBe('Another text')
  there.remove('2025-06-10')
  versions.push(here.version())
  expect(here.read('2025-06-10')).toBeUndefined()
  expect(new Set(versions).size).toBe(4)
})

test.each(['NaN', 'seven', ''])(
  'after a damaged version %j the next change still changes the version [S48 DIARY-34]',
  (damaged) => {
    localStorage.setItem('diary:ana:version', damaged)
    days().write('2025-06-10', row('2025-06-10'))
    const first = days().version()
    days().write('2025-06-10', row('2025-06-10'))
    expect(days().version()).not.toBe(first)
  },
)

test('a row that did not change is the same object when it is read again', () => {
  const kept = days()
  kept.write('2025-06-10', row('2025-06-10'))
  expect(kept.read('2025-06-10')).toBe(kept.read('2025-06-10'))
})

test.each(['{', 'null', '[]', '{"date":"2025-06-09"}', '{"date":"2025-06-09","content":7}'])(
  'a damaged row %s is kept under another key, and the person reads the other days [S48]',
  (damaged) => {
    localStorage.setItem('diary:ana:2025-06-09', damaged)
    days().write('2025-06-10', row('2025-06-10'))
    expect(days().all()).toEqual([row('2025-06-10')])
    expect(localStorage.getItem('diary:ana:2025-06-09')).toBeNull()
    expect(localStorage.getItem('diary:ana:damaged:2025-06-09')).toBe(damaged)
    expect(days().write('2025-06-09', row('2025-06-09'))).toBe(true)
    expect(days().all()).toHaveLength(2)
    expect(localStorage.getItem('diary:ana:damaged:2025-06-09')).toBe(damaged)
  },
)

test('a damaged row stays under its key when the browser has no room for another key [S48 DIARY-50]', () => {
  localStorage.setItem('diary:ana:2025-06-09', '{')
  fillStorage()
  expect(days().read('2025-06-09')).toBeUndefined()
  expect(localStorage.getItem('diary:ana:2025-06-09')).toBe('{')
})

test('a person whose browser is full learns that a day was not stored, and keeps the stored days [DIARY-50]', () => {
  days().write('2025-06-10', row('2025-06-10'))
  fillStorage()
  expect(days().write('2025-06-10', row('2025-06-10', 'More'))).toBe(false)
  expect(days().write('2025-06-11', row('2025-06-11'))).toBe(false)
  expect(days().all()).toEqual([row('2025-06-10')])
})

test('a person whose browser has no storage reads no days, and nothing throws [DIARY-50]', () => {
  vi.stubGlobal('localStorage', undefined)
  expect(days().write('2025-06-10', row('2025-06-10'))).toBe(false)
  days().remove('2025-06-10')
  expect([days().read('2025-06-10'), days().all(), days().version()]).toEqual([undefined, [], ''])
})
