import 'fake-indexeddb/auto'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { getCalendar } from '#contract/calendar/endpoints.ts'
import { getDiary, getDiaryEntry } from '#contract/diary/endpoints.ts'
import { addDays } from '#contract/days.ts'
import { CalendarPage } from '#web/features/calendar/CalendarPage.tsx'
import { queryKeyOf } from '#web/lib/api.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { anEntry, morning } from '#web/testing/diary.ts'
import { press, show } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { localDiary, localForm } from '../local-diary.ts'
import { localNotes } from '../local-notes.ts'
import { openDiary, startDiary, type, untilLocked, untilShown } from '../testing.tsx'
import { DayIndex, type ToWorker } from './day-index.ts'
import { setQuery } from './query.ts'

const { server, serveDiary } = startDiary()
const at = '/diary?view=search'

/** The workers that the page has started and not ended. */
const running = new Set<WorkerHere>()
let isMissing = false

/** Runs the code of `search-worker.ts` in the thread of the test. Messages are copied, as between threads. */
class WorkerHere extends EventTarget {
  readonly #index = new DayIndex()
  readonly asked: ToWorker[] = []

  constructor() {
    super()
    running.add(this)
    if (isMissing) queueMicrotask(() => this.dispatchEvent(new Event('error')))
  }

  postMessage(message: ToWorker) {
    this.asked.push(message)
    if (isMissing) return
    const data = structuredClone(this.#index.take(structuredClone(message)))
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })))
  }

  terminate() {
    running.delete(this)
  }
}

beforeEach(() => {
  running.clear()
  isMissing = false
  vi.stubGlobal('Worker', WorkerHere)
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2025, 5, 10, 12) })
  setQuery(ana.id, '')
})

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Search your diary' })
const typeQuery = (query: string) => fireEvent.change(field(), { target: { value: query } })
const shown = () =>
  screen
    .queryAllByRole('link')
    .filter((link) => link.getAttribute('href')?.endsWith('&found'))
    .map((link) => link.textContent)
const untilFound = (...texts: string[]) => waitFor(() => expect(shown()).toEqual(texts))
const marks = () => Array.from(document.querySelectorAll('mark'), ({ textContent }) => textContent)
const aNote = (note_date: string, content: string) => ({ note_date, content, updated_at: morning })

test('a writer who types in the field sees at once what matches, marked and by year, and the address names no word of it [OWN-16]', async () => {
  serveDiary(
    anEntry('2024-03-01', 'The lamp of March'),
    anEntry('2025-06-01', 'No light'),
    anEntry('2025-06-09', 'A lamp, and lamps'),
  )
  server.on(getCalendar, [aNote('2024-05-02', 'Buy a lamp')])
  openDiary(ana)
  await untilShown('')
  typeQuery('lam')
  await untilFound(
    'Monday, Jun 9A lamp, and lamps',
    'Thursday, May 2, 2024NoteBuy a lamp',
    'Friday, Mar 1, 2024The lamp of March',
  )
  expect(marks()).toEqual(['lamp', 'lamps', 'lamp', 'lamp'])
  expect(screen.getByText('3 matches')).toBeTruthy()
  const year = (name: RegExp) => within(screen.getByRole('region', { name })).getAllByRole('listitem').length
  expect([year(/^2025 ?1 match$/), year(/^2024 ?2 matches$/)]).toEqual([1, 2])
  typeQuery('"of march" la')
  await untilFound('Friday, Mar 1, 2024The lamp of March')
  expect(location.href).not.toMatch(/lam|march/i)
  expect(server.requests).toEqual(['GET /api/diary/2025-06-10', 'GET /api/diary', 'GET /api/calendar'])
})

test('a result opens on the paper with its words marked and the focus at its day, and the way back leads to the same results [OWN-16]', async () => {
  serveDiary(anEntry('2024-03-01', 'The lamp of March'), anEntry('2024-03-02', 'Another lamp'))
  openDiary(ana, at)
  typeQuery('lamp')
  await untilFound('Saturday, Mar 2, 2024Another lamp', 'Friday, Mar 1, 2024The lamp of March')
  const result = screen.getByRole('link', { name: /The lamp/ })
  result.focus()
  fireEvent.click(result)
  const opened = await screen.findByText('Friday, March 1st, 2024')
  expect(document.activeElement).toBe(opened.closest('h2'))
  // The marks are in the opened entry alone.
  expect(marks()).toEqual(['lamp'])
  expect(opened.closest('article')!.querySelector('mark')!.parentElement!.parentElement!.textContent).toBe(
    'The lamp of March',
  )
  act(() => history.back())
  await untilFound('Saturday, Mar 2, 2024Another lamp', 'Friday, Mar 1, 2024The lamp of March')
  expect(field().value).toBe('lamp')
})

test('a note that was found opens in the calendar, with its words marked above the field [OWN-16]', async () => {
  serveDiary()
  server.on(getCalendar, [aNote('2024-05-02', 'Buy a lamp')])
  const { unmount } = openDiary(ana, at)
  typeQuery('lamp')
  await untilFound('Thursday, May 2, 2024NoteBuy a lamp')
  const href = screen.getByRole('link', { name: /Buy a lamp/ }).getAttribute('href')!
  unmount()
  show(<CalendarPage />, { at: href, user: ana })
  await waitFor(() => expect(marks()).toEqual(['lamp']))
  expect(screen.getByLabelText<HTMLTextAreaElement>('Note').value).toBe('Buy a lamp')
})

test('a text that is saved in the page is found at once, and its former words are not [OWN-16]', async () => {
  serveDiary(anEntry('2025-06-10', 'The lamp'))
  openDiary(ana, at)
  typeQuery('lamp')
  await untilFound('Tuesday, Jun 10The lamp')
  fireEvent.click(screen.getByRole('link', { name: 'My Diary' }))
  await untilShown('The lamp')
  press('Edit Entry')
  type('The table')
  press('Save Entry')
  await untilLocked()
  typeQuery('tab')
  await untilFound('Tuesday, Jun 10The table')
  typeQuery('lamp')
  expect(await screen.findByText('Nothing found for “lamp”')).toBeTruthy()
  // The worker was sent the changed day alone.
  const sent = [...running].flatMap(({ asked }) =>
    asked.flatMap((message) => ('put' in message ? message.put : [])),
  )
  expect(sent.map(({ content }) => content)).toEqual(['The lamp', 'The table'])
})

test('a reader of many matches sees the newest, and more by Show more [OWN-16]', async () => {
  serveDiary(...Array.from({ length: 70 }, (_, n) => anEntry(addDays('2025-01-01', n), 'lamp')))
  openDiary(ana, at)
  typeQuery('lamp')
  await waitFor(() => expect(shown()).toHaveLength(30))
  // Of all years, and of this one.
  expect(screen.getAllByText('70 matches')).toHaveLength(2)
  press('Show more')
  await waitFor(() => expect(shown()).toHaveLength(60))
  press('Show more')
  await waitFor(() => expect(shown()).toHaveLength(70))
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('while the diary is loading a reader sees how many days have come [OWN-16]', async () => {
  serveDiary()
  async function* parts() {
    yield [anEntry('2025-06-01', 'One'), anEntry('2025-06-02', 'Two')]
    yield await new Promise<never>(() => {})
  }
  server.on(getDiary, ({ readInParts }) => readInParts(parts()))
  openDiary(ana, at)
  expect(await screen.findByText('Reading your diary… 2 days so far')).toBeTruthy()
  typeQuery('one')
  await act(async () => {})
  expect(screen.queryByText(/Nothing found/)).toBeNull()
})

test('a reader whose diary cannot be read learns that, and searches after Try again [OWN-16]', async () => {
  serveDiary()
  server.refuse(getDiary, 'NotAllowed')
  openDiary(ana, at)
  expect(await screen.findByText('Your diary could not be read.')).toBeTruthy()
  serveDiary(anEntry('2025-06-09', 'The lamp'))
  press('Try again')
  typeQuery('lamp')
  await untilFound('Monday, Jun 9The lamp')
})

test('notes that cannot be read are named, and the diary is searched without them [OWN-16]', async () => {
  serveDiary(anEntry('2025-06-09', 'The lamp'))
  server.refuse(getCalendar, 'NotAllowed')
  openDiary(ana, at)
  typeQuery('lamp')
  await untilFound('Monday, Jun 9The lamp')
  expect(await screen.findByText('Your calendar notes could not be read.')).toBeTruthy()
})

test('a search whose script is missing starts by Try again [OWN-16]', async () => {
  isMissing = true
  serveDiary(anEntry('2025-06-09', 'The lamp'))
  openDiary(ana, at)
  typeQuery('lamp')
  expect(await screen.findByText('The search could not be started.')).toBeTruthy()
  expect(running.size).toBe(0)
  isMissing = false
  press('Try again')
  await untilFound('Monday, Jun 9The lamp')
})

test('a search whose script is missing starts by Try again after the reader has written meanwhile [OWN-16]', async () => {
  isMissing = true
  serveDiary(anEntry('2025-06-09', 'The lamp'), anEntry('2025-06-10', 'Another lamp'))
  openDiary(ana, at)
  await screen.findByText('The search could not be started.')
  fireEvent.click(screen.getByRole('link', { name: 'My Diary' }))
  await untilShown('Another lamp')
  typeQuery('lamp')
  await screen.findByText('The search could not be started.')
  isMissing = false
  press('Try again')
  await untilFound('Tuesday, Jun 10Another lamp', 'Monday, Jun 9The lamp')
  expect(screen.queryByText(/^Preparing the search/)).toBeNull()
})

test('a search whose script stops while the texts are sent has the newest days too after Try again [OWN-16]', async () => {
  const long = ' word'.repeat(120_000)
  const days = [1, 2, 3].map((n) => anEntry(`2025-06-0${n}`, `Lamp ${n}${long}`))
  isMissing = true
  serveDiary(...days)
  openDiary(ana, at)
  await screen.findByText('The search could not be started.')
  // The next part would be sent after this pause.
  await act(() => new Promise((resolve) => setTimeout(resolve)))
  isMissing = false
  press('Try again')
  typeQuery('lamp')
  await waitFor(() => expect(shown()).toHaveLength(3))
})

test('without a network a reader searches what the page has loaded, and Escape empties the field [OWN-16]', async () => {
  serveDiary(anEntry('2025-06-09', 'The lamp'))
  openDiary(ana, at)
  typeQuery('table')
  expect(await screen.findByText('Nothing found for “table”')).toBeTruthy()
  server.disconnect(getDiary, getCalendar, getDiaryEntry)
  fireEvent.keyDown(field(), { key: 'Escape' })
  expect(field().value).toBe('')
  expect(screen.getByText(/What you type stays on this device/)).toBeTruthy()
  typeQuery('lamp')
  await untilFound('Monday, Jun 9The lamp')
})

test('a person without a saved text reads that there is none [OWN-16]', async () => {
  serveDiary()
  openDiary(ana, at)
  expect(await screen.findByText('No diary entries yet...')).toBeTruthy()
})

test('a guest searches the days of this browser [OWN-16]', async () => {
  const owner = guestId()
  localDiary(owner).write('2025-06-01', localForm(anEntry('2025-06-01', 'My lamp')))
  localNotes(owner).write('2025-06-02', {
    date: '2025-06-02',
    note: 'Lamp oil',
    saved: true,
    updated_at: morning,
  })
  localDiary(ana.id).write('2025-06-03', localForm(anEntry('2025-06-03', 'The lamp of Ana')))
  openDiary(guest, at)
  typeQuery('lamp')
  await untilFound('Monday, Jun 2NoteLamp oil', 'Sunday, Jun 1My lamp')
  expect(marks()).toEqual(['Lamp', 'lamp'])
})

test('a person who uses the page after another one finds no word of the other and no query, and the worker of the other is gone [OWN-16]', async () => {
  serveDiary(anEntry('2025-06-09', 'The lamp of Ana'))
  const { client } = openDiary(ana, at)
  typeQuery('lamp')
  await untilFound('Monday, Jun 9The lamp of Ana')
  const [ofAna] = running
  localDiary(guestId()).write('2025-06-08', localForm(anEntry('2025-06-08', 'The table of a guest')))
  act(() => void client.setQueryData(queryKeyOf(getMe), guest))
  await waitFor(() => expect(field().value).toBe(''))
  typeQuery('tab')
  await untilFound('Sunday, Jun 8The table of a guest')
  expect(running.has(ofAna!)).toBe(false)
  typeQuery('lamp')
  expect(await screen.findByText('Nothing found for “lamp”')).toBeTruthy()
})

test('the end of the session ends the worker of a writer who has left the search [OWN-16 S44]', async () => {
  serveDiary(anEntry('2025-06-09', 'The lamp'))
  const { client } = openDiary(ana, at)
  typeQuery('lamp')
  await untilFound('Monday, Jun 9The lamp')
  act(() => history.pushState(null, '', '/diary?view=paper'))
  expect(running.size).toBe(1)
  // What a refused request for the person does.
  await act(async () => {
    await client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] === getDiary.path })
    client.setQueryData(queryKeyOf(getMe), null)
  })
  expect(running.size).toBe(0)
})

test('log-out ends the worker and forgets what was looked for [OWN-16 S48]', async () => {
  serveDiary(anEntry('2025-06-09', 'The lamp'))
  const { client } = openDiary(ana, at)
  typeQuery('lamp')
  await untilFound('Monday, Jun 9The lamp')
  expect(running.size).toBe(1)
  // As log-out does.
  const { removeLocalCopies } = await import('#web/lib/local-copies.ts')
  await act(async () => {
    await removeLocalCopies(ana.id)
    client.clear()
  })
  expect(running.size).toBe(0)
  expect(field().value).toBe('')
  typeQuery('lamp')
  await act(async () => {})
  expect(running.size).toBe(0)
  expect(shown()).toEqual([])
})
