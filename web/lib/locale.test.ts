import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { clockFormat, timeOfDay } from './locale.ts'
import { timeInField } from './time-in-field.ts'

test.each([
  ['en-US', '8:05 PM', '12:05 AM'],
  ['en-GB', '20:05', '00:05'],
  ['de-DE', '20:05', '00:05'],
  ['en-AU', '8:05 PM', '12:05 AM'],
])('a reader with the locale %s reads the times %s and %s', (locale, evening, night) => {
  const format = new Intl.DateTimeFormat('en', { ...clockFormat(locale), timeZone: 'UTC' })
  const written = (time: string) => format.format(new Date(`2025-06-10T${time}:00Z`)).replace(/\s/u, ' ')
  expect([written('20:05'), written('00:05')]).toEqual([evening, night])
})

test('a reader finds times in the same form on every page, because only one function writes a time of day [LOOP-30]', () => {
  const root = join(import.meta.dirname, '../..')
  // An import writes no time for a reader: it finds the day and the minute of an entry in another time zone.
  const ofImports = 'contract/imports/reading/local-time.ts'
  const sources = globSync('{contract,server,web}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: [
      '**/*.test.*',
      '**/testing{.tsx,/**}',
      'web/lib/locale.ts',
      'web/lib/time-in-field.ts',
      ofImports,
      // It finds the instant at which an hour begins.
      'server/features/away-notifications/times.ts',
      // A mail has no clock of a reader: it names the time zone.
      'server/features/mails/letters.ts',
    ],
  })
  expect(sources.length).toBeGreaterThan(500)
  const found = sources.filter((path) => writesTime(readFileSync(join(root, path), 'utf8')))
  expect(found).toEqual([])
})

// Backups, ids and telemetry name instants in UTC by ISO 8601, which is no time of day for readers.
const writesTime = (source: string) =>
  /timeStyle|toLocaleTimeString|toTimeString|\bhour(12|Cycle)?: |\bclockFormat\(|\.\.\.clock|getHours|getMinutes/.test(
    source,
  )

test.each([
  "new Date().toLocaleTimeString('en')",
  "new Intl.DateTimeFormat('en', { timeStyle: 'short' })",
  "new Intl.DateTimeFormat('en', { hour: 'numeric' })",
  "new Intl.DateTimeFormat('en', { ...clockFormat() })",
  '`${at.getHours()}:${at.getMinutes()}`',
])('the search finds %s, which writes a time of day [LOOP-30]', (source) => {
  expect(writesTime(source)).toBe(true)
})

test('a time of day is written with the parts of its date that are asked for, by the clock of the reader [LOOP-30]', () => {
  const at = '2025-06-10T18:05:00Z'
  const zone = { timeZone: 'UTC' }
  const written = (text: string) => text.replace(/\s/gu, ' ')
  expect(written(timeOfDay(at, zone, clockFormat('en-US')))).toBe('6:05 PM')
  expect(written(timeOfDay(new Date(at), zone, clockFormat('de-DE')))).toBe('18:05')
  expect(written(timeOfDay(at, { month: 'short', day: 'numeric', ...zone }, clockFormat('de-DE')))).toBe(
    'Jun 10, 18:05',
  )
})

test('a time of day follows the device into another time zone [LOOP-30]', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  const timeIn = (timeZone: string) => {
    vi.stubEnv('TZ', timeZone)
    return timeOfDay('2025-06-10T18:05:00Z', {}, clockFormat('de-DE'))
  }
  expect([timeIn('Europe/Berlin'), timeIn('Asia/Tokyo')]).toEqual(['20:05', '03:05'])
})

test.each([
  ['Europe/Berlin', ['20:05:00', '19:05:00'], 'Africa/Johannesburg', ['20:05:00', '20:05:00']],
  // In winter both have the same offset, and the same name.
  ['America/Denver', ['12:05:00', '11:05:00'], 'America/Phoenix', ['11:05:00', '11:05:00']],
] as const)(
  'times of summer and winter follow the device from %s, whose times are %j, into a time zone that shares an offset, %s [LOOP-30]',
  (from, before, to, after) => {
    onTestFinished(() => void vi.unstubAllEnvs())
    const timesIn = (timeZone: string) => {
      vi.stubEnv('TZ', timeZone)
      return ['2025-06-10T18:05:00Z', '2025-12-10T18:05:00Z'].map((at) =>
        timeOfDay(at, { second: '2-digit' }, clockFormat('de-DE')),
      )
    }
    expect(timesIn(from)).toEqual(before)
    expect(timesIn(to)).toEqual(after)
  },
)

test.each([
  [[9, 5], '09:05'],
  [[0, 0], '00:00'],
  [[23, 59], '23:59'],
] as const)('a field of a form has the time %s as %s, whatever the locale [LOOP-11]', (time, field) => {
  expect(timeInField(new Date(2025, 5, 10, ...time))).toBe(field)
})
