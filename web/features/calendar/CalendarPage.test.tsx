import 'fake-indexeddb/auto'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { getCalendar, saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import { localForm } from '#web/features/diary/local-diary.ts'
import { pageDiary } from '#web/features/diary/page-diary.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { anEntry } from '#web/testing/diary.ts'
import { button, press } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { aNote, noon, note, openCalendar, startCalendar, tenth, type, untilNote } from './testing.tsx'

const server = startCalendar()

const prompt = 'Select a day to add notes and view diary entries'
const month = () => screen.getAllByRole('heading', { level: 2 })[0]!.textContent
const key = (name: string) => fireEvent.keyDown(document.activeElement!, { key: name })
const focused = () => document.activeElement?.getAttribute('aria-label')

test('a reader sees a month as a table of its days with today marked, and turns to the month before and after [CAL-01 CAL-02 CAL-11]', () => {
  openCalendar(null)
  expect(month()).toBe('June 2025')
  const table = within(screen.getByRole('table', { name: 'June 2025' }))
  expect(table.getAllByRole('columnheader')).toHaveLength(7)
  expect(table.getAllByRole('button')).toHaveLength(30)
  expect(table.getByRole('button', { current: 'date' }).getAttribute('aria-label')).toBe(tenth)
  expect(screen.getByText(prompt)).toBeTruthy()
  press('Previous month')
  expect(month()).toBe('May 2025')
  press('Next month')
  press('Next month')
  expect(month()).toBe('July 2025')
  expect(screen.getAllByRole('button', { name: /July/ })).toHaveLength(31)
})

test.each([
  ['es-ES', 'Mon'],
  ['en-US', 'Sun'],
])(
  'a reader whose locale is %s sees English names, and weeks that begin on %s [CAL-01]',
  (locale, firstDay) => {
    vi.spyOn(navigator, 'language', 'get').mockReturnValue(locale)
    openCalendar(null)
    expect(month()).toBe('June 2025')
    expect(screen.getAllByRole('columnheader')[0]!.textContent).toBe(firstDay)
  },
)

test('a person who chooses a day sees its notes, and in another month no day is chosen [CAL-04 CAL-05 CAL-11 CAL-12]', async () => {
  openCalendar(null)
  press(tenth)
  expect(screen.getByRole('heading', { name: 'Daily Notes' })).toBeTruthy()
  expect(button('Save')).toBeTruthy()
  expect(button(tenth).getAttribute('aria-pressed')).toBe('true')
  expect(screen.queryByText(prompt)).toBeNull()
  press('Next month')
  expect(screen.getByText(prompt)).toBeTruthy()
  press('Previous month')
  expect(screen.getByText(prompt)).toBeTruthy()
  expect(button(tenth).getAttribute('aria-pressed')).toBe('false')
})

test('a person sees by name and badges what a day has, and the beginning of its diary entry [CAL-06 CAL-07 CAL-08 CAL-09 CAL-10]', async () => {
  const text = '0123456789'.repeat(6)
  server.on(getCalendar, [aNote('2025-06-10', 'Call Ben'), aNote('2025-06-12', ' \n')])
  server.on(getDiary, [anEntry('2025-06-10', text), anEntry('2025-06-11', 'Short')])
  openCalendar(ana)
  await screen.findByRole('button', {
    name: `${tenth}, has a note, has a diary entry`,
  })
  expect(button('Wednesday, June 11, 2025, has a diary entry')).toBeTruthy()
  press(/June 10,/)
  await untilNote('Call Ben')
  expect(screen.getByText('Has Notes')).toBeTruthy()
  expect(screen.getByText('Has Diary Entry')).toBeTruthy()
  expect(screen.getByText(`${text.slice(0, 50)}…`)).toBeTruthy()
  const link = screen.getByRole('link', {
    name: 'View full entry in the Diary tab',
  })
  expect(link.getAttribute('href')).toBe('/diary?day=2025-06-10')

  press(/June 11,/)
  await untilNote('')
  expect(screen.queryByText('Has Notes')).toBeNull()
  expect(screen.getByText('Short')).toBeTruthy()

  press('Thursday, June 12, 2025')
  await untilNote(' \n')
  expect(screen.queryByText('Has Notes')).toBeNull()
  expect(screen.queryByText('Has Diary Entry')).toBeNull()
  expect(screen.queryByRole('link')).toBeNull()
})

test('a person moves through the days by arrow keys, also into the next month [CAL-01 CAL-02]', () => {
  openCalendar(null)
  act(() => button(tenth).focus())
  key('ArrowRight')
  expect(focused()).toBe('Wednesday, June 11, 2025')
  key('ArrowUp')
  expect(focused()).toBe('Wednesday, June 4, 2025')
  key('ArrowUp')
  expect(focused()).toBe('Wednesday, May 28, 2025')
  expect(month()).toBe('May 2025')
  key('End')
  key('ArrowRight')
  expect(focused()).toBe('Sunday, June 1, 2025')
  key('ArrowLeft')
  expect(focused()).toBe('Saturday, May 31, 2025')
  key('ArrowDown')
  expect(focused()).toBe('Saturday, June 7, 2025')
  key('Home')
  expect(focused()).toBe('Sunday, June 1, 2025')
  key('PageDown')
  expect(focused()).toBe('Tuesday, July 1, 2025')
  key('PageUp')
  expect(focused()).toBe('Sunday, June 1, 2025')
  expect(screen.getAllByRole('button', { name: /June/ }).filter((day) => day.tabIndex === 0)).toHaveLength(1)
})

test('the arrow keys continue from the day that the person pressed [CAL-01]', () => {
  openCalendar(null)
  act(() => button(tenth).focus())
  key('ArrowRight')
  act(() => button(tenth).focus())
  key('ArrowRight')
  expect(focused()).toBe('Wednesday, June 11, 2025')
})

test('a person who turns the month by keys has no chosen day [CAL-12]', () => {
  openCalendar(null)
  act(() => button('Monday, June 30, 2025').focus())
  press('Monday, June 30, 2025')
  key('ArrowRight')
  expect(month()).toBe('July 2025')
  expect(screen.getByText(prompt)).toBeTruthy()
})

test('a person whose notes and diary cannot be loaded reads so in a quiet line, and sees the month', async () => {
  server.refuse(getCalendar, 'NotAllowed')
  server.refuse(getDiary, 'NotAllowed')
  openCalendar(ana)
  expect(await screen.findByText('Your notes could not be loaded.')).toBeTruthy()
  expect(await screen.findByText('Your diary could not be loaded.')).toBeTruthy()
  expect(month()).toBe('June 2025')
  press(tenth)
  await untilNote('')
})

test('a person whose notes could not be loaded has all of them after a save, not the saved one alone [CAL-03]', async () => {
  server.refuse(getCalendar, 'NotAllowed')
  openCalendar(ana)
  await screen.findByText('Your notes could not be loaded.')
  press(tenth)
  await untilNote('')
  server.on(getCalendar, [aNote('2025-06-09', 'Stored before'), aNote('2025-06-10', 'New', noon)])
  type('New')
  press('Save')
  expect(await screen.findByRole('button', { name: `${tenth}, has a note` })).toBeTruthy()
  expect(button('Monday, June 9, 2025, has a note')).toBeTruthy()
  expect(screen.queryByText('Your notes could not be loaded.')).toBeNull()
  expect(note().value).toBe('New')
})

test('a note that is saved while the notes are read again is still there after that read [CAL-03]', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const old = [aNote('2025-06-09', 'Stored before')]
  server.on(getCalendar, old)
  const { client } = openCalendar(ana)
  await screen.findByRole('button', { name: 'Monday, June 9, 2025, has a note' })
  server.on(getCalendar, () => promise.then(() => old))
  void client.invalidateQueries({ queryKey: queryKeyOf(getCalendar) })
  await waitFor(() => expect(server.calls(getCalendar)).toHaveLength(2))
  server.on(getCalendar, [...old, aNote('2025-06-10', 'New', noon), aNote('2025-06-11', 'From the phone')])
  press(tenth)
  await untilNote('')
  type('New')
  press('Save')
  await screen.findByRole('button', { name: `${tenth}, has a note` })
  await act(async () => resolve())
  expect(await screen.findByRole('button', { name: 'Wednesday, June 11, 2025, has a note' })).toBeTruthy()
  expect(button(`${tenth}, has a note`)).toBeTruthy()
})

test('a note that is saved during the first read of the notes is there after that read [CAL-03]', async () => {
  server.refuse(getCalendar, 'NotAllowed')
  openCalendar(ana)
  await screen.findByText('Your notes could not be loaded.')
  press(tenth)
  await untilNote('')
  const saving = Promise.withResolvers<void>()
  const reading = Promise.withResolvers<void>()
  server.on(saveCalendarNote, () => saving.promise.then(() => aNote('2025-06-10', 'New', noon)))
  server.on(getCalendar, () => reading.promise.then(() => []))
  type('New')
  press('Save')
  press('Try again')
  await waitFor(() => expect(server.calls(getCalendar)).toHaveLength(2))
  server.on(getCalendar, [aNote('2025-06-10', 'New', noon)])
  await act(async () => saving.resolve())
  await act(async () => reading.resolve())
  expect(await screen.findByRole('button', { name: `${tenth}, has a note` })).toBeTruthy()
})

test('a person without the server sees the diary of this device, and reads so in a quiet line', async () => {
  pageDiary(ana.id).write('2025-06-10', localForm(anEntry('2025-06-10', 'Kept here')))
  server.refuse(getDiary, 'NotAllowed')
  openCalendar(ana)
  expect(await screen.findByText(/^Your diary could not be read from the server\./)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: /^Tuesday, June 10, 2025, / }))
  expect(await screen.findByText('Kept here')).toBeTruthy()
})
