import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import {
  endOtherSessions,
  endSession,
  listSessions,
  type OwnSession,
} from '#contract/account/sessions/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { Sessions } from './Sessions.tsx'

const server = startTestPage()

const idOf = (n: number) => `01900000-0000-7000-8000-00000000000${n}`
const here: OwnSession = {
  id: idOf(1),
  browser: 'Firefox',
  system: 'Windows',
  signedInAt: '2025-06-10T08:00:00.000Z',
  lastUsedAt: '2025-06-10T12:00:00.000Z',
  isCurrent: true,
}
const phone: OwnSession = { ...here, id: idOf(2), browser: 'Safari', system: 'iPhone', isCurrent: false }
const unknown: OwnSession = { ...phone, id: idOf(3), browser: null, system: null }

const open = (...listed: OwnSession[]) => {
  server.on(listSessions, listed)
  show(<Sessions />, { user: ana })
}
const rowOf = async (name: string) => within((await screen.findByText(name)).closest('li')!)
const endPhone = async () => {
  fireEvent.click((await rowOf('Safari on iPhone')).getByRole('button', { name: /^End/ }))
}
const endOthers = async () => {
  await screen.findByText('Firefox on Windows')
  press('End all others')
  expect(await screen.findByText(/All other devices are signed out at once/)).toBeTruthy()
  const question = within(screen.getByRole('alertdialog'))
  fireEvent.click(question.getByRole('button', { name: 'End all others' }))
}
const heading = () => screen.getByRole('heading', { name: 'Signed in on' })

test('a person reads on which devices they are signed in and when each was used by the clock of this device, and cannot end this one [INST-10]', async () => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  onTestFinished(() => void vi.unstubAllEnvs())
  open(
    here,
    phone,
    { ...unknown, system: 'Linux' },
    { ...unknown, id: idOf(4), browser: 'Opera' },
    {
      ...unknown,
      id: idOf(5),
    },
  )
  const own = await rowOf('Firefox on Windows')
  expect(own.getByText('This device')).toBeTruthy()
  expect(own.queryByRole('button')).toBeNull()
  expect(own.queryByText(/Last used/)).toBeNull()
  const other = await rowOf('Safari on iPhone')
  expect(other.queryByText('This device')).toBeNull()
  expect(other.getByText(/Signed in/).textContent).toBe('Signed in Jun 10, 2025, 5:00 PM')
  expect(other.getByText(/Last used/).textContent).toBe('Last used Jun 10, 2025, 9:00 PM')
  for (const name of ['Unknown browser on Linux', 'Opera', 'Unknown device'])
    expect(screen.getByText(name)).toBeTruthy()
})

test('a person with one session reads of no others [INST-10]', async () => {
  open(here)
  await screen.findByText('Firefox on Windows')
  expect(screen.queryByRole('button', { name: /End/ })).toBeNull()
})

test('a person ends the session of one device, which is then gone from the list [INST-10]', async () => {
  open(here, phone, unknown)
  server.on(endSession, () => {
    server.on(listSessions, [here, unknown])
    return done
  })
  await endPhone()
  expect(await screen.findByText('Safari on iPhone is signed out.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull())
  expect(server.calls(endSession).map(({ params }) => params)).toEqual([{ id: phone.id }])
  expect(document.activeElement).toBe(heading())
})

test('a person ends a session that has already ended, and reads that the device is signed out [INST-10]', async () => {
  open(here, phone)
  server.on(endSession, ({ fail }) => {
    server.on(listSessions, [here])
    return fail('SessionNotFound')
  })
  await endPhone()
  expect(await screen.findByText('Safari on iPhone is signed out.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull())
})

test('a person ends all other sessions after a question, or cancels it and ends none [INST-10]', async () => {
  open(here, phone, unknown)
  server.on(endOtherSessions, () => {
    server.on(listSessions, [here])
    return done
  })
  await screen.findByText('Firefox on Windows')
  press('End all others')
  await screen.findByRole('alertdialog')
  press('Cancel')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(server.changes).toEqual([])
  await endOthers()
  expect(await screen.findByText('All other devices are signed out.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Unknown device')).toBeNull())
  expect(server.changes).toEqual(['DELETE /api/me/sessions'])
})

test.each([
  ['one session', endPhone, endSession],
  ['all other sessions', endOthers, endOtherSessions],
])(
  'a person whose sign-in is old types the passcode, and then ends %s [INST-10 S14]',
  async (_what, end, endpoint) => {
    open(here, phone)
    server.on(endpoint, ({ fail }) =>
      server.calls(login).length < 2 ? fail('SignInAgainToEndSessions') : done,
    )
    server.on(login, ({ input, fail }) => (input.password === 'right pass' ? ana : fail('WrongCredentials')))
    await end()
    const passcode = await screen.findByLabelText('Passcode')
    fireEvent.change(passcode, { target: { value: 'wrong pass' } })
    press('Continue')
    expect(await screen.findByText('Email or passcode is not right.')).toBeTruthy()
    fireEvent.change(passcode, { target: { value: 'right pass' } })
    press('Continue')
    expect(await screen.findByText(/(is|are) signed out\.$/)).toBeTruthy()
    expect(screen.queryByLabelText('Passcode')).toBeNull()
    expect(server.inputs(login).at(-1)).toEqual({ email: 'ana@example.org', password: 'right pass' })
    expect(server.calls(endpoint)).toHaveLength(2)
  },
)

test('a person whose session cannot be ended reads so, and the list stays [INST-10]', async () => {
  open(here, phone)
  server.answerForeign(endSession, 403, '<html>proxy</html>')
  await endPhone()
  expect(await screen.findByText('That could not be ended. Please try again.')).toBeTruthy()
  expect((await rowOf('Safari on iPhone')).getByRole('button', { name: /^End/ })).toBeTruthy()
})

test('a person whose sessions cannot be loaded reads so, and can try again [INST-10]', async () => {
  server.refuse(listSessions, 'NotAllowed')
  show(<Sessions />, { user: ana })
  expect(await screen.findByText('Your sessions could not be loaded.')).toBeTruthy()
  server.on(listSessions, [here])
  press('Try again')
  expect(await screen.findByText('Firefox on Windows')).toBeTruthy()
})
