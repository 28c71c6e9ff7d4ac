import 'fake-indexeddb/auto'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { localDiary, localForm } from '#web/features/diary/local-diary.ts'
import { anEntry } from '#web/features/diary/testing.tsx'
import { serve } from '#web/features/feed/testing.tsx'
import { ana, show } from '#web/shell/testing.tsx'
import { CalendarPage } from './CalendarPage.tsx'
import { aNote, button, openCalendar, press, startCalendar, tenth, untilNote } from './testing.tsx'

startCalendar()

const prompt = 'Select a day to add notes and view diary entries'
const month = () => screen.getAllByRole('heading', { level: 2 })[0]!.textContent
const key = (name: string) => fireEvent.keyDown(document.activeElement!, { key: name })
const focused = () => document.activeElement?.getAttribute('aria-label')

test('a month is a table of its days, today among them, between its neighbours [CAL-01 CAL-02 CAL-11]', () => {
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

test('a chosen day opens its notes, and another month lets go of it [CAL-04 CAL-05 CAL-11 CAL-12]', async () => {
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

test('a day says what it has, by its name and by badges, and what its diary begins with [CAL-06 CAL-07 CAL-08 CAL-09 CAL-10]', async () => {
  const text = '0123456789'.repeat(6)
  openCalendar(ana, {
    notes: [aNote('2025-06-10', 'Call Ben'), aNote('2025-06-12', ' \n')],
    diary: [anEntry('2025-06-10', text), anEntry('2025-06-11', 'Short')],
  })
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

test('the arrow keys walk the days, over the edges of the month [CAL-01 CAL-02]', () => {
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

test('the arrow keys go on from the day that was pressed [CAL-01]', () => {
  openCalendar(null)
  act(() => button(tenth).focus())
  key('ArrowRight')
  act(() => button(tenth).focus())
  key('ArrowRight')
  expect(focused()).toBe('Wednesday, June 11, 2025')
})

test('a month turned by keys lets go of the chosen day too [CAL-12]', () => {
  openCalendar(null)
  act(() => button('Monday, June 30, 2025').focus())
  press('Monday, June 30, 2025')
  key('ArrowRight')
  expect(month()).toBe('July 2025')
  expect(screen.getByText(prompt)).toBeTruthy()
})

test('notes and diary that cannot be read are said in a quiet line, and the month stands', async () => {
  serve({
    'GET /api/calendar': () => ({ status: 403 }),
    'GET /api/diary': () => ({ status: 403 }),
  })
  show(<CalendarPage />, { at: '/calendar', user: ana })
  expect(await screen.findByText('Your notes could not be read.')).toBeTruthy()
  expect(await screen.findByText('Your diary could not be read.')).toBeTruthy()
  expect(month()).toBe('June 2025')
  press(tenth)
  await untilNote('')
})

test('without the server the diary of this device is marked, which is said in a quiet line', async () => {
  localDiary(ana.id).write('2025-06-10', localForm(anEntry('2025-06-10', 'Kept here')))
  serve({ 'GET /api/calendar': () => ({ body: [] }), 'GET /api/diary': () => ({ status: 403 }) })
  show(<CalendarPage />, { at: '/calendar', user: ana })
  expect(await screen.findByText(/^Your diary could not be read from the server\./)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: /^Tuesday, June 10, 2025, / }))
  expect(await screen.findByText('Kept here')).toBeTruthy()
})
