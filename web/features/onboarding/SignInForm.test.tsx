import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  alertText,
  ana,
  answers,
  field,
  isGone,
  ok,
  openOnboarding,
  press,
  refuses,
  type,
  startFakes,
  wait,
} from './testing.tsx'

const { calls, logged, reload, replace, serve } = startFakes()

async function signIn(email: string, passcode: string) {
  type('Email', email)
  type('Passcode', passcode)
  await press('Sign In')
}

test('a person signs in with email and passcode, and the page opens again as theirs [ONB-03 ONB-28 ONB-30]', async () => {
  serve('/api/login', ok(ana))
  openOnboarding()
  await signIn('ana@example.org', 'secret1')
  expect(calls).toEqual([{ path: '/api/login', body: { email: 'ana@example.org', password: 'secret1' } }])
  expect(localStorage.getItem('onboardingCompleted')).toBe('true')
  expect(localStorage.getItem('userId')).toBe(ana.id)
  expect(localStorage.getItem('lastUserEmail')).toBe(ana.email)
  expect(reload).toHaveBeenCalledOnce()
})

test('who signs in at the address of onboarding is not led back to it [ONB-28]', async () => {
  history.replaceState(null, '', '/?onboarding=true')
  serve('/api/login', ok(ana))
  openOnboarding()
  await signIn('ana@example.org', 'secret1')
  expect(replace).toHaveBeenCalledExactlyOnceWith('/dashboard')
  expect(reload).not.toHaveBeenCalled()
})

test('the email of the last sign-in is there already [ONB-03]', () => {
  localStorage.setItem('lastUserEmail', 'ana@example.org')
  openOnboarding()
  expect(field('Email').value).toBe('ana@example.org')
})

test('a passcode under 3 characters is answered by an alert and not sent [ONB-31 ONB-33]', async () => {
  openOnboarding()
  await signIn('ana@example.org', 'ab')
  expect(alertText()).toBe('Passcode must be at least 6 characters')
  expect(calls).toEqual([])
  expect(localStorage.getItem('onboardingCompleted')).toBeNull()
})

test('a passcode of 3 characters is sent and refused like any wrong one [ONB-33]', async () => {
  serve('/api/login', refuses(401, 'WrongCredentials', 'Email or passcode is not right.'))
  openOnboarding()
  await signIn('ana@example.org', 'abc')
  expect(calls).toHaveLength(1)
  expect(alertText()).toBe('Email or passcode is not right.')
})

test.each([
  ['', '', { email: 'demo@zimmer.example', password: 'demo123' }],
  ['ana@example.org', '', { email: 'ana@example.org', password: 'demo123' }],
  ['', 'secret1', { email: 'demo@zimmer.example', password: 'secret1' }],
])(
  'empty fields are seen to take the demo values and are sent: %j and %j [ONB-32 ONB-34]',
  async (email, passcode, sent) => {
    serve('/api/login', refuses(401, 'WrongCredentials', 'Email or passcode is not right.'))
    openOnboarding()
    await signIn(email, passcode)
    expect(calls).toEqual([{ path: '/api/login', body: sent }])
    expect(field('Email').value).toBe(sent.email)
    expect(field('Passcode').value).toBe(sent.password)
    expect(alertText()).toBe('Email or passcode is not right.')
  },
)

test('a refused sign-in says what the server says, is logged, and changes nothing [ERR-01 ERR-04]', async () => {
  serve('/api/login', refuses(401, 'WrongCredentials', 'Email or passcode is not right.'))
  openOnboarding()
  await signIn('ana@example.org', 'secret2')
  expect(alertText()).toBe('Email or passcode is not right.')
  expect(logged.mock.calls[0]?.[0]).toBe('Login failed')
  await press('OK')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(field('Email').value).toBe('ana@example.org')
  expect(field('Passcode').value).toBe('secret2')
  expect(localStorage.length).toBe(0)
  expect(reload).not.toHaveBeenCalled()
})

test('a refusal without a sentence of the server has one of ours [ERR-02]', async () => {
  serve('/api/login', answers(401, 'nothing to read'))
  openOnboarding()
  await signIn('ana@example.org', 'secret1')
  expect(alertText()).toBe('Login failed. Please check your credentials.')
})

test('who cannot reach the server at sign-in is told about the network [ERR-03]', async () => {
  serve('/api/login', isGone)
  openOnboarding()
  await signIn('ana@example.org', 'secret1')
  expect(screen.getByRole('button', { name: 'Sign In' }).getAttribute('aria-busy')).toBe('true')
  await wait(3000)
  expect(alertText()).toBe('Network error. Please check your connection and try again.')
  expect(localStorage.length).toBe(0)
})
