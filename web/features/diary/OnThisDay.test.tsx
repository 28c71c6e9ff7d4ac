import 'fake-indexeddb/auto'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { getCalendar } from '#contract/calendar/endpoints.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import { CalendarPage } from '#web/features/calendar/CalendarPage.tsx'
import { Diary } from '#web/features/settings/Diary.tsx'
import { guestId } from '#web/lib/session-keys.ts'
import { anEntry, morning } from '#web/testing/diary.ts'
import { press, show } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { localDiary, localForm } from './local-diary.ts'
import { localNotes } from './local-notes.ts'
import { openDiary, sheet, startDiary, type, untilLocked, untilShown } from './testing.tsx'

const { server, serveDiary } = startDiary()
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(2025, 5, 10, 12) }))

const aNote = (note_date: string, content: string) => ({ note_date, content, updated_at: morning })
const list = () => screen.findByRole('region', { name: 'On This Day' })
const lines = async () =>
  within(await list())
    .getAllByRole('link')
    .map((link) => [
      Array.from(link.children, ({ textContent }) => textContent).join(' | '),
      link.getAttribute('href'),
    ])
/** Waits for the reads of the page, after which the list would be there. */
const untilRead = () =>
  waitFor(() => expect(server.calls(getCalendar)).toHaveLength(1)).then(() => act(async () => {}))

test('a writer reads below the sheet what the diary and the calendar have of this day in earlier years, each line leads to its day [OWN-15]', async () => {
  serveDiary(
    anEntry('2016-06-10', 'Long ago\nmore'),
    anEntry('2024-06-09', 'The day before'),
    anEntry('2024-06-10', '\nA year ago'),
    anEntry('2024-06-11', 'The day after'),
    anEntry('2025-06-10', 'Today'),
  )
  server.on(getCalendar, [
    aNote('2024-06-10', 'Call Ben'),
    aNote('2023-06-10', ' '),
    aNote('2024-10-06', 'Other'),
  ])
  openDiary(ana)
  expect(await lines()).toEqual([
    ['2024 | A year ago', '/diary?day=2024-06-10'],
    ['2024Note | Call Ben', '/calendar?day=2024-06-10'],
    ['2016 | Long ago', '/diary?day=2016-06-10'],
  ])
  expect(sheet().compareDocumentPosition(await list())).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  fireEvent.click(screen.getByRole('link', { name: /2024.*A year ago/ }))
  await untilShown('\nA year ago')
  expect(document.activeElement?.textContent).toBe('Monday, June 10, 2024')
  expect(await lines()).toEqual([['2016 | Long ago', '/diary?day=2016-06-10']])
})

test('on the 28th of February of a common year a writer reads of the 29th too, with its date [OWN-15]', async () => {
  serveDiary(anEntry('2024-02-28', 'Wednesday'), anEntry('2024-02-29', 'A day more'))
  openDiary(ana, '/diary?day=2025-02-28')
  expect(await lines()).toEqual([
    ['2024, Feb 29 | A day more', '/diary?day=2024-02-29'],
    ['2024 | Wednesday', '/diary?day=2024-02-28'],
  ])
})

test('a writer without earlier years sees no list [OWN-15]', async () => {
  serveDiary(anEntry('2024-06-11', 'The day after'), anEntry('2025-06-10', 'Today'))
  openDiary(ana)
  await untilRead()
  expect(screen.queryByText('On This Day')).toBeNull()
})

test('a saved entry of an earlier year is in the list at once [OWN-15]', async () => {
  serveDiary()
  openDiary(ana, '/diary?day=2020-06-10')
  await untilShown('')
  await untilRead()
  type('Written later')
  press('Save Entry')
  await untilLocked()
  press('Today')
  expect(await lines()).toEqual([['2020 | Written later', '/diary?day=2020-06-10']])
})

test('a guest reads of the days of this browser, and of no other person [OWN-15]', async () => {
  const noted = (date: string, note: string) => ({ date, note, saved: true, updated_at: morning })
  for (const [owner, text] of [
    [guestId(), 'Mine'],
    [ana.id, 'Of Ana'],
  ] as const) {
    localDiary(owner).write('2024-06-10', localForm(anEntry('2024-06-10', text)))
    localNotes(owner).write('2023-06-10', noted('2023-06-10', text))
  }
  openDiary(guest)
  expect(await lines()).toEqual([
    ['2024 | Mine', '/diary?day=2024-06-10'],
    ['2023Note | Mine', '/calendar?day=2023-06-10'],
  ])
})

test('a reader of the calendar reads of today, or of the selected day, and a note opens in the calendar [OWN-15]', async () => {
  server.on(getDiary, [anEntry('2024-06-10', 'A year ago')])
  server.on(getCalendar, [aNote('2024-07-01', 'Call Ben')])
  show(<CalendarPage />, { at: '/calendar', user: ana })
  expect(await lines()).toEqual([['2024 | A year ago', '/diary?day=2024-06-10']])
  press('Next month')
  press(/July 1,/)
  expect(await lines()).toEqual([['2024Note | Call Ben', '/calendar?day=2024-07-01']])
  fireEvent.click(screen.getByRole('link', { name: /Call Ben/ }))
  expect(screen.getByRole('heading', { name: 'July 2024' })).toBeTruthy()
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Note').value).toBe('Call Ben'))
})

test('a person who switches it off reads of no earlier year, and needs no notes beside the diary [OWN-15]', async () => {
  show(<Diary />, { user: ana })
  const change = () => fireEvent.click(screen.getByRole('switch', { name: 'Show On This Day' }))
  change()
  expect(screen.getByRole('switch').getAttribute('aria-checked')).toBe('false')
  serveDiary(anEntry('2024-06-10', 'A year ago'))
  openDiary(ana)
  await waitFor(() => expect(server.calls(getDiary)).toHaveLength(1))
  await act(async () => {})
  expect(screen.queryByText('On This Day')).toBeNull()
  expect(server.calls(getCalendar)).toEqual([])
  change()
  openDiary(ana)
  expect(await lines()).toHaveLength(1)
})
