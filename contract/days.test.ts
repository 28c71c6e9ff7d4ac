import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, dayAtOffset, dayLabel, dayOf, daysBetween, isDay, startOfDay } from '#contract/days.ts'

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'America/Havana',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
]
const aZone = fc.constantFrom(...zones)
const anInstant = fc.date({
  min: new Date('1900-01-03T00:00:00Z'),
  max: new Date('2100-12-29T00:00:00Z'),
  noInvalidDate: true,
})
const aDay = anInstant.map((date) => date.toISOString().slice(0, 10))

test.each([
  ['2025-06-10', true],
  ['2024-02-29', true],
  ['2000-02-29', true],
  ['1900-01-01', true],
  ['2100-12-31', true],
  ['2026-02-30', false],
  ['2025-02-29', false],
  ['1900-02-29', false],
  ['2025-04-31', false],
  ['2025-13-01', false],
  ['2025-00-10', false],
  ['2025-06-00', false],
  ['1899-12-31', false],
  ['2101-01-01', false],
  ['2025-6-1', false],
  ['25-06-10', false],
  ['2025-06-10T00:00', false],
  ['2025-06-10\n', false],
  [' 2025-06-10', false],
  ['٢٠٢٥-٠٦-١٠', false],
  ['', false],
])('%j is a day: %s [S29]', (text, real) => {
  expect(isDay(text)).toBe(real)
})

test('a text is accepted as a day exactly when the calendar has that day [S29]', () => {
  fc.assert(
    fc.property(number(1890, 2110, 4), number(0, 13, 2), number(0, 32, 2), (year, month, day) => {
      const text = `${year}-${month}-${day}`
      const inRange = year >= '1900' && year <= '2100'
      expect(isDay(text)).toBe(inRange && isInCalendar(text))
    }),
  )
})

test.each([
  ['2025-06-10T21:59:59.999Z', 'Europe/Berlin', '2025-06-10'],
  ['2025-06-10T22:00:00.000Z', 'Europe/Berlin', '2025-06-11'],
  ['2025-06-10T03:59:00.000Z', 'America/New_York', '2025-06-09'],
  ['2025-12-31T10:00:00.000Z', 'Pacific/Kiritimati', '2026-01-01'],
  ['2025-01-01T11:59:59.999Z', 'Etc/GMT+12', '2024-12-31'],
  ['2025-06-10T18:14:59.000Z', 'Asia/Kathmandu', '2025-06-10'],
  ['2025-06-10T18:15:00.000Z', 'Asia/Kathmandu', '2025-06-11'],
])('at %s in %s it is %s [S29]', (instant, zone, day) => {
  expect(dayOf(new Date(instant), zone)).toBe(day)
})

test('an instant has the day of the calendar in every zone [S29]', () => {
  fc.assert(
    fc.property(anInstant, aZone, (instant, zone) => {
      const calendar = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone)
      expect(dayOf(instant, zone)).toBe(calendar.toPlainDate().toString())
    }),
  )
})

test.each([
  ['2025-06-10', 1, '2025-06-11'],
  ['2025-03-01', -1, '2025-02-28'],
  ['2024-03-01', -1, '2024-02-29'],
  ['2025-12-31', 1, '2026-01-01'],
  ['2025-06-10', -36500, '1925-07-05'],
  ['2025-06-10', 0, '2025-06-10'],
])('%s and %i days is %s [S29]', (day, days, expected) => {
  expect(addDays(day, days)).toBe(expected)
})

test('days are added and counted by calendar [S29]', () => {
  fc.assert(
    fc.property(aDay, fc.integer({ min: -20_000, max: 20_000 }), (day, days) => {
      const later = Temporal.PlainDate.from(day).add({ days }).toString()
      expect(addDays(day, days)).toBe(later)
      expect(daysBetween(day, later)).toBe(days)
    }),
  )
})

test('day offset 0 is today in the zone of the application [FEED-08]', () => {
  const now = new Date('2025-06-10T22:30:00Z')
  expect(dayAtOffset(now, 'Europe/Berlin', 0)).toBe('2025-06-11')
  expect(dayAtOffset(now, 'UTC', 0)).toBe('2025-06-10')
})

test('a day offset counts calendar days back from today, also when the clocks change [FEED-09]', () => {
  const afterTheChange = new Date('2025-03-30T22:30:00Z')
  expect([0, 1, 2, 3].map((offset) => dayAtOffset(afterTheChange, 'Europe/Berlin', offset))).toEqual([
    '2025-03-31',
    '2025-03-30',
    '2025-03-29',
    '2025-03-28',
  ])
  fc.assert(
    fc.property(anInstant, aZone, fc.nat(5000), (now, zone, offset) => {
      expect(dayAtOffset(now, zone, offset + 1) < dayAtOffset(now, zone, offset)).toBe(true)
    }),
  )
})

test.each([
  ['2025-06-10', 'UTC', '2025-06-10T00:00:00.000Z'],
  ['2025-06-10', 'Europe/Berlin', '2025-06-09T22:00:00.000Z'],
  ['2025-01-10', 'Europe/Berlin', '2025-01-09T23:00:00.000Z'],
  ['2025-03-31', 'Europe/Berlin', '2025-03-30T22:00:00.000Z'],
  // Midnight does not exist: the day begins at one o'clock.
  ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ['2025-04-25', 'Africa/Cairo', '2025-04-24T22:00:00.000Z'],
  // Midnight comes twice: the day begins at the first.
  ['2025-11-02', 'America/Havana', '2025-11-02T04:00:00.000Z'],
  // Samoa left out this whole day.
  ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
])('%s in %s begins at %s [S29]', (day, zone, instant) => {
  expect(startOfDay(day, zone).toISOString()).toBe(instant)
})

test('a day begins at its first instant, in every zone [S29]', () => {
  fc.assert(
    fc.property(aDay, aZone, (day, zone) => {
      const expected = Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds
      expect(startOfDay(day, zone).getTime()).toBe(expected)
    }),
  )
})

test('today is labelled Today [FEED-05]', () => {
  expect(dayLabel('2025-06-10', '2025-06-10')).toBe('Today')
})

test('the day before is labelled Yesterday, over the ends of months and years too [FEED-06]', () => {
  expect(dayLabel('2025-06-09', '2025-06-10')).toBe('Yesterday')
  expect(dayLabel('2025-05-31', '2025-06-01')).toBe('Yesterday')
  expect(dayLabel('2024-12-31', '2025-01-01')).toBe('Yesterday')
})

test.each([
  ['2025-06-02', '2025-06-10', 'Monday, Jun 2'],
  ['2025-06-08', '2025-06-10', 'Sunday, Jun 8'],
  ['2024-02-29', '2025-06-10', 'Thursday, Feb 29, 2024'],
  ['2024-12-30', '2025-01-01', 'Monday, Dec 30, 2024'],
])('%s seen on %s is labelled %s [FEED-07]', (day, today, label) => {
  expect(dayLabel(day, today)).toBe(label)
})

function number(min: number, max: number, width: number) {
  return fc.integer({ min, max }).map((value) => String(value).padStart(width, '0'))
}

function isInCalendar(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}
