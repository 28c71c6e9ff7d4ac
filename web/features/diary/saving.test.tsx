import 'fake-indexeddb/auto'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { fillStorage } from '#web/lib/testing.ts'
import { anEntry } from '#web/testing/diary.ts'
import { button, press } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { localDiary } from './local-diary.ts'
import { pageDiary } from './page-diary.ts'
import { draft, openDiary, sheet, startDiary, today, type, untilLocked, untilShown } from './testing.tsx'

const { server, stored, serveDiary, saves } = startDiary()

test('a guest saves an entry in this browser, without a request, and it is locked [DIARY-19 DIARY-23 DIARY-25]', async () => {
  serveDiary()
  openDiary(guest)
  await untilShown('')
  type('A guest writes')
  press('Save Entry')
  await untilLocked()
  expect(localDiary(guestId()).read(today)).toMatchObject({
    content: 'A guest writes',
    saved: true,
  })
  cleanup()
  openDiary(guest)
  await untilShown('A guest writes')
  expect(sheet().readOnly).toBe(true)
  press('Edit Entry')
  type('A guest writes on')
  press('Save Entry')
  await untilLocked()
  expect(localDiary(guestId()).read(today)).toMatchObject({
    content: 'A guest writes on',
    saved: true,
  })
  expect(server.requests).toEqual([])
})

test('a guest reads that an entry is kept in this browser only, and signs up to keep it [DIARY-23 DIARY-25]', async () => {
  serveDiary()
  openDiary(guest)
  await untilShown('')
  expect(screen.queryByText('Kept in this browser only')).toBeNull()
  type('A guest writes')
  press('Save Entry')
  await untilLocked()
  expect(screen.getByText('Kept in this browser only')).toBeTruthy()
  expect(screen.queryByText(/^Saved/)).toBeNull()
  cleanup()
  openDiary(guest)
  await untilShown('A guest writes')
  press('Sign up to keep it')
  expect(location.assign).toHaveBeenCalledExactlyOnceWith('/?onboarding=true')
})

test('a guest whose browser is full reads that nothing is saved [DIARY-25 DIARY-50]', async () => {
  serveDiary()
  openDiary(guest)
  await untilShown('')
  type('No room')
  fillStorage()
  press('Save Entry')
  await screen.findByText(/^Not saved/)
  const full = new Error('The storage of this browser is full')
  expect(console.error).toHaveBeenCalledExactlyOnceWith('Failed to save the diary entry', full)
  expect(button('Save Entry')).toBeTruthy()
  expect(sheet().value).toBe('No room')
  expect(localDiary(guestId()).read(today)).toBeUndefined()
  expect(server.requests).toEqual([])
})

test.each([
  ['a visitor', null],
  ['a user whose session has ended', ana],
])(
  '%s who saves gets an alert, and the text stays unsaved in this browser [DIARY-20 DIARY-24 DIARY-25]',
  async (_who, user) => {
    serveDiary()
    server.refuse(saveDiaryEntry, 'SignInRequired')
    openDiary(user)
    await untilShown('')
    type('Whose is this?')
    press('Save Entry')
    expect((await screen.findByRole('alertdialog')).textContent).toContain(
      'Please log in to save diary entries',
    )
    press('OK')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(saves()).toEqual([{ date: today, content: 'Whose is this?', base: null }])
    expect(sheet().value).toBe('Whose is this?')
    expect(button('Save Entry')).toBeTruthy()
    expect(await draft(user?.id ?? guestId())).toBe('Whose is this?')
    for (const diary of [pageDiary(ana.id), localDiary(user?.id ?? guestId())])
      expect(diary.read(today)?.saved).not.toBe(true)
    cleanup()
    openDiary(user)
    await untilShown('Whose is this?')
  },
)

test('a person whose session has ended signs in again beside the text, and it is saved [DIARY-24 DIARY-25]', async () => {
  serveDiary()
  server.refuse(saveDiaryEntry, 'SignInRequired')
  openDiary(ana)
  await untilShown('')
  type('Still mine')
  press('Save Entry')
  await screen.findByRole('alertdialog')
  press('OK')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  server.on(login, ana)
  server.on(saveDiaryEntry, ({ input }) => anEntry(input.date, input.content))
  press('Sign in again')
  fireEvent.change(await screen.findByLabelText('Passcode'), { target: { value: 'secret1' } })
  press('Continue')
  await untilLocked()
  expect(server.inputs(login)).toEqual([{ email: ana.email, password: 'secret1' }])
  expect(saves().at(-1)).toEqual({ date: today, content: 'Still mine', base: null })
})

test('a writer whose save fails for another reason gets no alert, and the text stays [ERR-17]', async () => {
  serveDiary()
  server.refuse(saveDiaryEntry, 'NotAllowed', { error: 'Not today.' })
  openDiary(ana)
  await untilShown('')
  type('Still mine')
  press('Save Entry')
  expect(await screen.findByText('Not saved: Not today, try again')).toBeTruthy()
  expect(console.error).toHaveBeenCalledWith('Failed to save the diary entry', expect.any(Error))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(screen.queryByText('Error')).toBeNull()
  expect(sheet().value).toBe('Still mine')
  expect(await draft(ana.id)).toBe('Still mine')
  serveDiary()
  press('Save Entry')
  await untilLocked()
})

test('a writer empties a day by saving a blank entry [DIARY-49]', async () => {
  serveDiary(anEntry(today, 'Gone tomorrow'))
  openDiary(ana)
  await untilShown('Gone tomorrow')
  press('Edit Entry')
  type('')
  press('Save Entry')
  await waitFor(() => expect(stored.get(today)?.content).toBe(''))
  expect(pageDiary(ana.id).read(today)).toMatchObject({
    content: '',
    saved: true,
  })
})

test('a user whose browser is full saves an entry on the server [DIARY-50]', async () => {
  serveDiary()
  openDiary(ana)
  await untilShown('')
  type('Too much for here')
  fillStorage()
  press('Save Entry')
  await untilLocked()
  press('Previous day')
  await untilShown('')
  press('Next day')
  await untilShown('Too much for here')
  expect(stored.get(today)?.content).toBe('Too much for here')
})
