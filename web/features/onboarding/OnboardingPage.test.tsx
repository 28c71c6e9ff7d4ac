import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { loginAsGuest } from '#contract/account/endpoints.ts'
import { guest } from '#web/testing/people.ts'
import { field, type } from '#web/testing/page.tsx'
import {
  alertText,
  check,
  messages,
  fillAll,
  openOnboarding,
  press,
  title,
  typed,
  startOnboarding,
  wait,
} from './testing.tsx'

const server = startOnboarding()
const sample = 'A few words about yourself'

test('the first page offers sign-in, Next, Skip and the feed without a session [ONB-02 ONB-03 ONB-04 ONB-05]', () => {
  openOnboarding()
  expect(title()).toBe('About us')
  expect(screen.getByRole('form', { name: 'Sign in' })).toBeTruthy()
  for (const name of ['Next', 'Skip', 'Sign In']) expect(screen.getByRole('button', { name })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Browse the feed' }).getAttribute('href')).toBe('/dashboard')
  expect(screen.getByText('Page 1 of 4')).toBeTruthy()
})

test('a person goes through four pages in order, and back, and finds all they typed [ONB-01 ONB-06 ONB-07 ONB-08 ONB-09]', async () => {
  openOnboarding()
  await press('Next')
  expect(title()).toBe('Create your account')
  expect(document.activeElement).toBe(field('Name'))
  type('Name', typed.name)
  type('Email', typed.email)
  await press('Next')
  expect(title()).toBe('Almost done')
  expect(document.activeElement).toBe(field('Passcode'))
  type('Passcode', typed.passcode)
  await press('Next')
  expect(title()).toBe('AI Analysis')
  expect(screen.getByText('Page 4 of 4')).toBeTruthy()
  expect(document.title).toBe('AI Analysis · Z!mmer')
  type(sample, typed.writingSample)

  await press('Back')
  expect(field('Passcode').value).toBe(typed.passcode)
  await press('Back')
  expect(field('Name').value).toBe(typed.name)
  expect(field('Email').value).toBe(typed.email)
  await press('Back')
  expect(title()).toBe('About us')
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  for (let page = 1; page < 4; page++) await press('Next')
  expect(field(sample).value).toBe(typed.writingSample)
  expect(server.requests).toEqual([check])
})

test.each([
  ['A', 'ana@example.org'],
  ['  A ', 'ana@example.org'],
  ['a'.repeat(51), 'ana@example.org'],
  ['', 'ana@example.org'],
  ['Ana', ''],
  ['Ana', 'ana'],
  ['Ana', 'ana@example'],
  ['Ana', 'ana lima@example.org'],
  ['Ana', `${'a'.repeat(89)}@example.org`],
])(
  'a person with the name %j and the email %j cannot go on, and both stay as typed [ONB-11 ONB-12 ONB-13 ONB-15]',
  async (name, email) => {
    openOnboarding()
    await press('Next')
    type('Name', name)
    type('Email', email)
    await press('Next')
    expect(messages()).toBe('Please enter your name and email')
    expect(title()).toBe('Create your account')
    expect([field('Name').value, field('Email').value]).toEqual([name, email])
  },
)

test('a screen reader reads the error message with the wrong field, and not with the other field', async () => {
  openOnboarding()
  await press('Next')
  type('Name', 'Ana')
  expect(field('Email').getAttribute('aria-invalid')).toBeNull()
  await press('Next')
  expect(field('Name').getAttribute('aria-invalid')).toBeNull()
  expect(field('Email').getAttribute('aria-invalid')).toBe('true')
  const described = field('Email').getAttribute('aria-describedby')!.split(' ')
  expect(described.map((id) => document.getElementById(id)?.textContent)).toContain(
    'Please enter your name and email',
  )
})

test.each([
  ['Al', 'a@b.co'],
  ['a'.repeat(50), `${'a'.repeat(64)}@${'b'.repeat(32)}.de`],
])('a person with the name %j and the email %j goes on [ONB-11 ONB-12 ONB-13]', async (name, email) => {
  openOnboarding()
  await press('Next')
  type('Name', name)
  type('Email', email)
  await press('Next')
  expect(title()).toBe('Almost done')
})

test.each([
  ['', 'Passcode must be at least 6 characters'],
  ['abc12', 'Passcode must be at least 6 characters'],
  ['secret!1', 'Passcode must be at least 6 characters. Use letters and digits only'],
  ['ab!', 'Passcode must be at least 6 characters. Use letters and digits only'],
  ['two words', 'Passcode must be at least 6 characters. Use letters and digits only'],
  ['a'.repeat(129), 'Please use at most 128 characters.'],
])('a person with the passcode %j cannot go on: %s [ONB-16 ONB-17 ONB-18]', async (passcode, sentence) => {
  openOnboarding()
  await press('Next')
  type('Name', typed.name)
  type('Email', typed.email)
  await press('Next')
  type('Passcode', passcode)
  await press('Next')
  expect(messages()).toBe(sentence)
  expect(title()).toBe('Almost done')
  expect(field('Passcode').value).toBe(passcode)
})

test('a passcode is hidden until the person shows it', async () => {
  openOnboarding()
  await fillAll()
  await press('Back')
  expect(field('Passcode').type).toBe('password')
  screen.getByLabelText('Show what I type').click()
  await wait(0)
  expect(field('Passcode').type).toBe('text')
})

test.each(['', 'too short', '            '])(
  'a person with the writing sample %j cannot finish [ONB-19]',
  async (text) => {
    openOnboarding()
    await fillAll()
    type(sample, text)
    await press('Finish')
    expect(messages()).toBe('Please write at least a few words about yourself')
    await wait(10_000)
    expect(server.requests).toEqual([check])
    expect(field(sample).value).toBe(text)
  },
)

test('a person sees how many characters the writing sample has [ONB-20]', async () => {
  openOnboarding()
  await fillAll()
  for (const [text, counter] of [
    ['', '0/10 characters minimum'],
    ['I write', '7/10 characters minimum'],
    ['I write in the evening', '22/10 characters minimum'],
  ] as const) {
    type(sample, text)
    expect(screen.getByText(counter)).toBeTruthy()
  }
})

test('a person who reloads finds all fields as typed, except the passcode, and types it again [ONB-26]', async () => {
  const first = openOnboarding()
  await fillAll()
  first.unmount()
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain(typed.passcode)

  openOnboarding()
  expect(title()).toBe('Almost done')
  expect(field('Passcode').value).toBe('')
  await press('Next')
  expect(messages()).toBe('Passcode must be at least 6 characters')
  type('Passcode', typed.passcode)
  await press('Next')
  expect(field(sample).value).toBe(typed.writingSample)
})

test('a person with a damaged draft starts at the first page', () => {
  sessionStorage.setItem('onboarding-draft', '{"page":"two"}')
  openOnboarding()
  expect(title()).toBe('About us')
})

test('a person who skips becomes a guest, and the page reloads [ONB-05 ONB-27 ONB-29]', async () => {
  server.on(loginAsGuest, guest)
  openOnboarding()
  await press('Skip')
  expect(server.requests).toEqual(['POST /api/guest-login'])
  expect(localStorage.getItem('onboardingCompleted')).toBe('true')
  expect(localStorage.getItem('userId')).toBe(guest.id)
  expect(localStorage.getItem('guestDeviceId')).toMatch(/^\w{16,}$/)
  expect(localStorage.getItem('lastUserEmail')).toBeNull()
  expect(location.reload).toHaveBeenCalledOnce()
})

const refusals: [whose: string, prepare: () => void, sentence: string][] = [
  [
    'the sentence of the server',
    () => server.refuse(loginAsGuest, 'NotAllowed', { error: 'No more guests today.' }),
    'No more guests today.',
  ],
  [
    'a sentence of the page when the server sent none',
    () => server.answerForeign(loginAsGuest, 403, ''),
    'Guest login failed',
  ],
  [
    'a sentence of the page when the network is down',
    () => server.disconnect(loginAsGuest),
    'Guest login failed',
  ],
]
test.each(refusals)(
  'a refused guest reads %s and nothing changes [ERR-05]',
  async (_whose, prepare, sentence) => {
    prepare()
    openOnboarding()
    await press('Skip')
    await wait(3000)
    expect(alertText()).toBe(sentence)
    expect(localStorage.length).toBe(0)
    expect(location.reload).not.toHaveBeenCalled()
  },
)

test('a person who only wants to read opens the dashboard without a session, in this tab [SHELL-86]', async () => {
  openOnboarding()
  fireEvent.click(screen.getByRole('link', { name: 'Browse the feed' }))
  expect(server.requests).toEqual([])
  expect(sessionStorage.getItem('browsing')).toBe('true')
  expect(location.replace).toHaveBeenCalledExactlyOnceWith('/dashboard')
})
