import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { cannedComments } from './comments.ts'
import {
  alertText,
  ana,
  answers,
  field,
  fillAll,
  isGone,
  ok,
  openOnboarding,
  press,
  refuses,
  startFakes,
  title,
  type,
  typed,
  wait,
} from './testing.tsx'

const { calls, logged, replace, serve } = startFakes()
const registerPath = '/api/onboarding/register'
const taken = refuses(400, 'EmailTaken', 'This email address is already in use.')
const sample = 'A few words about yourself'
const finish = async () => {
  await press('Finish')
  await wait(5000)
}

test('after 3 s of analysis a kind word stands for 2 s, then the person is registered and 1.5 s later at home [ONB-01 ONB-10 ONB-21 ONB-22 ONB-23 ONB-24 ONB-25]', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.99)
  serve(registerPath, ok({ user: ana }))
  openOnboarding()
  await fillAll()
  await press('Finish')
  expect(screen.getByRole('status').textContent).toBe('A moment under the lamp …')
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  await wait(2999)
  expect(screen.getByRole('status').textContent).toBe('A moment under the lamp …')
  await wait(1)
  const comment = cannedComments.at(-1)!
  expect(screen.getByRole('status').textContent).toBe(comment)
  await wait(1999)
  expect(calls).toEqual([])
  await wait(1)
  expect(calls).toEqual([{ path: registerPath, body: typed }])
  expect(screen.getByRole('status').textContent).toBe(comment)
  await wait(1499)
  expect(localStorage.getItem('onboardingCompleted')).toBeNull()
  expect(replace).not.toHaveBeenCalled()
  await wait(1)
  expect(localStorage.getItem('onboardingCompleted')).toBe('true')
  expect(localStorage.getItem('userId')).toBe(ana.id)
  expect(replace).toHaveBeenCalledExactlyOnceWith('/dashboard')
})

test('there are at least five different comments, and chance chooses [ONB-22 ONB-25]', async () => {
  expect(new Set(cannedComments).size).toBeGreaterThanOrEqual(5)
  vi.spyOn(Math, 'random').mockReturnValue(0)
  serve(registerPath, ok({ user: ana }))
  openOnboarding()
  await fillAll()
  await press('Finish')
  await wait(3000)
  expect(screen.getByRole('status').textContent).toBe(cannedComments[0])
})

test.each([
  [
    'says why',
    refuses(400, 'EmailTaken', 'This email address is already in use.'),
    'This email address is already in use.',
  ],
  ['says nothing', answers(400, ''), 'Registration failed. Please check your information and try again.'],
  [
    'is asked about name and email',
    refuses(400, 'InvalidInput', 'Please enter your name and email'),
    'Please enter your name and email',
  ],
])(
  'when the server refuses and %s, an alert stands before page 4 with all that was typed [ERR-06 ERR-07 ONB-26]',
  async (_how, answer, sentence) => {
    serve(registerPath, answer)
    openOnboarding()
    await fillAll()
    await finish()
    expect(alertText()).toBe(sentence)
    expect(logged.mock.calls[0]?.[0]).toBe('Registration failed')
    await press('OK')
    expect(title()).toBe('AI Analysis')
    expect(field(sample).value).toBe(typed.writingSample)
    await press('Back')
    expect(field('Passcode').value).toBe(typed.passcode)
    await press('Back')
    expect([field('Name').value, field('Email').value]).toEqual([typed.name, typed.email])
    await wait(10_000)
    expect(calls).toHaveLength(1)
    expect(localStorage.length).toBe(0)
    expect(replace).not.toHaveBeenCalled()
  },
)

test('a registration that cannot reach the server keeps all that was typed [ERR-06 ONB-26]', async () => {
  serve(registerPath, isGone)
  openOnboarding()
  await fillAll()
  await finish()
  await wait(3000)
  expect(alertText()).toBe('Registration failed. Please check your information and try again.')
  expect(field(sample).value).toBe(typed.writingSample)
  expect(localStorage.length).toBe(0)
})

test('whose registration succeeded unheard is signed in when the repeated one finds the address taken [ONB-26]', async () => {
  serve(registerPath, isGone, taken)
  serve('/api/login', ok(ana))
  openOnboarding()
  await fillAll()
  await finish()
  await wait(1000)
  expect(calls.at(-1)).toEqual({
    path: '/api/login',
    body: { email: typed.email, password: typed.passcode },
  })
  await wait(1500)
  expect(replace).toHaveBeenCalledExactlyOnceWith('/dashboard')
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('whose repeated registration finds an address that is not theirs hears so [ERR-06]', async () => {
  serve(registerPath, isGone, taken)
  serve('/api/login', refuses(401, 'WrongCredentials', 'Email or passcode is not right.'))
  openOnboarding()
  await fillAll()
  await finish()
  await wait(1000)
  expect(alertText()).toBe('This email address is already in use.')
  expect(localStorage.length).toBe(0)
  expect(replace).not.toHaveBeenCalled()
})

test('a reload during the registration does not lose the account that it made [ONB-26]', async () => {
  serve(registerPath, () => new Promise(() => {}))
  const first = openOnboarding()
  await fillAll()
  await finish()
  first.unmount()

  serve(registerPath, taken)
  serve('/api/login', ok(ana))
  openOnboarding()
  type('Passcode', typed.passcode)
  await press('Next')
  await finish()
  await wait(1500)
  expect(replace).toHaveBeenCalledExactlyOnceWith('/dashboard')
})

test('what was typed is forgotten once the person is in [ONB-25]', async () => {
  serve(registerPath, ok({ user: ana }))
  openOnboarding()
  await fillAll()
  expect(sessionStorage.getItem('onboarding-draft')).toContain(typed.writingSample)
  await finish()
  await wait(1500)
  expect(sessionStorage.length).toBe(0)
})
