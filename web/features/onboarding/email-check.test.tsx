import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { checkEmail } from '#contract/account/endpoints.ts'
import { errors } from '#contract/errors.ts'
import { done } from '#contract/schemas.ts'
import { markUnanswered } from './draft.ts'
import { field, type } from '#web/testing/page.tsx'
import { check, messages, openOnboarding, press, startOnboarding, title, wait } from './testing.tsx'

const server = startOnboarding()
const taken = errors.EmailTaken.error

/** Opens the second page and presses Next there. */
async function enter(email: string) {
  openOnboarding()
  await press('Next')
  type('Name', 'Ana Lima')
  type('Email', email)
  await press('Next')
}
const typedFields = () => [field('Name').value, field('Email').value]

test('a person whose address is taken reads so at the field, stays on page 2 and keeps the typed text [LOOP-27]', async () => {
  server.refuse(checkEmail, 'EmailTaken')
  await enter('Ana@Example.org ')
  expect(server.inputs(checkEmail)).toEqual([{ email: 'ana@example.org' }])
  expect(title()).toBe('Create your account')
  expect(messages()).toContain(taken)
  expect(typedFields()).toEqual(['Ana Lima', 'Ana@Example.org'])
  expect(field('Email').getAttribute('aria-invalid')).toBe('true')
  const described = field('Email').getAttribute('aria-describedby')!.split(' ')
  expect(described.map((id) => document.getElementById(id)?.textContent).join()).toContain(taken)
})

test('a person whose address is taken follows the link to sign in, and finds the address filled in [LOOP-27]', async () => {
  server.refuse(checkEmail, 'EmailTaken')
  localStorage.setItem('lastUserEmail', 'ben@example.org')
  await enter('ana@example.org')
  fireEvent.click(screen.getByRole('link', { name: 'Sign in with it' }))
  expect(title()).toBe('About us')
  expect(field('Email').value).toBe('ana@example.org')
  expect(document.activeElement).toBe(field('Passcode'))
  await press('Next')
  expect(typedFields()).toEqual(['Ana Lima', 'ana@example.org'])
})

test.each(['EmailRefused', 'NetworkRefused'] as const)(
  'a person whom admins do not let sign up reads so on page 2, without a link to sign in: %s [INST-06]',
  async (code) => {
    server.refuse(checkEmail, code)
    await enter('ana@example.org')
    expect(title()).toBe('Create your account')
    expect(messages()).toContain(errors[code].error)
    expect(screen.queryByRole('link', { name: 'Sign in with it' })).toBeNull()
  },
)

test('a person who presses Next again with a taken address is told again, and the server is asked once [LOOP-27]', async () => {
  server.refuse(checkEmail, 'EmailTaken')
  await enter('ana@example.org')
  await press('Next')
  expect(title()).toBe('Create your account')
  expect(messages()).toContain(taken)
  expect(server.requests).toEqual([check])
})

test('a person who corrects a taken address goes on [LOOP-27]', async () => {
  server.on(checkEmail, ({ input, fail }) => (input.email === 'ana@example.org' ? fail('EmailTaken') : done))
  await enter('ana@example.org')
  type('Email', 'ana.lima@example.org')
  expect(messages()).toBe('')
  await press('Next')
  expect(title()).toBe('Almost done')
  expect(server.requests).toEqual([check, check])
})

test('a person who goes back and on again with the same address is asked about once, also from page 1 [LOOP-27]', async () => {
  await enter('ana@example.org')
  await press('Back')
  await press('Next')
  await press('Back')
  await press('Back')
  await press('Next')
  await press('Next')
  expect(title()).toBe('Almost done')
  expect(server.requests).toEqual([check])
})

test('a person waits at most 5 s for the answer about the address, and goes on without it [LOOP-27]', async () => {
  server.hold(checkEmail)
  await enter('ana@example.org')
  expect(screen.getByRole('button', { name: 'Next' }).getAttribute('aria-busy')).toBe('true')
  await wait(4999)
  expect(title()).toBe('Create your account')
  await wait(1)
  expect(title()).toBe('Almost done')
})

test.each<[string, () => void]>([
  ['the limit refuses the question', () => server.refuse(checkEmail, 'TooManyRequests')],
  ['the server fails', () => server.answerForeign(checkEmail, 502, 'Bad gateway')],
  ['the server cannot be reached', () => server.disconnect(checkEmail)],
])('a person goes on when %s, and the registration decides [LOOP-27]', async (_when, prepare) => {
  prepare()
  await enter('ana@example.org')
  expect(title()).toBe('Almost done')
  expect(server.requests).toEqual([check])
})

test('a person who changes the address, or goes back, before the answer is not led on by it [LOOP-27]', async () => {
  let answer = () => {}
  server.on(checkEmail, () => new Promise((resolve) => (answer = () => resolve({ ok: true }))))
  await enter('ana@example.org')
  type('Email', 'ana@')
  answer()
  await wait(0)
  expect(title()).toBe('Create your account')
  expect(field('Email').value).toBe('ana@')

  type('Email', 'ana.lima@example.org')
  await press('Next')
  await press('Back')
  answer()
  await wait(0)
  expect(title()).toBe('About us')
})

test('a person whose registration may have succeeded without an answer is not told that the own address is taken [LOOP-27 ONB-26]', async () => {
  markUnanswered('ana@example.org')
  await enter('ana@example.org')
  expect(title()).toBe('Almost done')
  expect(server.requests).toEqual([])
})
