import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { getMe, login } from '#contract/account/endpoints.ts'
import type { OwnSuspension } from '#contract/account/suspensions/endpoints.ts'
import { getInvitation } from '#contract/invitations/endpoints.ts'
import { writeKey } from '#web/lib/session-keys.ts'
import { field, show, type } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { alertText, openOnboarding, press, startOnboarding, wait } from './testing.tsx'
import { SignInForm } from './SignInForm.tsx'

const server = startOnboarding()

async function signIn(email: string, passcode: string) {
  type('Email', email)
  type('Passcode', passcode)
  await press('Sign In')
}

test('a person signs in with email and passcode, and the page reloads [ONB-03 ONB-28 ONB-30]', async () => {
  server.on(login, ana)
  openOnboarding()
  await signIn('ana@example.org', 'secret1')
  expect(server.inputs(login)).toEqual([{ email: 'ana@example.org', password: 'secret1' }])
  expect(localStorage.getItem('onboardingCompleted')).toBe('true')
  expect(localStorage.getItem('userId')).toBe(ana.id)
  expect(localStorage.getItem('lastUserEmail')).toBe(ana.email)
  expect(location.reload).toHaveBeenCalledOnce()
})

test('a person who signs in at the address of the onboarding comes to the dashboard [ONB-28]', async () => {
  server.on(login, ana)
  openOnboarding('/?onboarding=true')
  await signIn('ana@example.org', 'secret1')
  expect(location.replace).toHaveBeenCalledExactlyOnceWith('/dashboard')
  expect(location.reload).not.toHaveBeenCalled()
})

test('a person who has followed an invitation reads who invites, signs in and comes back to the invitation [PPL-07 LOOP-24]', async () => {
  server.on(login, ana)
  server.on(getInvitation, {
    inviterName: 'Ben Ode',
    relation: 'none',
    friendId: null,
    roomId: null,
    expiresAt: '2026-11-29T10:00:00.000Z',
  })
  openOnboarding('/invitations?onboarding=true#token-of-ben')
  await vi.waitFor(() => expect(document.body.textContent).toContain('Ben Ode invites you.'))
  await signIn('ana@example.org', 'secret1')
  expect(location.replace).toHaveBeenCalledExactlyOnceWith('/invitations#token-of-ben')
  expect(location.reload).not.toHaveBeenCalled()
})

test('a person finds the email of the last sign-in filled in [ONB-03]', () => {
  localStorage.setItem('lastUserEmail', 'ana@example.org')
  openOnboarding()
  expect(field('Email').value).toBe('ana@example.org')
})

test('a person who forgot the passcode finds the way to a link by mail, when the instance sends mails [REACH-01 REACH-02]', () => {
  const { unmount } = show(<SignInForm />, { settings: { sendsMail: true } })
  const link = screen.getByRole('link', { name: 'Forgot your passcode?' })
  expect(link.getAttribute('href')).toBe('/reset')
  unmount()
  show(<SignInForm />)
  expect(screen.queryByRole('link')).toBeNull()
})

test('a person with a passcode of 2 characters sees an alert, and nothing is sent [ONB-31 ONB-33]', async () => {
  openOnboarding()
  await signIn('ana@example.org', 'ab')
  expect(alertText()).toBe('Passcode must be at least 6 characters')
  expect(server.requests).toEqual([])
  expect(localStorage.getItem('onboardingCompleted')).toBeNull()
})

test('a passcode of 3 characters is sent and refused like any wrong one [ONB-33]', async () => {
  server.refuse(login, 'WrongCredentials')
  openOnboarding()
  await signIn('ana@example.org', 'abc')
  expect(server.requests).toHaveLength(1)
  expect(alertText()).toBe('Email or passcode is not right.')
})

test.each([
  ['', '', { email: 'demo@zimmer.example', password: 'demo123' }],
  ['ana@example.org', '', { email: 'ana@example.org', password: 'demo123' }],
  ['', 'secret1', { email: 'demo@zimmer.example', password: 'secret1' }],
])(
  'a person who leaves fields empty sees the demo values in them, which are sent: %j and %j [ONB-32 ONB-34]',
  async (email, passcode, sent) => {
    server.refuse(login, 'WrongCredentials')
    openOnboarding()
    await signIn(email, passcode)
    expect(server.inputs(login)).toEqual([sent])
    expect(field('Email').value).toBe(sent.email)
    expect(field('Passcode').value).toBe(sent.password)
    expect(alertText()).toBe('Email or passcode is not right.')
  },
)

test('a person whose sign-in is refused reads the sentence of the server; the error is logged, and nothing changes [ERR-01 ERR-04]', async () => {
  server.refuse(login, 'WrongCredentials')
  openOnboarding()
  await signIn('ana@example.org', 'secret2')
  expect(alertText()).toBe('Email or passcode is not right.')
  expect(vi.mocked(console.error).mock.calls[0]?.[0]).toBe('Login failed')
  await press('OK')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(field('Email').value).toBe('ana@example.org')
  expect(field('Passcode').value).toBe('secret2')
  expect(localStorage.length).toBe(0)
  expect(location.reload).not.toHaveBeenCalled()
})

test('a person reads a sentence of the page when the server sent none [ERR-02]', async () => {
  server.answerForeign(login, 401, 'no JSON')
  openOnboarding()
  await signIn('ana@example.org', 'secret1')
  expect(alertText()).toBe('Login failed. Please check your credentials.')
})

test('a person who cannot reach the server at sign-in reads about the network [ERR-03]', async () => {
  server.disconnect(login)
  openOnboarding()
  await signIn('ana@example.org', 'secret1')
  expect(screen.getByRole('button', { name: 'Sign In' }).getAttribute('aria-busy')).toBe('true')
  await wait(3000)
  expect(alertText()).toBe('Network error. Please check your connection and try again.')
  expect(localStorage.length).toBe(0)
})

const signedOut = () => screen.queryByText(/^You were signed out, because/)

test('a person whose session the server has ended reads why at the sign-in [S23 S60]', async () => {
  writeKey('userId', ana.id)
  server.refuse(getMe, 'SignInRequired')
  openOnboarding()
  expect(signedOut()).toBeNull()
  await wait(200)
  expect(signedOut()?.textContent).toContain('your password or rights have changed. Please sign in again.')
})

test('a suspended person whose session has ended reads of the suspension alone [INST-04 S60]', async () => {
  writeKey('userId', ana.id)
  server.refuse(getMe, 'SignInRequired')
  server.refuse(login, 'Suspended', { current: suspension })
  openOnboarding()
  await wait(200)
  expect(signedOut()).not.toBeNull()
  await signIn('ana@example.org', 'secret1')
  await vi.waitFor(() => expect(notice()).toBeTruthy())
  expect(signedOut()).toBeNull()
})

test.each([429, 500, 503])(
  'a person whose server answers %i to the question who they are reads so at the sign-in, and can load the page again [SHELL-84]',
  async (status) => {
    const away = () => screen.queryByText(/^The server cannot answer at the moment/)
    openOnboarding().unmount()
    expect(away()).toBeNull()
    writeKey('userId', ana.id)
    server.answerForeign(getMe, status, '{}')
    openOnboarding()
    await wait(60_000)
    expect(away()).not.toBeNull()
    await press('Try again')
    expect(location.reload).toHaveBeenCalledOnce()
  },
)

test('a person without a session, and one whom the server did not answer, do not read that a session has ended [S23]', async () => {
  openOnboarding().unmount()
  expect(signedOut()).toBeNull()
  writeKey('userId', ana.id)
  server.answerForeign(getMe, 500, '{}')
  openOnboarding()
  await wait(60_000)
  expect(signedOut()).toBeNull()
})

const suspension: OwnSuspension = {
  reason: 'You insulted a neighbour.\nPlease read the rules.',
  until: '2025-06-12T10:00:00.000Z',
  hidesTexts: true,
  exportToken: 'zme_token',
}

const notice = () => screen.getByText(/^Your account is suspended/).closest('[role="alert"]')!

test('a suspended person reads at sign-in why and until when, in the own time zone, and what was typed stays [INST-04]', async () => {
  server.refuse(login, 'Suspended', { current: suspension })
  openOnboarding()
  await signIn('ana@example.org', 'secret1')
  await vi.waitFor(() => expect(document.body.textContent).toContain('Your account is suspended until'))
  // The refusal has the token of the export.
  expect(vi.mocked(console.error).mock.calls).toEqual([['Login failed', 'Suspended']])
  const alert = notice()
  const here = new Date(suspension.until!).toLocaleDateString('en', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
  })
  expect(alert.textContent).toContain(here)
  expect(alert.textContent).toContain(suspension.reason)
  expect(alert.textContent).toContain('nobody can read what you have published')
  expect(alert.textContent).toContain('Times are in')
  expect(screen.getByRole('button', { name: 'Export everything' })).toBeTruthy()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(field('Passcode').value).toBe('secret1')
  expect(server.calls(login)).toHaveLength(1)
  expect(location.reload).not.toHaveBeenCalled()
})

test('a person who is suspended for good reads so, and signs in once the suspension is lifted [INST-04]', async () => {
  server.refuse(login, 'Suspended', { current: { ...suspension, until: null, hidesTexts: false } })
  openOnboarding()
  await signIn('ana@example.org', 'secret1')
  await vi.waitFor(() => expect(document.body.textContent).toContain('Your account is suspended for good.'))
  expect(notice().textContent).not.toMatch(/published|Times are in/)
  server.on(login, ana)
  await press('Sign In')
  expect(location.reload).toHaveBeenCalledOnce()
})
