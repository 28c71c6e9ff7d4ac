import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createFirstAdmin } from '#contract/account/setup/endpoints.ts'
import { field, press, show, startTestPage, type } from '#web/testing/page.tsx'
import { admin } from '#web/testing/people.ts'
import { SetupPage } from './SetupPage.tsx'

const server = startTestPage()

const code = 'ABCD-EFGH-JKMN-PQRS'
const typed = { name: 'Vera Lind', email: 'vera@example.org', passcode: 'lamps and ink 9' }
const open = (hash = `#${code}`) => show(<SetupPage />, { at: `/setup${hash}`, user: null })
function fillAndSend() {
  type('Name', typed.name)
  type('Email', typed.email)
  type('Passcode', typed.passcode)
  press('Make the account')
}

test('the holder of the code finds it filled in from the link, makes the first admin account and sees the dashboard; the code is sent in the body alone [INST-09 S57]', async () => {
  server.on(createFirstAdmin, { ...admin, email: typed.email })
  open()
  expect(field('Set-up code').value).toBe(code)
  fillAndSend()
  await expect.poll(() => location.replace).toHaveBeenCalledExactlyOnceWith('/dashboard')
  expect(server.changes).toEqual(['POST /api/setup'])
  expect(server.inputs(createFirstAdmin)).toEqual([{ code, ...typed }])
  expect(localStorage.getItem('userId')).toBe(admin.id)
  expect(localStorage.getItem('onboardingCompleted')).toBe('true')
})

test('a person who mistyped the code reads so beside it, keeps the rest, and corrects it [INST-09]', async () => {
  server.refuse(createFirstAdmin, 'SetupRefused')
  open('')
  type('Set-up code', 'abcd')
  fillAndSend()
  expect(await screen.findByText('This code is not right, or it is no longer good.')).toBeTruthy()
  expect(field('Set-up code').getAttribute('aria-invalid')).toBe('true')
  expect(field('Name').value).toBe(typed.name)
  server.on(createFirstAdmin, admin)
  type('Set-up code', code)
  press('Make the account')
  await expect.poll(() => location.replace).toHaveBeenCalledExactlyOnceWith('/dashboard')
  expect(server.calls(createFirstAdmin)).toHaveLength(2)
})

test.each([
  ['Passcode', 'PasswordTooCommon', 'passcode', 'This password is too common. Please choose another one.'],
  ['Email', 'EmailTaken', 'email', 'This email address is already in use.'],
  ['Name', 'InvalidInput', 'name', 'Please use a name with visible letters.'],
] as const)(
  'a person whose %s is refused reads why beside the field [INST-09 S60]',
  async (label, refusal, name, error) => {
    server.refuse(createFirstAdmin, refusal, { error, fields: { [name]: error } })
    open()
    fillAndSend()
    expect(await screen.findByText(error)).toBeTruthy()
    expect(field(label).getAttribute('aria-invalid')).toBe('true')
    expect(location.replace).not.toHaveBeenCalled()
  },
)

test('a person without a connection reads so and keeps what they typed; one who opens the link of a later start has its code [INST-09]', async () => {
  server.disconnect(createFirstAdmin)
  open()
  fillAndSend()
  expect(
    await screen.findByText('The account could not be made. Check the connection and try again.'),
  ).toBeTruthy()
  expect(field('Passcode').value).toBe(typed.passcode)
  expect(field('Passcode').type).toBe('password')
  fireEvent.click(screen.getByLabelText('Show what I type'))
  expect(field('Passcode').type).toBe('text')
  act(() => {
    location.hash = '#ZZZZ-EFGH-JKMN-PQRS'
    dispatchEvent(new Event('hashchange'))
  })
  expect(field('Set-up code').value).toBe('ZZZZ-EFGH-JKMN-PQRS')
})
