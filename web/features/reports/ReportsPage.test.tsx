import 'fake-indexeddb/auto'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { User } from '#contract/account/user.ts'
import { addDays } from '#contract/days.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { localDiary, localForm } from '#web/features/diary/local-diary.ts'
import { pageDiary } from '#web/features/diary/page-diary.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { anEntry } from '#web/testing/diary.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import './count-worker.ts'
import { ReportsPage } from './ReportsPage.tsx'

const today = '2025-06-10'

const server = startTestPage()
beforeEach(() => {
  vi.stubGlobal('Worker', WorkerHere)
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2025, 5, 10, 12) })
})

const workers = new Set<EventTarget>()

/** Runs the code of `count-worker.ts` in the thread of the test. Messages are copied, as between threads. */
class WorkerHere extends EventTarget {
  constructor() {
    super()
    workers.add(this)
  }

  postMessage(data: unknown) {
    const message = new MessageEvent('message', { data: structuredClone(data) })
    queueMicrotask(() => dispatchEvent(message))
  }
}

// `count-worker.ts` posts its answers to its page.
globalThis.postMessage = (answer: unknown) => {
  for (const worker of workers) {
    worker.dispatchEvent(new MessageEvent('message', { data: structuredClone(answer) }))
  }
}

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
  if (user === ana) server.on(getDiary, entries)
  show(<ReportsPage />, { at: '/reports', user })
  await screen.findByText('Total Entries')
}

test('a writer reads how many entries and words the diary has, in any script [REP-01 REP-02 REP-03]', async () => {
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

test('a writer sees the current streak on a bar of 30 days, and the longest streak of all entries on a bar of 50 [REP-04 REP-07 REP-16]', async () => {
  const recent = Array.from({ length: 6 }, (_, i) => i + 1)
  const long = Array.from({ length: 40 }, (_, i) => i + 100)
  await open(ana, daysAgo(...recent, ...long))
  expect(bar('Current streak')).toEqual(['6 days', 20])
  expect(bar('Longest streak')).toEqual(['40 days', 80])
})

test('a writer of 60 days in a row has a current streak of 30 days and a frequency of 100 percent [REP-05 REP-06 REP-16]', async () => {
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
  'a writer of %i of the last 30 days reads %s on a badge with the class %s [REP-06 REP-08 REP-09 REP-16]',
  async (count, percent, look) => {
    await open(ana, daysAgo(...Array.from({ length: count }, (_, i) => i)))
    expect(badge().textContent).toBe(percent)
    expect(badge().className).toContain(look)
  },
)

test('a writer sees the first 200 characters of an entry older than 30 days, and another entry by Another memory [REP-10 REP-11 REP-12 REP-13]', async () => {
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

test('a writer sees the first 100 characters of each of the 10 latest entries, newest first [REP-14 REP-15]', async () => {
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

test('a person without entries reads zeros and a short text [REP-17]', async () => {
  await open(ana)
  expect(['Total Entries', 'Total Words', 'Current Streak', 'Writing Frequency'].map(figure)).toEqual([
    '0',
    '0',
    '0 days',
    '0%',
  ])
  expect(screen.getByText('No diary entries yet. Your reports appear here once you write.')).toBeTruthy()
  expect(
    part('Words per week').getByRole('img', { name: /^0 words in the last \d+ weeks, at most 0 in one$/ }),
  ).toBeTruthy()
  expect(part('Memory Treasure').getByText('Entries older than 30 days appear here.')).toBeTruthy()
  expect(part('Memory Treasure').getByRole<HTMLButtonElement>('button').disabled).toBe(true)
  expect(bar('Longest streak')).toEqual(['0 days', 0])
})

test('a guest reads the reports of the entries saved in this browser, without a request [REP-17]', async () => {
  const here = localDiary(guestId())
  here.write(ago(0), localForm(anEntry(ago(0), 'Saved here')))
  here.write(ago(1), {
    ...localForm(anEntry(ago(1), 'Not saved')),
    saved: false,
  })
  localDiary('somebody').write(ago(2), localForm(anEntry(ago(2), 'Of somebody')))
  await open(guest)
  await waitFor(() => expect(figure('Total Entries')).toBe('1'))
  expect(figure('Total Words')).toBe('2')
  expect(server.requests).toEqual([])
})

test('a reader finds the numbers of each chart in a table [REP-02 REP-04]', async () => {
  await open(ana, [anEntry(today, 'two words'), anEntry(ago(7), 'one')])
  const days = part('Days with an entry')
  expect(days.getByRole('img', { name: /^Written on 2 of the last 3\d\d days$/ })).toBeTruthy()
  expect(days.getByRole('img', { name: /^Written on 2 of the last (8[5-9]|9[01]) days$/ })).toBeTruthy()
  expect(days.getAllByText('Jun')).toHaveLength(1)
  const rows = (name: string) =>
    within(screen.getByRole('table', { name, hidden: true }))
      .getAllByRole('row', { hidden: true })
      .slice(1)
      .map((row) => [...row.children].map(({ textContent }) => textContent))
  expect(rows('Words on each day with an entry')).toEqual([
    ['Tuesday, June 3, 2025', '1'],
    ['Tuesday, June 10, 2025', '2'],
  ])
  const weeks = rows('Words of each week')
  expect(weeks).toHaveLength(53)
  expect(weeks.at(-1)!.slice(1)).toEqual(['1', '2'])
  expect(weeks.at(-2)!.slice(1)).toEqual(['1', '1'])
})

test('an entry that another tab saves is counted in the open reports [REP-02]', async () => {
  vi.useFakeTimers({
    toFake: ['Date', 'setInterval', 'clearInterval'],
    now: new Date(2025, 5, 10, 12),
  })
  await open(guest)
  localDiary(guestId()).write(today, localForm(anEntry(today, 'A new one')))
  act(() => void vi.advanceTimersByTime(1000))
  await waitFor(() => expect(figure('Total Words')).toBe('3'))
})

test('a person no longer reads that counting failed once new entries are counted [REP-02]', async () => {
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
  // With the contexts that the fresh page reads.
  const { show: showFresh } = await import('#web/testing/page.tsx')
  vi.stubGlobal('Worker', Failing)
  showFresh(<FreshPage />, { at: '/reports', user: guest })
  await screen.findByText('Your reports could not be counted.')
  vi.stubGlobal('Worker', WorkerHere)
  localDiary(guestId()).write(today, localForm(anEntry(today, 'A new one')))
  act(() => void vi.advanceTimersByTime(1000))
  await waitFor(() => expect(figure('Total Words')).toBe('3'))
  expect(screen.queryByText('Your reports could not be counted.')).toBeNull()
})

test('a person whose diary cannot be read reads so, and gets the reports by Try again', async () => {
  server.refuse(getDiary, 'NotAllowed')
  show(<ReportsPage />, { at: '/reports', user: ana })
  expect(await screen.findByText('Your diary could not be loaded.')).toBeTruthy()
  server.on(getDiary, [anEntry(today, 'Text')])
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Total Entries')).toBeTruthy()
})

test('a person without the server reads the reports of the days of this device, and a notice [REP-02]', async () => {
  pageDiary(ana.id).write(today, localForm(anEntry(today, 'Kept here', '2025-06-10T09:00:00.000Z')))
  server.refuse(getDiary, 'NotAllowed')
  show(<ReportsPage />, { at: '/reports', user: ana })
  await screen.findByText('Total Entries')
  expect(figure('Total Words')).toBe('2')
  expect(screen.getByText(/^Your diary could not be read from the server\./)).toBeTruthy()
})
