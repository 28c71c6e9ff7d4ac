import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { CompetitionEntry, competitionOf, isOverWordLimit, statusColors } from './competition.ts'

const portal = 'https://portal.example/enter'
const on = (day: string) => competitionOf(new Date(`${day}T12:00:00Z`), 'UTC', portal)
const entry = { title: 'Lamp', content: 'One light.', authorName: 'Ana Lima', email: 'ana@example.org' }
const anInstant = fc.date({
  min: new Date('1900-01-03T00:00:00Z'),
  max: new Date('2100-12-29T00:00:00Z'),
  noInvalidDate: true,
})

test('a competition has every fact that an entrant needs [COMP-02]', () => {
  expect(on('2025-06-10')).toEqual({
    id: '2025-06',
    title: 'Writing Competition June 2025',
    description: expect.any(String),
    prize: expect.any(String),
    deadline: '2025-06-30',
    submissionLink: portal,
    category: 'Fiction or Poetry',
    entryFee: 5,
    wordLimit: 3000,
    status: 'open',
    month: 'June',
    year: 2025,
  })
})

test.each([
  ['2025-06-10T12:00:00Z', 'UTC', '2025-06'],
  ['2025-12-31T23:30:00Z', 'UTC', '2025-12'],
  ['2025-12-31T23:30:00Z', 'Europe/Berlin', '2026-01'],
  ['2026-01-01T03:00:00Z', 'America/New_York', '2025-12'],
])('at %s in %s the id of the competition is its year and month, %s [COMP-03]', (instant, zone, id) => {
  expect(competitionOf(new Date(instant), zone, portal).id).toBe(id)
})

test('the entry fee is $5 [COMP-04]', () => {
  expect(on('2025-06-10').entryFee).toBe(5)
})

test('the word limit is 3000 words: the 3001st is one too many [COMP-05 COMP-21]', () => {
  expect(on('2025-06-10').wordLimit).toBe(3000)
  expect(isOverWordLimit('word \n'.repeat(3000))).toBe(false)
  expect(isOverWordLimit('word \n'.repeat(3001))).toBe(true)
  expect(isOverWordLimit('')).toBe(false)
})

test('the first prize is $100 and featured publication [COMP-06]', () => {
  expect(on('2025-06-10').prize).toContain('$100 plus featured publication')
})

test('honourable mentions get $25 and recognition [COMP-07]', () => {
  expect(on('2025-06-10').prize).toContain('Honourable mentions: $25 plus recognition')
})

test.each([
  ['2025-06-01', '2025-06-30'],
  ['2025-07-31', '2025-07-31'],
  ['2025-02-10', '2025-02-28'],
  ['2024-02-10', '2024-02-29'],
  ['2025-12-05', '2025-12-31'],
])('the deadline seen on %s is %s, the last day of the month [COMP-08]', (day, deadline) => {
  expect(on(day).deadline).toBe(deadline)
})

test('the category is Fiction or Poetry [COMP-09]', () => {
  expect(on('2025-06-10').category).toBe('Fiction or Poetry')
})

test.each(['2025-06-01', '2025-06-21', '2025-06-22', '2025-02-20', '2024-02-21', '2025-12-23'])(
  'on %s more than 7 days remain and the competition is open [COMP-10]',
  (day) => {
    expect(on(day).status).toBe('open')
  },
)

test.each(['2025-06-23', '2025-06-24', '2025-06-30', '2025-02-21', '2024-02-22', '2025-12-24'])(
  'on %s 7 or fewer days remain and the competition is closing soon [COMP-11]',
  (day) => {
    expect(on(day).status).toBe('closing-soon')
  },
)

test('the days that remain are counted in the time zone of the application [COMP-10 COMP-11]', () => {
  const lateEvening = new Date('2025-06-22T22:30:00Z')
  expect(competitionOf(lateEvening, 'UTC', portal).status).toBe('open')
  expect(competitionOf(lateEvening, 'Europe/Berlin', portal).status).toBe('closing-soon')
})

test('a closed competition would be red [COMP-12]', () => {
  expect(statusColors.closed).toBe('bad')
})

test('no competition is ever closed: its deadline is never past [COMP-13]', () => {
  fc.assert(
    fc.property(anInstant, fc.constantFrom('UTC', 'Pacific/Apia', 'America/Havana'), (now, zone) => {
      const { status, deadline, id } = competitionOf(now, zone, portal)
      expect(['open', 'closing-soon']).toContain(status)
      expect(deadline.slice(0, 7)).toBe(id)
    }),
  )
})

test('title, two sentences, portal and the colours green and amber are settled [COMP-14]', () => {
  const { title, description, submissionLink } = on('2026-01-31')
  expect(title).toBe('Writing Competition January 2026')
  expect(description.match(/[A-Z][^.]+\.(?: |$)/g)).toHaveLength(2)
  expect(on('2025-06-01').description).toBe(description)
  expect(submissionLink).toBe(portal)
  expect(statusColors).toMatchObject({ open: 'good', 'closing-soon': 'warn' })
})

test('an entry has a title, content, author name, email and perhaps a bio [COMP-16]', () => {
  const full = { ...entry, bio: 'Writes at night.' }
  expect(CompetitionEntry.parse(full)).toEqual(full)
})

test.each(['title', 'content', 'authorName', 'email'])(
  'an entry without %s, or with a blank one, is refused at that field [COMP-17]',
  (field) => {
    for (const value of [undefined, '', ' \n', '\u200b']) {
      const answer = CompetitionEntry.safeParse({ ...entry, [field]: value })
      expect(answer.error?.issues.map((issue) => issue.path[0])).toContain(field)
    }
  },
)

test('an entry needs no bio [COMP-18]', () => {
  expect(CompetitionEntry.safeParse(entry).success).toBe(true)
  expect(CompetitionEntry.safeParse({ ...entry, bio: '' }).success).toBe(true)
})

test('the email of an entry is an email address [COMP-19]', () => {
  for (const email of ['ana', 'ana@', '@example.org', 'ana at example.org']) {
    expect(CompetitionEntry.safeParse({ ...entry, email }).success).toBe(false)
  }
  expect(CompetitionEntry.safeParse({ ...entry, email: ' ana.lima+w@mail.example.org ' }).success).toBe(true)
})
