import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { login, registerByOnboarding } from '#contract/account/endpoints.ts'
import { getInstance } from '#contract/instance/endpoints.ts'
import { ana } from '#web/testing/people.ts'
import { cannedComments } from './comments.ts'
import { field, type } from '#web/testing/page.tsx'
import {
  alertText,
  check,
  fillAll,
  openOnboarding,
  press,
  startOnboarding,
  title,
  typed,
  wait,
} from './testing.tsx'

const server = startOnboarding()
const sample = 'A few words about yourself'
const finish = async () => {
  await press('Finish')
  await wait(5000)
}
/** The server registers the person, but its answer is lost: the second try finds the email taken. */
const loseFirstAnswer = () =>
  server.on(registerByOnboarding, ({ fail, disconnect }) =>
    server.calls(registerByOnboarding).length === 1 ? disconnect() : fail('EmailTaken'),
  )

test('a person reads a comment after 3 s of analysis, is registered 2 s later, and sees the dashboard 1.5 s after that [ONB-01 ONB-10 ONB-21 ONB-22 ONB-23 ONB-24 ONB-25]', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.99)
  server.on(registerByOnboarding, { user: ana })
  openOnboarding()
  await fillAll()
  await press('Finish')
  expect(screen.getByRole('status').textContent).toBe('One moment …')
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  await wait(2999)
  expect(screen.getByRole('status').textContent).toBe('One moment …')
  await wait(1)
  const comment = cannedComments.at(-1)!
  expect(screen.getByRole('status').textContent).toBe(comment)
  await wait(1999)
  expect(server.requests).toEqual([check])
  await wait(1)
  expect(server.inputs(registerByOnboarding)).toEqual([typed])
  expect(screen.getByRole('status').textContent).toBe(comment)
  await wait(1499)
  expect(localStorage.getItem('onboardingCompleted')).toBeNull()
  expect(location.replace).not.toHaveBeenCalled()
  await wait(1)
  expect(localStorage.getItem('onboardingCompleted')).toBe('true')
  expect(localStorage.getItem('userId')).toBe(ana.id)
  expect(location.replace).toHaveBeenCalledExactlyOnceWith('/dashboard')
})

test('a person reads one of at least five comments, chosen at random [ONB-22 ONB-25]', async () => {
  expect(new Set(cannedComments).size).toBeGreaterThanOrEqual(5)
  vi.spyOn(Math, 'random').mockReturnValue(0)
  server.on(registerByOnboarding, { user: ana })
  openOnboarding()
  await fillAll()
  await press('Finish')
  await wait(3000)
  expect(screen.getByRole('status').textContent).toBe(cannedComments[0])
})

test.each<[string, () => void, string]>([
  [
    'the sentence of the server',
    () => server.refuse(registerByOnboarding, 'EmailTaken'),
    'This email address is already in use.',
  ],
  [
    'a sentence of the page when the server sent none',
    () => server.answerForeign(registerByOnboarding, 400, ''),
    'Registration failed. Please check your information and try again.',
  ],
  [
    'the sentence of the server about name and email',
    () => server.refuse(registerByOnboarding, 'InvalidInput', { error: 'Please enter your name and email' }),
    'Please enter your name and email',
  ],
])(
  'a person whose registration is refused reads %s, and finds page 4 as typed [ERR-06 ERR-07 ONB-26]',
  async (_whose, prepare, sentence) => {
    prepare()
    openOnboarding()
    await fillAll()
    await finish()
    expect(alertText()).toBe(sentence)
    expect(vi.mocked(console.error).mock.calls[0]?.[0]).toBe('Registration failed')
    await press('OK')
    expect(title()).toBe('AI Analysis')
    expect(field(sample).value).toBe(typed.writingSample)
    await press('Back')
    expect(field('Passcode').value).toBe(typed.passcode)
    await press('Back')
    expect([field('Name').value, field('Email').value]).toEqual([typed.name, typed.email])
    await wait(10_000)
    expect(server.requests).toEqual([check, 'POST /api/onboarding/register'])
    expect(localStorage.length).toBe(0)
    expect(location.replace).not.toHaveBeenCalled()
  },
)

test('a person whose registration cannot reach the server keeps all that was typed [ERR-06 ONB-26]', async () => {
  server.disconnect(registerByOnboarding)
  openOnboarding()
  await fillAll()
  await finish()
  await wait(3000)
  expect(alertText()).toBe('Registration failed. Please check your information and try again.')
  expect(field(sample).value).toBe(typed.writingSample)
  expect(localStorage.length).toBe(0)
})

test('a person whose registration succeeded without an answer is signed in when the second try finds the email taken [ONB-26]', async () => {
  loseFirstAnswer()
  server.on(login, ana)
  openOnboarding()
  await fillAll()
  await finish()
  await wait(1000)
  expect(server.inputs(login)).toEqual([{ email: typed.email, password: typed.passcode }])
  await wait(1500)
  expect(location.replace).toHaveBeenCalledExactlyOnceWith('/dashboard')
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('a person whose second try finds the email of somebody else reads that it is taken [ERR-06]', async () => {
  loseFirstAnswer()
  server.refuse(login, 'WrongCredentials')
  openOnboarding()
  await fillAll()
  await finish()
  await wait(1000)
  expect(alertText()).toBe('This email address is already in use.')
  expect(localStorage.length).toBe(0)
  expect(location.replace).not.toHaveBeenCalled()
})

test('a person who reloads during the registration does not lose the new account [ONB-26]', async () => {
  server.hold(registerByOnboarding)
  const first = openOnboarding()
  await fillAll()
  await finish()
  first.unmount()

  server.refuse(registerByOnboarding, 'EmailTaken')
  server.on(login, ana)
  openOnboarding()
  type('Passcode', typed.passcode)
  await press('Next')
  await finish()
  await wait(1500)
  expect(location.replace).toHaveBeenCalledExactlyOnceWith('/dashboard')
})

test('the typed text is deleted once the person is registered [ONB-25]', async () => {
  server.on(registerByOnboarding, { user: ana })
  openOnboarding()
  await fillAll()
  expect(sessionStorage.getItem('onboarding-draft')).toContain(typed.writingSample)
  await finish()
  await wait(1500)
  expect(sessionStorage.length).toBe(0)
})

test('a person who signs up where there are terms reads that this agrees to them, and the registration says so [INST-01]', async () => {
  server.on(registerByOnboarding, { user: ana })
  server.on(getInstance, { name: '', description: '', welcome: '', imprint: '', pages: ['terms'] })
  openOnboarding('/', { instance: { pages: ['terms'], off: [] } })
  await fillAll()
  vi.useRealTimers()
  expect(await screen.findByText(/^By signing up you agree to the/)).toBeTruthy()
  vi.useFakeTimers()
  await finish()
  expect(server.inputs(registerByOnboarding)).toEqual([{ ...typed, agrees: true }])
})
