import 'fake-indexeddb/auto'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { addDays } from '#contract/days.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { show } from '#web/shell/testing.tsx'
import { guestId } from '#web/lib/session-storage.ts'
import { fillStorage } from '#web/lib/testing.ts'
import { localDiary, localForm } from './local-diary.ts'
import { PaperView } from './PaperView.tsx'
import { ana, anEntry, guest, openDiary, refusal, serveDiary, startDiary, today } from './testing.tsx'

startDiary()

const paper = '/diary?view=paper'
const dates = () => screen.queryAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
const texts = () => screen.queryAllByRole('article').map((entry) => entry.querySelector('p')?.textContent)
const untilTexts = (...expected: string[]) => waitFor(() => expect(texts()).toEqual(expected))
const exporting = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Export to PDF' })
const write = (owner: string, entry: DiaryEntry, saved = true) =>
  localDiary(owner).write(entry.entry_date, { ...localForm(entry), saved })

test('the paper shows saved days with text in order, each under its date [DIARY-26 DIARY-27 DIARY-28 DIARY-29 DIARY-30 DIARY-49]', async () => {
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
  expect(exporting().disabled).toBe(false)
})

test('the first days are there while the others are on their way, and a diary that breaks off is none [DIARY-26 GEN-08]', async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const write = (text: string) => writer.write(new TextEncoder().encode(text))
  const server = serveDiary()
  const others = globalThis.fetch
  globalThis.fetch = async (path, init) =>
    path === '/api/diary' ? new Response(readable) : others(path, init)
  openDiary(ana, paper)
  void write(`[${JSON.stringify(anEntry('2025-06-01', 'Early'))}\n,`)
  await untilTexts('Early')
  expect(screen.queryByRole('button', { name: 'Export to PDF' })).toBeNull()
  expect(screen.getByRole('status', { name: 'Loading your diary' })).toBeTruthy()
  void writer.abort(new TypeError('network error'))
  globalThis.fetch = others
  server.instead = ({ path }) => (path === '/api/diary' ? refusal(403) : undefined)
  expect(await screen.findByText('Your diary could not be read.')).toBeTruthy()
  expect(texts()).toEqual([])
})

test('an empty diary says so, and has nothing to export [DIARY-33 DIARY-35 DIARY-36]', async () => {
  serveDiary()
  openDiary(ana, paper)
  expect(await screen.findByText('No diary entries yet...')).toBeTruthy()
  expect(exporting().disabled).toBe(true)
  expect(exporting().parentElement?.className).toMatch(/(^| )fixed .*right-.*bottom-/)
})

test('a date that is no day is shown as it is [DIARY-32]', () => {
  const days = [anEntry('the day after', 'Text')]
  show(<PaperView days={{ status: 'ready', data: days, error: null, refetch: () => {} }} />)
  expect(dates()).toEqual(['the day after'])
})

test('a switch of two parts leads from one view to the other, the writing view first [DIARY-02 DIARY-34]', async () => {
  serveDiary(anEntry(today, 'Text'))
  openDiary(ana, '/diary')
  const views = () => screen.getAllByRole('link').map(({ textContent }) => textContent)
  expect(views()).toEqual(['My Diary', 'Paper'])
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('My Diary')
  expect(await screen.findByPlaceholderText('Write...')).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: 'Paper' }))
  await untilTexts('Text')
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Paper')
  expect(screen.queryByPlaceholderText('Write...')).toBeNull()
})

test('opening the diary of an account fills this browser, and a save writes its own day alone [DIARY-22 DIARY-34]', async () => {
  serveDiary(anEntry('2025-06-08', 'Sunday'), anEntry('2025-06-09', 'Monday'))
  openDiary(ana)
  const keys = () =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith('diary:'))
      .toSorted()
  const copies = ['2025-06-08', '2025-06-09'].map((day) => `diary:${ana.id}:${day}`)
  await waitFor(() => expect(keys()).toEqual([...copies, `diary:${ana.id}:version`]))
  await waitFor(() =>
    expect(screen.getByPlaceholderText<HTMLTextAreaElement>('Write...').readOnly).toBe(false),
  )
  const written = vi.spyOn(localDiary(ana.id), 'write')
  fireEvent.change(screen.getByPlaceholderText('Write...'), {
    target: { value: 'Tuesday' },
  })
  fireEvent.click(screen.getByRole('button', { name: 'Save Entry' }))
  await screen.findByRole('button', { name: 'Edit Entry' })
  expect(new Set(written.mock.calls.map(([day]) => day))).toEqual(new Set([today]))
  expect(keys()).toHaveLength(4)
  fireEvent.click(screen.getByRole('link', { name: 'Paper' }))
  await untilTexts('Sunday', 'Monday', 'Tuesday')
})

test('what another tab saves shows within a second, and not before it is saved [DIARY-30 DIARY-31]', async () => {
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

test('a paper that nobody looks at is not read anew till it is seen again [DIARY-31 GEN-23]', async () => {
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

test('of a day in the account and in this browser the one that was saved last is shown [DIARY-34]', async () => {
  write(ana.id, anEntry('2025-06-08', 'Newer here', '2025-06-10T10:00:00.000Z'))
  write(ana.id, anEntry('2025-06-09', 'Older here', '2025-06-10T07:00:00.000Z'))
  serveDiary(anEntry('2025-06-08', 'Older there'), anEntry('2025-06-09', 'Newer there'))
  openDiary(ana, paper)
  await untilTexts('Newer here', 'Newer there')
  expect(dates()).toHaveLength(2)
})

test('days that this browser cannot keep, or cannot read, are shown from the account [DIARY-50 S48]', async () => {
  localStorage.setItem(`diary:${ana.id}:2025-06-09`, '{"content":')
  fillStorage()
  serveDiary(anEntry('2025-06-09', 'Monday'), anEntry(today, 'Tuesday'))
  openDiary(ana, paper)
  await untilTexts('Monday', 'Tuesday')
  expect(dates()).toHaveLength(2)
})

test('nobody reads the days of another person [DIARY-19 DIARY-21]', async () => {
  write('somebody', anEntry(today, 'Not for you'))
  const server = serveDiary()
  openDiary(guest, paper)
  expect(await screen.findByText('No diary entries yet...')).toBeTruthy()
  expect(server.calls).toEqual([])
})

test('years of entries grow on the paper part by part, and all come [DIARY-27]', async () => {
  const days = Array.from({ length: 500 }, (_, i) => anEntry(addDays('2023-01-01', i), `Day ${i}`))
  serveDiary(...days)
  openDiary(ana, paper)
  await waitFor(() => expect(texts()).toHaveLength(500))
  expect(texts().at(-1)).toBe('Day 499')
})

test('a diary that cannot be read says what is kept, and is read again when asked for', async () => {
  const server = serveDiary(anEntry(today, 'Text'))
  server.instead = () => refusal(403)
  openDiary(ana, paper)
  expect(await screen.findByText('Your diary could not be read.')).toBeTruthy()
  expect(screen.getByText('What is saved is safe in your account.')).toBeTruthy()
  server.instead = () => undefined
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await untilTexts('Text')
})

test('without the server the paper shows the days of this device, says so, and asks again [DIARY-34 S48]', async () => {
  write(ana.id, anEntry('2025-06-09', 'Kept here'))
  write('somebody', anEntry('2025-06-08', 'Not for you'))
  const server = serveDiary(anEntry('2025-06-09', 'Kept here'), anEntry(today, 'Only there'))
  server.instead = () => refusal(403)
  openDiary(ana, paper)
  const sentence = 'Your diary could not be read from the server. This is what this device keeps.'
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(texts()).toEqual(['Kept here'])
  server.instead = () => undefined
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await untilTexts('Kept here', 'Only there')
  expect(screen.queryByText(sentence)).toBeNull()
})
