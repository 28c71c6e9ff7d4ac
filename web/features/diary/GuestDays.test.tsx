import 'fake-indexeddb/auto'
import type { DBSchema } from 'idb'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { openBucket, openIn } from '#web/lib/device/bucket.ts'
import { keysBucketOf } from '#web/lib/kept-keys.ts'
import { guestId, writeKey } from '#web/lib/session-keys.ts'
import { personKey, removeStored } from '#web/lib/storage.ts'
import { giveBuckets } from '#web/lib/testing.ts'
import { anEntry, morning } from '#web/testing/diary.ts'
import { press, show } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { GuestDays } from './GuestDays.tsx'
import { rememberGuest } from './guest-of-person.ts'
import { localDiary, localForm } from './local-diary.ts'
import { localNotes } from './local-notes.ts'
import { startDiary, today } from './testing.tsx'

interface Keys extends DBSchema {
  keys: { key: string; value: string }
}

const { server, stored, store, serveDiary, saves } = startDiary()

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

/** The guest has become Ana, whose account stores days and notes. */
function signUp() {
  server.on(saveCalendarNote, { note_date: today, content: 'A note', updated_at: morning })
  rememberGuest(ana.id)
  show(<GuestDays personId={ana.id} />, { user: ana })
}
const offer = () => screen.queryByRole('region', { name: 'Days of the guest' })
const untilGone = () => waitFor(() => expect(offer()).toBeNull())

test('the days of a guest are offered once the page has read what this browser keeps of the person [DIARY-23 OWN-21]', async () => {
  giveBuckets()
  const eva = { ...ana, id: 'e7q2m4xp3d' }
  writeKey('userId', eva.id)
  const { indexedDB: inBucket } = (await openBucket(keysBucketOf(eva.id)))!
  const database = await openIn<Keys>(inBucket, 'keys', 1, {
    create: (created) => void created.createObjectStore('keys'),
    onClosed: () => {},
  })
  const key = personKey('diary', eva.id, 'guest')
  await database.put('keys', guestId(), key)
  // The page has it in memory, also in the tests of other files.
  onTestFinished(() => removeStored('localStorage', key))
  database.close()
  writeDay(today, 'Tuesday')
  show(<GuestDays personId={eva.id} />, { user: eva })
  expect(offer()).toBeNull()
  await waitFor(() => expect(offer()).not.toBeNull())
})

test('a person who has signed up saves each day and note of the guest once to the account, and they are removed from this browser [DIARY-23]', async () => {
  writeDay(yesterday, 'Monday')
  writeDay(today, 'Tuesday')
  writeNote(today, 'A note')
  writeNote('2025-06-08', ' ')
  serveDiary()
  signUp()
  expect(offer()?.textContent).toContain(
    'You wrote on 2 days on this device before you signed up. They are only here.',
  )
  expect(server.requests).toEqual([])
  press('Save to my account')
  await untilGone()
  expect(saves()).toEqual([
    { date: yesterday, content: 'Monday', base: null },
    { date: today, content: 'Tuesday', base: null },
  ])
  expect(server.inputs(saveCalendarNote)).toEqual([{ date: today, note: 'A note', base: null }])
  expect(stored.get(yesterday)?.content).toBe('Monday')
  expect(daysHere()).toEqual([])
  expect(notesHere()).toEqual(['2025-06-08'])
})

test('a person who changes a day of the guest in another tab during the save keeps the changed day and note in this browser [DIARY-23]', async () => {
  writeDay(today, 'Tuesday')
  writeNote(today, 'A note')
  serveDiary()
  signUp()
  writeDay(today, 'Tuesday and more')
  writeNote(today, 'A longer note')
  press('Save to my account')
  await untilGone()
  expect(localDiary(guestId()).read(today)?.content).toBe('Tuesday and more')
  expect(localNotes(guestId()).read(today)?.note).toBe('A longer note')
})

test('a person who wrote an entry and a note on the same day reads that it is 1 day [DIARY-23]', () => {
  writeDay(today, 'Tuesday')
  writeNote(today, 'A note')
  serveDiary()
  signUp()
  expect(offer()?.textContent).toContain('You wrote on 1 day on this device')
})

test('a person who wrote nothing as a guest, or was another guest, gets no offer [DIARY-23]', () => {
  writeDay(today, ' \n')
  localDiary('somebody').write(today, localForm(anEntry(today, 'Not for you')))
  serveDiary()
  signUp()
  expect(offer()).toBeNull()
  expect(server.requests).toEqual([])
})

test('a person whose day cannot be saved reads so, keeps it and the later days in this browser, and saves them by the next try [DIARY-23]', async () => {
  writeDay('2025-06-08', 'Sunday')
  writeDay(yesterday, 'Monday')
  writeDay(today, 'Tuesday')
  serveDiary()
  server.on(saveDiaryEntry, ({ input, fail }) =>
    input.date === yesterday ? fail('NotAllowed') : store(input),
  )
  signUp()
  press('Save to my account')
  expect(await screen.findByText('Not all of them could be saved. Try again.')).toBeTruthy()
  expect(offer()?.textContent).toContain('You wrote on 2 days')
  expect(daysHere()).toEqual([yesterday, today])
  expect([...stored.keys()]).toEqual(['2025-06-08'])

  serveDiary(...stored.values())
  await waitFor(() => expect(screen.getByRole('button').getAttribute('aria-busy')).toBeNull())
  press('Save to my account')
  await untilGone()
  expect([...stored.keys()]).toEqual(['2025-06-08', yesterday, today])
  expect(daysHere()).toEqual([])
})

test.each([
  ['Keep this version', 'Of the guest'],
  ['Use the other version', 'Of the account'],
  ['Keep both', 'Of the account\n\nOf the guest'],
])(
  'a person whose account has another text for a day chooses "%s", and the other days are saved [DIARY-23 DIARY-47]',
  async (answer, text) => {
    writeDay(yesterday, 'Of the guest')
    writeDay(today, 'Tuesday')
    serveDiary(anEntry(yesterday, 'Of the account'))
    signUp()
    press('Save to my account')
    const question = within(await screen.findByRole('dialog', { name: 'Two versions of this text' }))
    expect(question.getByLabelText<HTMLTextAreaElement>('Written here').value).toBe('Of the guest')
    expect(question.getByLabelText<HTMLTextAreaElement>('Saved elsewhere').value).toBe('Of the account')
    expect(stored.get(yesterday)?.content).toBe('Of the account')
    expect(daysHere()).toEqual([yesterday, today])
    fireEvent.click(question.getByRole('button', { name: answer }))
    await untilGone()
    expect(stored.get(yesterday)?.content).toBe(text)
    expect(stored.get(today)?.content).toBe('Tuesday')
    expect(daysHere()).toEqual([])
  },
)

test('a person whose day is saved elsewhere again, before the answer about both texts, keeps both, and the console gets neither [DIARY-23 DIARY-47 S63]', async () => {
  writeDay(today, 'Of the guest')
  serveDiary(anEntry(today, 'Of the account'))
  signUp()
  press('Save to my account')
  const question = within(await screen.findByRole('dialog', { name: 'Two versions of this text' }))
  stored.set(today, anEntry(today, 'From the phone', '2025-06-10T11:00:00.000Z'))
  fireEvent.click(question.getByRole('button', { name: 'Keep this version' }))
  expect(await screen.findByText('Not all of them could be saved. Try again.')).toBeTruthy()
  expect(stored.get(today)?.content).toBe('From the phone')
  expect(daysHere()).toEqual([today])
  expect(vi.mocked(console.error).mock.calls).toContainEqual([
    'Failed to save the days of the guest',
    'DiaryConflict',
  ])
})

test('a person whose account has the same text already gets no conflict, and the day is removed from this browser [DIARY-23]', async () => {
  writeDay(today, 'The same')
  serveDiary(anEntry(today, 'The same'))
  signUp()
  press('Save to my account')
  await untilGone()
  expect(stored.get(today)).toEqual(anEntry(today, 'The same'))
  expect(daysHere()).toEqual([])
})
