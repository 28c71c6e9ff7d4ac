import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { localDays } from './local-days.ts'
import { fillStorage } from './testing.ts'

const Row = z.object({ date: z.string(), content: z.string() })
const days = (owner = 'ana') => localDays('diary', owner, Row)
const row = (date: string, content = 'Text') => ({ date, content })

beforeEach(() => localStorage.clear())
afterEach(() => void vi.unstubAllGlobals())

test('each day of a person has a key of its own, and others do not see it [DIARY-18 DIARY-19]', () => {
  expect(days().write('2025-06-10', row('2025-06-10'))).toBe(true)
  expect(JSON.parse(localStorage.getItem('diary:ana:2025-06-10')!)).toEqual(row('2025-06-10'))
  expect(days().read('2025-06-10')).toEqual(row('2025-06-10'))
  expect(days('ben').read('2025-06-10')).toBeUndefined()
  expect(days('ben').all()).toEqual([])
  expect(localDays('notes', 'ana', Row).all()).toEqual([])
})

test('all days come in the order of the calendar, whenever they were written', () => {
  for (const day of ['2025-06-10', '2024-12-31', '2025-01-02']) days().write(day, row(day))
  expect(
    days()
      .all()
      .map(({ date }) => date),
  ).toEqual(['2024-12-31', '2025-01-02', '2025-06-10'])
})

test('another tab sees by the version that something was written or removed [DIARY-34]', () => {
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

test.each(['NaN', 'seven', ''])('a damaged version %j counts on [S48 DIARY-34]', (damaged) => {
  localStorage.setItem('diary:ana:version', damaged)
  days().write('2025-06-10', row('2025-06-10'))
  const first = days().version()
  days().write('2025-06-10', row('2025-06-10'))
  expect(days().version()).not.toBe(first)
})

test('a row that is read again and did not change is the same one', () => {
  const kept = days()
  kept.write('2025-06-10', row('2025-06-10'))
  expect(kept.read('2025-06-10')).toBe(kept.read('2025-06-10'))
})

test.each(['{', 'null', '[]', '{"date":"2025-06-09"}', '{"date":"2025-06-09","content":7}'])(
  'a damaged row %s is set aside and the others are shown [S48]',
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

test('a damaged row stays where it is when there is no room to set it aside [S48 DIARY-50]', () => {
  localStorage.setItem('diary:ana:2025-06-09', '{')
  fillStorage()
  expect(days().read('2025-06-09')).toBeUndefined()
  expect(localStorage.getItem('diary:ana:2025-06-09')).toBe('{')
})

test('a full browser says that there is no room, and keeps what it has [DIARY-50]', () => {
  days().write('2025-06-10', row('2025-06-10'))
  fillStorage()
  expect(days().write('2025-06-10', row('2025-06-10', 'More'))).toBe(false)
  expect(days().write('2025-06-11', row('2025-06-11'))).toBe(false)
  expect(days().all()).toEqual([row('2025-06-10')])
})

test('a browser without storage keeps nothing, and the page works [DIARY-50]', () => {
  vi.stubGlobal('localStorage', undefined)
  expect(days().write('2025-06-10', row('2025-06-10'))).toBe(false)
  days().remove('2025-06-10')
  expect([days().read('2025-06-10'), days().all(), days().version()]).toEqual([undefined, [], ''])
})
