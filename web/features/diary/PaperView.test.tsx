import 'fake-indexeddb/auto'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { addDays } from '#contract/days.ts'
import { getCalendar } from '#contract/calendar/endpoints.ts'
import { getDiary, getDiaryEntry } from '#contract/diary/endpoints.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { forgetKept, reopenDatabase } from '#web/lib/device/database.ts'
import { DayKeeper, readNewestDays } from '#web/lib/device/days.ts'
import { guestId, writeKey } from '#web/lib/session-keys.ts'
import { fillStorage } from '#web/lib/testing.ts'
import { anEntry } from '#web/testing/diary.ts'
import { show } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { localDiary, localForm } from './local-diary.ts'
import { pageDiary } from './page-diary.ts'
import { PaperView } from './PaperView.tsx'
import { openDiary, startDiary, today } from './testing.tsx'

const { server, serveDiary } = startDiary()

const paper = '/diary?view=paper'
const dates = () => screen.queryAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
const texts = () => screen.queryAllByRole('article').map((entry) => entry.querySelector('p')?.textContent)
const untilTexts = (...expected: string[]) => waitFor(() => expect(texts()).toEqual(expected))
const exporting = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Export to PDF' })
const write = (owner: string, entry: DiaryEntry, saved = true) =>
  localDiary(owner).write(entry.entry_date, { ...localForm(entry), saved })
const writeOnPage = (entry: DiaryEntry) => pageDiary(ana.id).write(entry.entry_date, localForm(entry))

test('a reader sees the saved days with text on the paper in order, each under its date [DIARY-26 DIARY-27 DIARY-28 DIARY-29 DIARY-30 DIARY-49]', async () => {
  serveDiary(
    anEntry('2025-06-22', 'Later\nin two lines'),
    anEntry('2025-06-01', 'Early'),
    anEntry('2025-06-03', ' \n'),
    anEntry('2025-06-12', 'Between'),
    anEntry('2025-06-13', 'Never saved', null),
  )
  openDiary(ana, paper)
  await untilTexts('Early', 'Between', 'Later\nin two lines')
  expect(dates()).toEqual(['Sunday, June 1st, 2025', 'Thursday, June 12th, 2025', 'Sunday, June 22nd, 2025'])
  expect(screen.getAllByRole('article')[0]!.closest('.paper')).toBeTruthy()
  expect(screen.getAllByRole('article')[0]!.firstElementChild?.tagName).toBe('H2')
  await waitFor(() => expect(exporting().disabled).toBe(false))
})

test('a reader sees the newest days while the others load, and no days when the connection breaks and the diary cannot be read again [DIARY-26 GEN-08]', async () => {
  const newest = [anEntry('2025-06-01', 'Early'), anEntry(today, 'Late')]
  const breaking = Promise.withResolvers<never>()
  async function* parts() {
    yield [anEntry('2025-05-01', 'First')]
    yield await breaking.promise
  }
  server.on(getDiary, ({ query, readInParts }) => (query.limit ? newest : readInParts(parts())))
  openDiary(ana, paper)
  await untilTexts('Early', 'Late')
  expect(screen.queryByRole('button', { name: 'Export to PDF' })).toBeNull()
  expect(screen.getByRole('status', { name: 'Loading your diary' })).toBeTruthy()
  server.refuse(getDiary, 'NotAllowed')
  breaking.reject(new TypeError('network error'))
  expect(await screen.findByText('Your diary could not be read.')).toBeTruthy()
  expect(texts()).toEqual([])
})

test.each([
  ['the newest days', paper, 'GET /api/diary?limit=30', ['GET /api/diary']],
  // 'On This Day' shows calendar notes too.
  ['the day', `/diary?day=${today}`, `GET /api/diary/${today}`, ['GET /api/diary', 'GET /api/calendar']],
])(
  'the whole diary is requested after the answer for %s, which is shown first [DIARY-22 DIARY-26]',
  async (_, at, first, then) => {
    const entry = anEntry(today, 'Late')
    const answered = Promise.withResolvers<void>()
    server.on(getDiary, async ({ query }) => {
      if (query.limit) await answered.promise
      return [entry]
    })
    server.on(getCalendar, [])
    server.on(getDiaryEntry, async () => {
      await answered.promise
      return entry
    })
    openDiary(ana, at)
    await waitFor(() => expect(server.requests).toEqual([first]))
    answered.resolve()
    await waitFor(() => expect(server.requests).toEqual([first, ...then]))
  },
)

test('a reader of an empty diary reads that it is empty, and cannot export it [DIARY-33 DIARY-35 DIARY-36]', async () => {
  serveDiary()
  openDiary(ana, paper)
  expect(await screen.findByText('No diary entries yet...')).toBeTruthy()
  expect(exporting().disabled).toBe(true)
  expect(exporting().closest('[data-foot]')?.className).toMatch(/(^| )sticky bottom-/)
})

test('a reader sees a date that is not a day as it is stored [DIARY-32]', () => {
  const days = [anEntry('the day after', 'Text')]
  show(<PaperView days={{ status: 'ready', data: days, error: null, refetch: () => {} }} />)
  expect(dates()).toEqual(['the day after'])
})

test('a writer changes from the writing view, which is first, to the paper by a switch [DIARY-02 DIARY-34]', async () => {
  serveDiary(anEntry(today, 'Text'))
  openDiary(ana, '/diary')
  const links = within(screen.getByRole('navigation', { name: 'View' }))
  const views = () => links.getAllByRole('link').map(({ textContent }) => textContent)
  expect(views()).toEqual(['My Diary', 'Paper'])
  expect(links.getByRole('link', { current: 'page' }).textContent).toBe('My Diary')
  expect(await screen.findByPlaceholderText('Write...')).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: 'Paper' }))
  await untilTexts('Text')
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Paper')
  expect(screen.queryByPlaceholderText('Write...')).toBeNull()
})

test('a user who opens the diary and saves a day has no text in the local storage, also not what an older program left [DIARY-22 OWN-21]', async () => {
  write(ana.id, anEntry('2025-06-08', 'Sunday'))
  serveDiary(anEntry('2025-06-08', 'Sunday'), anEntry('2025-06-09', 'Monday'))
  openDiary(ana)
  const copies = () => localDiary(ana.id).all()
  await waitFor(() => expect(copies()).toEqual([]))
  await waitFor(() =>
    expect(screen.getByPlaceholderText<HTMLTextAreaElement>('Write...').readOnly).toBe(false),
  )
  fireEvent.change(screen.getByPlaceholderText('Write...'), { target: { value: 'Tuesday' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save Entry' }))
  await screen.findByRole('button', { name: 'Edit Entry' })
  fireEvent.click(screen.getByRole('link', { name: 'Paper' }))
  await untilTexts('Sunday', 'Monday', 'Tuesday')
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toMatch(/Sunday|Monday|Tuesday/)
})

test('a reader sees within a second what another tab has saved, and nothing that is unsaved [DIARY-30 DIARY-31]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  serveDiary()
  openDiary(guest, paper)
  expect(screen.getByText('No diary entries yet...')).toBeTruthy()
  write(guestId(), anEntry('2025-06-09', 'Still typing'), false)
  write(guestId(), anEntry(today, 'From the other tab'))
  act(() => void vi.advanceTimersByTime(999))
  expect(texts()).toEqual([])
  act(() => void vi.advanceTimersByTime(1))
  expect(texts()).toEqual(['From the other tab'])
})

test('a hidden page does not read the days again until it is visible [DIARY-31 GEN-23]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  serveDiary()
  openDiary(guest, paper)
  write(guestId(), anEntry(today, 'Meanwhile'))
  act(() => void vi.advanceTimersByTime(5000))
  expect(texts()).toEqual([])
  hidden.mockReturnValue(false)
  act(() => void vi.advanceTimersByTime(1000))
  expect(texts()).toEqual(['Meanwhile'])
})

test('a reader of a day that is in the account and in this browser sees the version that was saved last [DIARY-34]', async () => {
  writeOnPage(anEntry('2025-06-08', 'Newer here', '2025-06-10T10:00:00.000Z'))
  writeOnPage(anEntry('2025-06-09', 'Older here', '2025-06-10T07:00:00.000Z'))
  serveDiary(anEntry('2025-06-08', 'Older there'), anEntry('2025-06-09', 'Newer there'))
  openDiary(ana, paper)
  await untilTexts('Newer here', 'Newer there')
  expect(dates()).toHaveLength(2)
})

test('a reader whose browser cannot store or read a day sees it from the account [DIARY-50 S48]', async () => {
  localStorage.setItem(`diary:${ana.id}:2025-06-09`, '{"content":')
  fillStorage()
  serveDiary(anEntry('2025-06-09', 'Monday'), anEntry(today, 'Tuesday'))
  openDiary(ana, paper)
  await untilTexts('Monday', 'Tuesday')
  expect(dates()).toHaveLength(2)
})

test('a guest does not see the days of another person in the same browser [DIARY-19 DIARY-21]', async () => {
  write('somebody', anEntry(today, 'Not for you'))
  serveDiary()
  openDiary(guest, paper)
  expect(await screen.findByText('No diary entries yet...')).toBeTruthy()
  expect(server.requests).toEqual([])
})

test('a page shows no saved day of a person among the days of the next person [DIARY-19 S48]', async () => {
  serveDiary(anEntry(today, 'The day of Ana'))
  writeOnPage(anEntry('2025-06-08', 'Saved by Ana'))
  const { client } = openDiary(ana, paper)
  await untilTexts('Saved by Ana', 'The day of Ana')
  const ben = { ...ana, id: 'b3n5w7y9z2' }
  // The answer for Ben comes later.
  const { promise, resolve } = Promise.withResolvers<void>()
  server.on(getDiary, () => promise.then(() => [anEntry('2025-06-09', 'The day of Ben')]))
  act(() => void client.setQueryData(queryKeyOf(getMe), ben))
  await waitFor(() => expect(server.calls(getDiary).length).toBeGreaterThan(1))
  expect(texts()).not.toContain('Saved by Ana')
  await act(async () => resolve())
  await untilTexts('The day of Ben')
})

test('a reader sees all entries of a long diary on the paper [DIARY-27]', async () => {
  const days = Array.from({ length: 500 }, (_, i) => anEntry(addDays('2023-01-01', i), `Day ${i}`))
  serveDiary(...days)
  openDiary(ana, paper)
  await waitFor(() => expect(texts()).toHaveLength(500))
  expect(texts().at(-1)).toBe('Day 499')
})

test('a reader whose diary cannot be read learns that it is safe, and sees it by Try again', async () => {
  server.refuse(getDiary, 'NotAllowed')
  openDiary(ana, paper)
  expect(await screen.findByText('Your diary could not be read.')).toBeTruthy()
  expect(screen.getByText('What is saved is safe in your account.')).toBeTruthy()
  serveDiary(anEntry(today, 'Text'))
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await untilTexts('Text')
})

test('a reader without the server sees what this device keeps of the diary, oldest first [OWN-02 DIARY-34]', async () => {
  writeKey('userId', ana.id)
  const days = [anEntry('2025-06-08', 'Sunday'), anEntry('2025-06-09', 'Monday')]
  const rows = days.map((value) => ({ day: value.entry_date, version: value.updated_at!, value }))
  // The tests of another file, which share this page, may have logged out.
  await reopenDatabase()
  await new DayKeeper(ana.id, 'diary').keep(rows, 1)
  onTestFinished(forgetKept)
  expect(await readNewestDays(ana.id, 'diary', 1)).toEqual([days[1]])
  server.refuse(getDiary, 'NotAllowed')
  openDiary(ana, paper)
  await untilTexts('Sunday', 'Monday')
  expect(await screen.findByText(/^Your diary could not be read from the server/)).toBeTruthy()
  expect(texts()).toEqual(['Sunday', 'Monday'])
})

test('a reader without the server sees the days of this device and a notice, and all days by Try again [DIARY-34 S48]', async () => {
  writeOnPage(anEntry('2025-06-09', 'Kept here'))
  write('somebody', anEntry('2025-06-08', 'Not for you'))
  server.refuse(getDiary, 'NotAllowed')
  openDiary(ana, paper)
  const sentence = 'Your diary could not be read from the server. This is what this device keeps.'
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(texts()).toEqual(['Kept here'])
  serveDiary(anEntry('2025-06-09', 'Kept here'), anEntry(today, 'Only there'))
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await untilTexts('Kept here', 'Only there')
  expect(screen.queryByText(sentence)).toBeNull()
})
