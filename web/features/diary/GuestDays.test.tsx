import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { rememberGuest } from '#web/lib/guest-days.ts'
import { localNotes } from '#web/lib/local-notes.ts'
import { guestId } from '#web/lib/session-storage.ts'
import { show } from '#web/shell/testing.tsx'
import { GuestDays } from './GuestDays.tsx'
import { localDiary, localForm } from './local-diary.ts'
import {
  ana,
  anEntry,
  type Call,
  morning,
  press,
  refusal,
  serveDiary,
  startDiary,
  today,
} from './testing.tsx'

startDiary()

const yesterday = '2025-06-09'
const writeDay = (day: string, text: string) =>
  localDiary(guestId()).write(day, localForm(anEntry(day, text)))
const writeNote = (date: string, note: string) =>
  localNotes(guestId()).write(date, { date, note, saved: true, updated_at: morning })
const daysHere = () =>
  localDiary(guestId())
    .all()
    .map(({ date }) => date)
const notesHere = () =>
  localNotes(guestId())
    .all()
    .map(({ date }) => date)

/** The guest has become Ana, whose account keeps notes too. */
function meet(server: ReturnType<typeof serveDiary>, fails: (call: Call) => boolean = () => false) {
  server.instead = (call) => {
    if (fails(call)) return refusal(403)
    return call.path === '/api/calendar/save'
      ? { status: 200, body: { note_date: today, content: 'A note', updated_at: morning } }
      : undefined
  }
  rememberGuest(ana.id)
  show(<GuestDays personId={ana.id} />, { user: ana })
}
const offer = () => screen.queryByRole('region', { name: 'Days of the guest' })
const untilGone = () => waitFor(() => expect(offer()).toBeNull())
const isSaveOf = (day: string) => (call: Call) =>
  call.method === 'POST' && (call.body as { date: string }).date === day

test('the days and notes of a guest are saved to the account once each, and then leave this browser [DIARY-23]', async () => {
  writeDay(yesterday, 'Monday')
  writeDay(today, 'Tuesday')
  writeNote(today, 'A note')
  writeNote('2025-06-08', ' ')
  const server = serveDiary()
  meet(server)
  expect(offer()?.textContent).toContain(
    'You wrote on 2 days on this device before you signed up. They are only here.',
  )
  expect(server.calls).toEqual([])
  press('Save to my account')
  await untilGone()
  expect(server.saves()).toEqual([
    { date: yesterday, content: 'Monday', base: null },
    { date: today, content: 'Tuesday', base: null },
    { date: today, note: 'A note', base: null },
  ])
  expect(server.kept.get(yesterday)?.content).toBe('Monday')
  expect(daysHere()).toEqual([])
  expect(notesHere()).toEqual(['2025-06-08'])
})

test('a single day of a guest is counted as one [DIARY-23]', () => {
  writeDay(today, 'Tuesday')
  writeNote(today, 'A note')
  meet(serveDiary())
  expect(offer()?.textContent).toContain('You wrote on 1 day on this device')
})

test('nothing is offered to who wrote nothing as a guest, or never was that guest [DIARY-23]', () => {
  writeDay(today, ' \n')
  localDiary('somebody').write(today, localForm(anEntry(today, 'Not for you')))
  const server = serveDiary()
  meet(server)
  expect(offer()).toBeNull()
  expect(server.calls).toEqual([])
})

test('a day that cannot be saved stays here with those after it, which is said, and can be tried again [DIARY-23]', async () => {
  writeDay('2025-06-08', 'Sunday')
  writeDay(yesterday, 'Monday')
  writeDay(today, 'Tuesday')
  const server = serveDiary()
  let isBroken = true
  meet(server, (call) => isBroken && isSaveOf(yesterday)(call))
  press('Save to my account')
  expect(await screen.findByText('Not all of them could be saved. Try again.')).toBeTruthy()
  expect(offer()?.textContent).toContain('You wrote on 2 days')
  expect(daysHere()).toEqual([yesterday, today])
  expect([...server.kept.keys()]).toEqual(['2025-06-08'])

  isBroken = false
  await waitFor(() => expect(screen.getByRole('button').getAttribute('aria-busy')).toBeNull())
  press('Save to my account')
  await untilGone()
  expect([...server.kept.keys()]).toEqual(['2025-06-08', yesterday, today])
  expect(daysHere()).toEqual([])
})

test.each([
  ['Keep this one', 'Of the guest'],
  ['Take the other one', 'Of the account'],
  ['Keep both', 'Of the account\n\nOf the guest'],
])(
  'a day that the account has another text for is asked about: "%s", and the others follow [DIARY-23 DIARY-47]',
  async (answer, text) => {
    writeDay(yesterday, 'Of the guest')
    writeDay(today, 'Tuesday')
    const server = serveDiary(anEntry(yesterday, 'Of the account'))
    meet(server)
    press('Save to my account')
    const question = within(await screen.findByRole('dialog', { name: 'Two texts for one place' }))
    expect(question.getByLabelText<HTMLTextAreaElement>('Written here').value).toBe('Of the guest')
    expect(question.getByLabelText<HTMLTextAreaElement>('Saved elsewhere').value).toBe('Of the account')
    expect(server.kept.get(yesterday)?.content).toBe('Of the account')
    expect(daysHere()).toEqual([yesterday, today])
    fireEvent.click(question.getByRole('button', { name: answer }))
    await untilGone()
    expect(server.kept.get(yesterday)?.content).toBe(text)
    expect(server.kept.get(today)?.content).toBe('Tuesday')
    expect(daysHere()).toEqual([])
  },
)

test('a day that the account has already is not asked about [DIARY-23]', async () => {
  writeDay(today, 'The same')
  const server = serveDiary(anEntry(today, 'The same'))
  meet(server)
  press('Save to my account')
  await untilGone()
  expect(server.kept.get(today)).toEqual(anEntry(today, 'The same'))
  expect(daysHere()).toEqual([])
})
