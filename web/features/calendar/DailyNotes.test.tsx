import 'fake-indexeddb/auto'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { calendarErrors } from '#contract/calendar/errors.ts'
import { noteMaxLength } from '#contract/calendar/note.ts'
import { draftsOf } from '#web/lib/editor/drafts.ts'
import { localNotes } from '#web/lib/local-notes.ts'
import { guestId } from '#web/lib/session-storage.ts'
import { fillStorage } from '#web/lib/testing.ts'
import { ana, guest } from '#web/shell/testing.tsx'
import {
  aNote,
  button,
  morning,
  noon,
  note,
  openCalendar,
  press,
  savedNow,
  startCalendar,
  tenth,
  type,
  untilNote,
} from './testing.tsx'

startCalendar()

const untilSaved = () => screen.findByText(/^Saved \d\d:\d\d$/)
async function saveInstead(text: string) {
  await act(async () => {})
  type(text)
  press('Save')
  await untilSaved()
}

test.each(['', '  ', ' \n\u200b'])('a note %j cannot be saved [CAL-13]', async (text) => {
  const { saves } = openCalendar(ana)
  press(tenth)
  await untilNote('')
  type(text)
  expect(button('Save').disabled).toBe(true)
  fireEvent.submit(note().form!)
  await saveInstead('Call Ben')
  expect(saves()).toMatchObject([{ note: 'Call Ben' }])
})

test('the note of a person is saved in the account, from the version it grew from [CAL-03 CAL-14 CAL-16]', async () => {
  const { saves } = openCalendar(ana, { notes: [aNote('2025-06-10', 'Call Ben')] })
  press(tenth)
  await untilNote('Call Ben')
  type('Call Ben at ten')
  press('Save')
  await untilSaved()
  expect(saves()).toEqual([{ date: '2025-06-10', note: 'Call Ben at ten', base: morning }])
  expect(localNotes(ana.id).all()).toEqual([])
  press('Next month')
  press('Previous month')
  press(/June 10,/)
  await untilNote('Call Ben at ten')
})

test.each([
  ['a guest', guest],
  ['a visitor', null],
])('the note of %s is saved in this browser, without a call [CAL-15 CAL-17]', async (_who, user) => {
  const { sent } = openCalendar(user)
  press(tenth)
  await untilNote('')
  type('Only here')
  press('Save')
  await untilSaved()
  expect(localNotes(guestId()).all()).toMatchObject([{ date: '2025-06-10', note: 'Only here', saved: true }])
  expect(button(`${tenth}, has a note`)).toBeTruthy()
  type('Only here, twice')
  press('Save')
  await waitFor(() => expect(localNotes(guestId()).read('2025-06-10')?.note).toBe('Only here, twice'))
  cleanup()
  openCalendar(user)
  press(/June 10,/)
  await untilNote('Only here, twice')
  expect(sent).toEqual([])
})

test('a stored note is emptied by Clear, which others do not have [CAL-22]', async () => {
  const { saves } = openCalendar(ana, { notes: [aNote('2025-06-10', 'Call Ben')] })
  press('Wednesday, June 11, 2025')
  await untilNote('')
  type('Not stored')
  expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull()
  press(/June 10,/)
  await untilNote('Call Ben')
  press('Clear')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull())
  expect(saves()).toEqual([{ date: '2025-06-10', note: '', base: morning }])
  expect(note().value).toBe('')
  expect(screen.queryByText('Has Notes')).toBeNull()
  expect(button(tenth)).toBeTruthy()
})

test.each([
  ['Please log in to save calendar notes', () => ({ status: 401, body: { error: 'Sign in.' } })],
  [
    'Failed to save note: The diary is locked.',
    () => ({ status: 403, body: { error: 'The diary is locked.' } }),
  ],
  ['Failed to save note: Unknown error', () => ({ status: 403 })],
  ['Network error - failed to save note', () => 'away' as const],
])(
  'a save that fails says %s, and the note stays [CAL-18 CAL-19 CAL-20 CAL-21 CAL-22]',
  async (text, save) => {
    const { saves } = openCalendar(ana, { save })
    press(tenth)
    await untilNote('')
    type('Still mine')
    await screen.findByText('Safe on this device')
    vi.useRealTimers()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    press('Save')
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    vi.useRealTimers()
    expect((await screen.findByRole('alertdialog')).textContent).toBe(`${text}OK`)
    press('OK')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(saves().length).toBeGreaterThan(0)
    expect(note().value).toBe('Still mine')
    expect(screen.queryByText('Has Notes')).toBeNull()
    expect((await draftsOf(ana.id, 'notes/2025-06-10'))[0]?.text).toBe('Still mine')
  },
)

test('a guest whose browser is full is told that the note is not saved [CAL-17 CAL-20]', async () => {
  openCalendar(guest)
  press(tenth)
  await untilNote('')
  type('No room')
  fillStorage()
  press('Save')
  expect(await screen.findByText('Failed to save note: Unknown error')).toBeTruthy()
  expect(localNotes(guestId()).all()).toEqual([])
})

test('a note that was changed elsewhere is shown beside the own one, and the writer chooses [CAL-19 CAL-22]', async () => {
  const current = aNote('2025-06-10', 'From the phone', noon)
  const { saves } = openCalendar(ana, {
    save: (sent) =>
      (sent.body as { base: string | null }).base === noon
        ? savedNow(sent)
        : {
            status: 400,
            body: {
              ...calendarErrors.CalendarConflict,
              code: 'CalendarConflict',
              current,
            },
          },
  })
  press(tenth)
  await untilNote('')
  type('From the desk')
  press('Save')
  const question = within(await screen.findByRole('dialog'))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(question.getByLabelText<HTMLTextAreaElement>('Saved elsewhere').value).toBe('From the phone')
  fireEvent.click(question.getByRole('button', { name: 'Keep this one' }))
  await untilSaved()
  expect(saves().at(-1)).toEqual({
    date: '2025-06-10',
    note: 'From the desk',
    base: noon,
  })
})

test('a note that is too long says by how much, and cannot be saved [CAL-13]', async () => {
  const { saves } = openCalendar(ana)
  press(tenth)
  await untilNote('')
  type('x'.repeat(noteMaxLength + 2))
  expect(screen.getByText('2 characters more than a note can hold.')).toBeTruthy()
  fireEvent.submit(note().form!)
  await saveInstead('Call Ben')
  expect(saves()).toMatchObject([{ note: 'Call Ben' }])
})
