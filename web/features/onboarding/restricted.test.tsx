import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { checkEmail, login, registerByOnboarding } from '#contract/account/endpoints.ts'
import { checkRegistrationLink, requestRegistration } from '#contract/account/registration/endpoints.ts'
import type { Access } from '#contract/app/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { show, type } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { OnboardingPage } from './OnboardingPage.tsx'
import {
  alertText,
  check,
  fillAll,
  messages,
  press,
  startOnboarding,
  title,
  typed,
  wait,
} from './testing.tsx'

const server = startOnboarding()

const usual: Access = {
  registration: 'open',
  registrationQuestion: '',
  guests: true,
  submissions: true,
  publicRooms: true,
}
async function open(restricted: Partial<Access>, at = '/') {
  await import('./restricted.tsx')
  const page = show(<OnboardingPage />, { at, settings: { access: { ...usual, ...restricted } } })
  await wait(100)
  return page
}
const has = (name: string) => screen.queryByRole('button', { name }) !== null
const finish = async () => {
  await press('Finish')
  await wait(6500)
}
const byLink = '/?onboarding=true#join=a-token'

test('where the registration is closed a visitor reads so, signs in or browses, and finds no way to sign up [INST-02]', async () => {
  await open({ registration: 'closed' })
  expect(screen.getByText('Nobody new can sign up here at the moment.')).toBeTruthy()
  expect(['Next', 'Skip', 'Sign In'].map(has)).toEqual([false, true, true])
})

test('where guests are off nobody is offered to skip, and people sign up as before [INST-02]', async () => {
  await open({ guests: false })
  expect(['Next', 'Skip'].map(has)).toEqual([true, false])
  expect(screen.queryByText(/as a guest/)).toBeNull()
})

test('where people need a link a visitor without one reads so [INST-02]', async () => {
  await open({ registration: 'invitation' })
  expect(screen.getByText(/by an invitation link/)).toBeTruthy()
  expect(has('Next')).toBe(false)
})

test('a person who opens a good link signs up by it; its token is sent in bodies alone [INST-02 S57]', async () => {
  server.on(checkRegistrationLink, done)
  server.on(registerByOnboarding, { user: ana })
  await open({ registration: 'invitation' }, byLink)
  expect(screen.getByText('You are invited to sign up here.')).toBeTruthy()
  await fillAll()
  await finish()
  expect(server.inputs(checkEmail)).toEqual([{ email: typed.email, registrationToken: 'a-token' }])
  expect(server.inputs(registerByOnboarding)).toEqual([{ ...typed, registrationToken: 'a-token' }])
  expect(server.requests).toEqual([
    'POST /api/registration-links/lookups',
    check,
    'POST /api/onboarding/register',
  ])
  expect(location.replace).toHaveBeenCalledExactlyOnceWith('/dashboard')
})

test('a person whose link is used up reads so before typing anything [INST-02]', async () => {
  server.refuse(checkRegistrationLink, 'RegistrationLinkRefused')
  await open({ registration: 'invitation' }, byLink)
  expect(screen.getByText(/no longer good/)).toBeTruthy()
  expect(has('Next')).toBe(false)
})

test('where an admin decides a person answers the question, reads what comes next, and is not signed in [INST-02]', async () => {
  server.on(requestRegistration, done)
  await open({ registration: 'approval', registrationQuestion: 'Where do you live?' })
  await fillAll()
  await press('Finish')
  expect(messages()).toContain('Please answer the question.')
  type('Where do you live?', 'Next door.')
  await finish()
  expect(server.inputs(requestRegistration)).toEqual([{ ...typed, answer: 'Next door.' }])
  expect(title()).toBe('Your sign-up is sent')
  expect(screen.getByText(/An admin reads what you have sent/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Finish' })).toBeNull()
  await wait(10_000)
  expect(location.replace).not.toHaveBeenCalled()
  expect(localStorage.length).toBe(0)
  expect(sessionStorage.getItem('onboarding-answer')).toBeNull()
})

test('an answer that was typed is there again after a reload [INST-02]', async () => {
  const page = await open({ registration: 'approval', registrationQuestion: 'Where do you live?' })
  await fillAll()
  type('Where do you live?', 'Next door.')
  page.unmount()
  await open({ registration: 'approval', registrationQuestion: 'Where do you live?' })
  type('Passcode', typed.passcode)
  await press('Next')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Where do you live?').value).toBe('Next door.')
})

test('a person whose request got no answer and then finds the address taken reads that the sign-up is sent, if it is their own [INST-02]', async () => {
  server.on(requestRegistration, ({ fail, disconnect }) =>
    server.calls(requestRegistration).length === 1 ? disconnect() : fail('EmailTaken'),
  )
  server.refuse(login, 'RegistrationWaits')
  await open({ registration: 'approval' })
  await fillAll()
  await finish()
  await wait(2000)
  expect(title()).toBe('Your sign-up is sent')
})

test('a person whose request is refused reads why and finds everything as typed [INST-02]', async () => {
  server.refuse(requestRegistration, 'RegistrationQueueFull')
  await open({ registration: 'approval' })
  await fillAll()
  await finish()
  expect(alertText()).toBe('Too many people wait for a decision here. Please try again later.')
  await press('OK')
  expect(title()).toBe('AI Analysis')
  expect(screen.getByLabelText<HTMLTextAreaElement>('A few words about yourself').value).toBe(
    typed.writingSample,
  )
})
