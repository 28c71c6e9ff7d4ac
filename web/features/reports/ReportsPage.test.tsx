import 'fake-indexeddb/auto'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { User } from '#contract/account/user.ts'
import { addDays } from '#contract/days.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { localDiary, localForm } from '#web/features/diary/local-diary.ts'
import { ana, anEntry, emptyBrowser, guest, refusal, serveDiary } from '#web/features/diary/testing.tsx'
import { guestId } from '#web/lib/session-storage.ts'
import { show } from '#web/shell/testing.tsx'
import { ReportsPage } from './ReportsPage.tsx'
import { WorkerHere } from './testing.ts'

const today = '2025-06-10'

beforeEach(async () => {
  await emptyBrowser()
  vi.stubGlobal('Worker', WorkerHere)
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2025, 5, 10, 12) })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const ago = (days: number) => addDays(today, -days)
const daysAgo = (...days: number[]) => days.map((each) => anEntry(ago(each), `Words of ${each}`))
const part = (name: string) => within(screen.getByRole('region', { name }))
const figure = (name: string) =>
  screen.getByText(name, { selector: 'dt' }).parentElement!.querySelector('dd')!.textContent
const bar = (name: string) => {
  const found = part('Writing Streaks').getByRole('progressbar', { name })
  return [found.getAttribute('aria-valuetext'), Number(found.getAttribute('aria-valuenow'))]
}
const badge = () => part('Writing Streaks').getByText('Consistency').querySelector('span')!

async function open(user: User | null, entries: DiaryEntry[] = []) {
  const server = serveDiary(...entries)
  show(<ReportsPage />, { at: '/reports', user })
  await screen.findByText('Total Entries')
  return server
}

test('the reports count the entries of the diary, and their words in any script [REP-01 REP-02 REP-03]', async () => {
  await open(ana, [
    anEntry(ago(0), 'three little words'),
    anEntry(ago(1), 'don’t stop'),
    anEntry(ago(3), ' \n'),
    anEntry(ago(4), 'x '.repeat(1500)),
  ])
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Writing Reports')
  expect(figure('Total Entries')).toBe('3')
  expect(figure('Total Words')).toBe('1,505')
  expect(figure('Current Streak')).toBe('2 days')
  expect(figure('Writing Frequency')).toBe('10%')
})

test('the streak bars scale to 30 and to 50 days, and the longest one is of all entries [REP-04 REP-07 REP-16]', async () => {
  const recent = Array.from({ length: 6 }, (_, i) => i + 1)
  const long = Array.from({ length: 40 }, (_, i) => i + 100)
  await open(ana, daysAgo(...recent, ...long))
  expect(bar('Current streak')).toEqual(['6 days', 20])
  expect(bar('Longest streak')).toEqual(['40 days', 80])
})

test('the current streak looks back 30 days at most, and the frequency never passes 100 [REP-05 REP-06 REP-16]', async () => {
  await open(ana, daysAgo(...Array.from({ length: 60 }, (_, i) => i)))
  expect(figure('Current Streak')).toBe('30 days')
  expect(figure('Writing Frequency')).toBe('100%')
  expect(bar('Current streak')).toEqual(['30 days', 100])
  expect(bar('Longest streak')).toEqual(['60 days', 100])
})

test.each([
  [24, '80%', 'bg-lamp'],
  [15, '50%', 'bg-sunk'],
  [14, '47%', 'border-edge'],
])(
  'with %i of the last 30 days written, %s, the badge looks so [REP-06 REP-08 REP-09 REP-16]',
  async (count, percent, look) => {
    await open(ana, daysAgo(...Array.from({ length: count }, (_, i) => i)))
    expect(badge().textContent).toBe(percent)
    expect(badge().className).toContain(look)
  },
)

test('a memory is older than 30 days, cut at 200 characters, and another one comes when asked for [REP-10 REP-11 REP-12 REP-13]', async () => {
  const text = '0123456789'.repeat(30)
  await open(ana, [anEntry(ago(30), 'Too young'), anEntry(ago(31), text), anEntry(ago(400), 'Long ago')])
  const memory = part('Memory Treasure')
  const treasures = new Map<string | null, string | undefined>()
  for (let turn = 0; turn < 4; turn++) {
    const day = memory.getByRole('link').getAttribute('href')
    treasures.set(day, memory.getByText(/^(0123|Long|Too)/).textContent)
    fireEvent.click(memory.getByRole('button', { name: 'Another memory' }))
    expect(memory.getByRole('link').getAttribute('href')).not.toBe(day)
  }
  expect(Object.fromEntries(treasures)).toEqual({
    [`/diary?day=${ago(31)}`]: `${text.slice(0, 200)}…`,
    [`/diary?day=${ago(400)}`]: 'Long ago',
  })
})

test('recent activity shows the 10 latest entries, newest first, by 100 characters of each [REP-14 REP-15]', async () => {
  const text = 'abcdefghij'.repeat(11)
  await open(ana, [...daysAgo(...Array.from({ length: 11 }, (_, i) => i + 1)), anEntry(today, text)])
  const rows = part('Recent Writing Activity').getAllByRole('listitem')
  expect(rows.map((row) => within(row).getByRole('link').getAttribute('href'))).toEqual(
    Array.from({ length: 10 }, (_, i) => `/diary?day=${ago(i)}`),
  )
  expect(rows[0]!.querySelector('p')!.textContent).toBe(`${text.slice(0, 100)}…`)
  expect(rows[0]!.textContent).toContain('1 word')
  expect(rows[1]!.querySelector('p')!.textContent).toBe('Words of 1')
  expect(rows[1]!.textContent).toContain('3 words')
})

test('without entries there are zeros and a short text [REP-17]', async () => {
  await open(ana)
  expect(['Total Entries', 'Total Words', 'Current Streak', 'Writing Frequency'].map(figure)).toEqual([
    '0',
    '0',
    '0 days',
    '0%',
  ])
  expect(screen.getByText('Nothing is written yet. Your reports grow with your diary.')).toBeTruthy()
  expect(part('Memory Treasure').getByText('Entries older than 30 days turn up here.')).toBeTruthy()
  expect(part('Memory Treasure').getByRole<HTMLButtonElement>('button').disabled).toBe(true)
  expect(bar('Longest streak')).toEqual(['0 days', 0])
})

test('the reports of a guest are of the entries saved in this browser, without a call [REP-17]', async () => {
  const here = localDiary(guestId())
  here.write(ago(0), localForm(anEntry(ago(0), 'Saved here')))
  here.write(ago(1), {
    ...localForm(anEntry(ago(1), 'Not saved')),
    saved: false,
  })
  localDiary('somebody').write(ago(2), localForm(anEntry(ago(2), 'Of somebody')))
  const server = await open(guest)
  await waitFor(() => expect(figure('Total Entries')).toBe('1'))
  expect(figure('Total Words')).toBe('2')
  expect(server.calls).toEqual([])
})

test('each picture has its numbers in a table too [REP-02 REP-04]', async () => {
  await open(ana, [anEntry(today, 'two words'), anEntry(ago(7), 'one')])
  const days = part('The last year')
  expect(days.getByRole('img', { name: /^Written on 2 of the last 3\d\d days$/ })).toBeTruthy()
  const rows = (name: string) =>
    within(screen.getByRole('table', { name, hidden: true }))
      .getAllByRole('row', { hidden: true })
      .slice(1)
      .map((row) => [...row.children].map(({ textContent }) => textContent))
  expect(rows('Words of each day written on')).toEqual([
    ['Tuesday, June 3, 2025', '1'],
    ['Tuesday, June 10, 2025', '2'],
  ])
  const weeks = rows('Words of each week')
  expect(weeks).toHaveLength(53)
  expect(weeks.at(-1)!.slice(1)).toEqual(['1', '2'])
  expect(weeks.at(-2)!.slice(1)).toEqual(['1', '1'])
})

test('what is saved while the reports are open is counted [REP-02]', async () => {
  vi.useFakeTimers({
    toFake: ['Date', 'setInterval', 'clearInterval'],
    now: new Date(2025, 5, 10, 12),
  })
  await open(guest)
  localDiary(guestId()).write(today, localForm(anEntry(today, 'A new one')))
  act(() => void vi.advanceTimersByTime(1000))
  await waitFor(() => expect(figure('Total Words')).toBe('3'))
})

test('new entries that are counted after a failure end the report of the failure [REP-02]', async () => {
  vi.useFakeTimers({
    toFake: ['Date', 'setInterval', 'clearInterval'],
    now: new Date(2025, 5, 10, 12),
  })
  class Failing extends EventTarget {
    postMessage() {
      queueMicrotask(() => this.dispatchEvent(new Event('error')))
    }
  }
  vi.resetModules()
  const { ReportsPage: FreshPage } = await import('./ReportsPage.tsx')
  vi.stubGlobal('Worker', Failing)
  serveDiary()
  show(<FreshPage />, { at: '/reports', user: guest })
  await screen.findByText('Your reports could not be counted.')
  vi.stubGlobal('Worker', WorkerHere)
  localDiary(guestId()).write(today, localForm(anEntry(today, 'A new one')))
  act(() => void vi.advanceTimersByTime(1000))
  await waitFor(() => expect(figure('Total Words')).toBe('3'))
  expect(screen.queryByText('Your reports could not be counted.')).toBeNull()
})

test('a diary that cannot be read is said, and is read again when asked for', async () => {
  const server = serveDiary(anEntry(today, 'Text'))
  server.instead = () => refusal(403)
  show(<ReportsPage />, { at: '/reports', user: ana })
  expect(await screen.findByText('Your diary could not be read.')).toBeTruthy()
  server.instead = () => undefined
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Total Entries')).toBeTruthy()
})

test('without the server the days of this device are counted, which is said [REP-02]', async () => {
  localDiary(ana.id).write(today, localForm(anEntry(today, 'Kept here', '2025-06-10T09:00:00.000Z')))
  serveDiary().instead = () => refusal(403)
  show(<ReportsPage />, { at: '/reports', user: ana })
  await screen.findByText('Total Entries')
  expect(figure('Total Words')).toBe('2')
  expect(screen.getByText(/^Your diary could not be read from the server\./)).toBeTruthy()
})
