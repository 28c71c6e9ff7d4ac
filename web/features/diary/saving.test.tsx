import 'fake-indexeddb/auto'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { guestId } from '#web/lib/session-storage.ts'
import { fillStorage } from '#web/lib/testing.ts'
import { localDiary } from './local-diary.ts'
import {
  ana,
  anEntry,
  button,
  draft,
  guest,
  openDiary,
  press,
  refusal,
  serveDiary,
  sheet,
  startDiary,
  today,
  type,
  untilLocked,
  untilShown,
} from './testing.tsx'

startDiary()

test('the entry of a guest is saved and locked in this browser, without a call [DIARY-19 DIARY-23 DIARY-25]', async () => {
  const server = serveDiary()
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
  expect(server.calls).toEqual([])
})

test('a guest whose browser is full is told that nothing is saved [DIARY-25 DIARY-50]', async () => {
  const server = serveDiary()
  openDiary(guest)
  await untilShown('')
  type('No room')
  fillStorage()
  press('Save Entry')
  await screen.findByText(/^Not saved/)
  vi.unstubAllGlobals()
  expect(button('Save Entry')).toBeTruthy()
  expect(sheet().value).toBe('No room')
  expect(localDiary(guestId()).read(today)).toBeUndefined()
  expect(server.calls).toEqual([])
})

test.each([
  ['without a session', null],
  ['with a session that has ended', ana],
])(
  'a save %s is refused with an alert, and the text stays unsaved here [DIARY-20 DIARY-24 DIARY-25]',
  async (_who, user) => {
    const server = serveDiary()
    server.instead = ({ method }) => (method === 'POST' ? refusal(401) : undefined)
    openDiary(user)
    await untilShown('')
    type('Whose is this?')
    press('Save Entry')
    expect((await screen.findByRole('alertdialog')).textContent).toContain(
      'Please log in to save diary entries',
    )
    press('OK')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(server.saves()).toEqual([{ date: today, content: 'Whose is this?', base: null }])
    expect(sheet().value).toBe('Whose is this?')
    expect(button('Save Entry')).toBeTruthy()
    expect(await draft(user?.id ?? guestId())).toBe('Whose is this?')
    expect(localDiary(user?.id ?? guestId()).read(today)?.saved).not.toBe(true)
    cleanup()
    openDiary(user)
    await untilShown('Whose is this?')
  },
)

test('any other failure of a save is only logged, and the text stays [ERR-17]', async () => {
  const server = serveDiary()
  server.instead = ({ method }) => (method === 'POST' ? refusal(403, 'Not today.') : undefined)
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
  server.instead = () => undefined
  press('Save Entry')
  await untilLocked()
})

test('a blank entry may be saved: the day is emptied [DIARY-49]', async () => {
  const server = serveDiary(anEntry(today, 'Gone tomorrow'))
  openDiary(ana)
  await untilShown('Gone tomorrow')
  press('Edit Entry')
  type('')
  press('Save Entry')
  await waitFor(() => expect(server.kept.get(today)?.content).toBe(''))
  expect(localDiary(ana.id).read(today)).toMatchObject({
    content: '',
    saved: true,
  })
})

test('what this browser cannot copy is saved on the server all the same [DIARY-50]', async () => {
  const server = serveDiary()
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
  vi.unstubAllGlobals()
  expect(server.kept.get(today)?.content).toBe('Too much for here')
})
