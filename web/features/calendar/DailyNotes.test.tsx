import 'fake-indexeddb/auto'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import { getCalendar, saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { noteMaxLength } from '#contract/calendar/note.ts'
import { localNotes } from '#web/features/diary/index.ts'
import { draftsOf } from '#web/lib/editor/drafts.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { fillStorage } from '#web/lib/testing.ts'
import { morning } from '#web/testing/diary.ts'
import { button, press } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { aNote, noon, note, openCalendar, startCalendar, tenth, type, untilNote } from './testing.tsx'

const server = startCalendar()
const saves = () => server.inputs(saveCalendarNote)

const untilSaved = () => screen.findByText(/^Saved \d+:\d\d [AP]M$/)
async function saveInstead(text: string) {
  await act(async () => {})
  type(text)
  press('Save')
  await untilSaved()
}

test.each(['', '  ', ' \n\u200b'])('a note %j cannot be saved [CAL-13]', async (text) => {
  openCalendar(ana)
  press(tenth)
  await untilNote('')
  type(text)
  expect(button('Save').disabled).toBe(true)
  fireEvent.submit(note().form!)
  await saveInstead('Call Ben')
  expect(saves()).toMatchObject([{ note: 'Call Ben' }])
})

test('a person saves a note in the account, with the version from which the edit started [CAL-03 CAL-14 CAL-16]', async () => {
  server.on(getCalendar, [aNote('2025-06-10', 'Call Ben')])
  openCalendar(ana)
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
  openCalendar(user)
  press(tenth)
  await untilNote('')
  type('Only here')
  press('Save')
  expect(await screen.findByText('Kept in this browser only')).toBeTruthy()
  expect(button('Sign up to keep it')).toBeTruthy()
  expect(screen.queryByText(/^Saved/)).toBeNull()
  expect(localNotes(guestId()).all()).toMatchObject([{ date: '2025-06-10', note: 'Only here', saved: true }])
  expect(button(`${tenth}, has a note`)).toBeTruthy()
  type('Only here, twice')
  press('Save')
  await waitFor(() => expect(localNotes(guestId()).read('2025-06-10')?.note).toBe('Only here, twice'))
  cleanup()
  openCalendar(user)
  press(/June 10,/)
  await untilNote('Only here, twice')
  expect(server.requests).toEqual([])
})

test.each([
  ['Ctrl and S, wherever the focus is', () => document.body, { key: 's', ctrlKey: true }],
  ['Cmd and S', note, { key: 's', metaKey: true }],
  ['Ctrl and Enter', note, { key: 'Enter', ctrlKey: true }],
])(
  'a person saves a note by %s and types on in it, and the browser saves no file [CAL-16]',
  async (_keys, target, keys) => {
    openCalendar(ana)
    press(tenth)
    await untilNote('')
    expect(fireEvent.keyDown(target(), keys)).toBe(false)
    note().focus()
    type('Call Ben')
    expect(fireEvent.keyDown(target(), keys)).toBe(false)
    await untilSaved()
    expect(saves()).toMatchObject([{ note: 'Call Ben' }])
    expect(document.activeElement).toBe(note())
    expect(note().readOnly).toBe(false)
  },
)

test('a person empties a stored note by Clear, which is not shown for a note that is not stored [CAL-22]', async () => {
  server.on(getCalendar, [aNote('2025-06-10', 'Call Ben')])
  openCalendar(ana)
  press('Wednesday, June 11, 2025')
  await untilNote('')
  type('Not stored')
  expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull()
  press(/June 10,/)
  await untilNote('Call Ben')
  press('Clear')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull())
  expect(document.activeElement).toBe(note())
  expect(saves()).toEqual([{ date: '2025-06-10', note: '', base: morning }])
  expect(note().value).toBe('')
  expect(screen.queryByText('Has Notes')).toBeNull()
  expect(button(tenth)).toBeTruthy()
})

const failures: [text: string, prepare: () => void][] = [
  ['Please log in to save calendar notes', () => server.refuse(saveCalendarNote, 'SignInRequired')],
  [
    'Failed to save note: The diary is locked.',
    () => server.refuse(saveCalendarNote, 'NotAllowed', { error: 'The diary is locked.' }),
  ],
  ['Failed to save note: Unknown error', () => server.answerForeign(saveCalendarNote, 403, '')],
  ['Network error - failed to save note', () => server.disconnect(saveCalendarNote)],
]
test.each(failures)(
  'a person whose save fails reads %s, and the note stays [CAL-18 CAL-19 CAL-20 CAL-21 CAL-22]',
  async (text, prepare) => {
    prepare()
    openCalendar(ana)
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

test('a person whose session has ended signs in again beside the note: it is saved, and has the focus [CAL-14 CAL-22]', async () => {
  server.refuse(saveCalendarNote, 'SignInRequired')
  openCalendar(ana)
  press(tenth)
  await untilNote('')
  type('Still mine')
  press('Save')
  await screen.findByRole('alertdialog')
  press('OK')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  server.on(login, ana)
  const answer = Promise.withResolvers<void>()
  server.on(saveCalendarNote, async ({ input }) => {
    await answer.promise
    return aNote(input.date, input.note)
  })
  button('Sign in again').focus()
  press('Sign in again')
  const passcode = await screen.findByLabelText('Passcode')
  expect(screen.getByRole('dialog').textContent).toContain('Your session has ended.')
  fireEvent.keyDown(passcode, { key: 'Escape' })
  await waitFor(() => expect(document.activeElement).toBe(button('Sign in again')))
  press('Sign in again')
  fireEvent.change(await screen.findByLabelText('Passcode'), { target: { value: 'secret1' } })
  press('Continue')
  await waitFor(() => expect(document.activeElement).toBe(note()))
  answer.resolve()
  await untilSaved()
  expect(saves().at(-1)).toMatchObject({ note: 'Still mine' })
  expect(document.activeElement).toBe(note())
})

test('a guest whose browser is full reads that the note is not saved [CAL-17 CAL-20]', async () => {
  openCalendar(guest)
  press(tenth)
  await untilNote('')
  type('No room')
  fillStorage()
  press('Save')
  expect(await screen.findByText('Failed to save note: Unknown error')).toBeTruthy()
  const full = new Error('The storage of this browser is full')
  expect(console.error).toHaveBeenCalledExactlyOnceWith('Failed to save the note', full)
  expect(localNotes(guestId()).all()).toEqual([])
})

test('a writer sees a note that was changed elsewhere beside the own one, and chooses [CAL-19 CAL-22]', async () => {
  const current = aNote('2025-06-10', 'From the phone', noon)
  server.on(saveCalendarNote, ({ input, fail }) =>
    input.base === noon ? aNote(input.date, input.note, noon) : fail('CalendarConflict', { current }),
  )
  openCalendar(ana)
  press(tenth)
  await untilNote('')
  type('From the desk')
  press('Save')
  const question = within(await screen.findByRole('dialog'))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(question.getByLabelText<HTMLTextAreaElement>('Saved elsewhere').value).toBe('From the phone')
  fireEvent.click(question.getByRole('button', { name: 'Keep this version' }))
  await untilSaved()
  expect(saves().at(-1)).toEqual({
    date: '2025-06-10',
    note: 'From the desk',
    base: noon,
  })
})

test('a person reads by how much a note is too long, and cannot save it [CAL-13]', async () => {
  openCalendar(ana)
  press(tenth)
  await untilNote('')
  type('x'.repeat(noteMaxLength + 2))
  expect(screen.getByText('2 characters too long')).toBeTruthy()
  fireEvent.submit(note().form!)
  await saveInstead('Call Ben')
  expect(saves()).toMatchObject([{ note: 'Call Ben' }])
})
