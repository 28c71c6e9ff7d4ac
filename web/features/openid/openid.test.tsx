import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import type { Access, AppConfig } from '#contract/app/endpoints.ts'
import {
  deleteOpenidLink,
  finishOpenidAttempt,
  getOpenidLink,
  registerByOpenid,
  startOpenidLink,
} from '#contract/openid/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { press, show, startTestPage, type } from '#web/testing/page.tsx'
import { admin, ana } from '#web/testing/people.ts'
import { OpenidPage } from './OpenidPage.tsx'
import { OpenidPart } from './OpenidPart.tsx'

const server = startTestPage()

const query = '?code=a-code&state=a-state'
const address = 'https://login.example/auth?state=a-state'
const returnKey = `openid-return:${ana.id}`
const nobodyYet = { outcome: 'new', email: 'ana@example.org', name: 'Ana Lima' } as const

const arrive = (settings: Partial<AppConfig> = {}, user: typeof ana | null = null) =>
  show(<OpenidPage />, {
    at: `/openid${query}`,
    user,
    settings: { openidName: 'The Library', ...settings },
  })
const title = (name: string) => screen.findByRole('heading', { level: 1, name })

test('the answer of the provider is sent once, leaves the address, and opens the feed [INST-08 S57]', async () => {
  server.on(finishOpenidAttempt, { outcome: 'signed-in', user: ana })
  arrive()
  expect(screen.getByRole('status').textContent).toBe('Signing you in …')
  await waitFor(() => expect(location.replace).toHaveBeenCalledExactlyOnceWith('/dashboard'))
  expect(server.inputs(finishOpenidAttempt)).toEqual([{ answer: query }])
  expect(location.search).toBe('')
  expect(localStorage.getItem('userId')).toBe(ana.id)
})

test('a person who has left a page to sign in again comes back to it, once [INST-08]', async () => {
  const page = `${location.origin}/diary?day=2025-06-10`
  sessionStorage.setItem(returnKey, page)
  server.on(finishOpenidAttempt, { outcome: 'signed-in', user: ana })
  arrive()
  await waitFor(() => expect(location.replace).toHaveBeenCalledExactlyOnceWith(page))
  expect(sessionStorage.getItem(returnKey)).toBeNull()
})

test('a person who signs in at the provider where somebody else has left a page comes to the feed, not to that page [INST-08 S48]', async () => {
  sessionStorage.setItem(returnKey, `${location.origin}/messages`)
  server.on(finishOpenidAttempt, { outcome: 'signed-in', user: { ...ana, id: 'h3m9w5zt8v' } })
  arrive()
  await waitFor(() => expect(location.replace).toHaveBeenCalledExactlyOnceWith('/dashboard'))
  expect(sessionStorage.getItem(returnKey)).toBeNull()
})

test.each([
  ['OpenidDenied', 'The other site did not sign you in. Nothing was changed.'],
  ['OpenidAttemptEnded', /has ended, or it was begun in another browser/],
  ['OpenidAccountExists', /An account here has your email address already/],
  ['OpenidEmailUnverified', /no verified email address/],
  ['RegistrationClosed', 'Nobody new can sign up here at the moment.'],
] as const)(
  'a visitor who is refused by %s reads why, returns to the sign-in, and leaves no address of a page behind [INST-08]',
  async (code, sentence) => {
    sessionStorage.setItem(returnKey, `${location.origin}/messages`)
    server.refuse(finishOpenidAttempt, code)
    arrive()
    expect(await title('You are not signed in')).toBe(document.activeElement)
    expect(sessionStorage.getItem(returnKey)).toBeNull()
    expect(screen.getByText(sentence)).toBeTruthy()
    expect(server.calls(finishOpenidAttempt)).toHaveLength(1)
    press('To the sign-in')
    expect(location.assign).toHaveBeenCalledExactlyOnceWith('/?onboarding=true')
  },
)

test('a suspended person reads the reason [INST-08 S62]', async () => {
  const current = { reason: 'Unkind words.', until: null, hidesTexts: false }
  server.refuse(finishOpenidAttempt, 'Suspended', { current })
  arrive()
  await title('You are not signed in')
  expect(await screen.findByText('Unkind words.')).toBeTruthy()
})

test('a person without a connection reads so, and nothing is sent again [INST-08]', async () => {
  server.disconnect(finishOpenidAttempt)
  arrive()
  await title('You are not signed in')
  expect(screen.getByText(/Check the connection and start again/)).toBeTruthy()
  dispatchEvent(new Event('focus'))
  expect(server.calls(finishOpenidAttempt)).toHaveLength(1)
})

test('a new person chooses a name and a passcode, reads what is wrong, and has an account [INST-08]', async () => {
  server.on(finishOpenidAttempt, nobodyYet)
  server.refuse(registerByOpenid, 'NameReserved', { fields: { name: 'This name is reserved.' } })
  arrive()
  expect(await title('Make your account')).toBe(document.activeElement)
  expect(screen.getByText('ana@example.org')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ana Lima')
  type('Passcode', 'own pass')
  press('Make the account')
  expect(await screen.findByText('This name is reserved.')).toBeTruthy()
  server.on(registerByOpenid, ana)
  type('Name', 'Ana L')
  press('Make the account')
  await waitFor(() => expect(location.replace).toHaveBeenCalledExactlyOnceWith('/dashboard'))
  expect(server.inputs(registerByOpenid)).toEqual([
    { name: 'Ana Lima', passcode: 'own pass' },
    { name: 'Ana L', passcode: 'own pass' },
  ])
})

test('a new person whose attempt has ended reads so, and who changes their mind makes no account [INST-08]', async () => {
  server.on(finishOpenidAttempt, nobodyYet)
  server.refuse(registerByOpenid, 'OpenidAttemptEnded')
  arrive()
  await title('Make your account')
  press('Make the account')
  expect(await screen.findByText(/has ended, or it was begun in another browser/)).toBeTruthy()
  press('Cancel')
  expect(location.assign).toHaveBeenCalledExactlyOnceWith('/?onboarding=true')
})

test('a new person agrees to the rules, and the link by which they came goes along [INST-08 INST-01 INST-02]', async () => {
  sessionStorage.setItem('registration-link', 'a-token')
  server.on(finishOpenidAttempt, nobodyYet)
  server.on(registerByOpenid, ana)
  arrive({
    instance: { pages: ['rules'], off: [] },
    access: { registration: 'invitation' } as Access,
  })
  await title('Make your account')
  expect(screen.getByText(/By signing up you agree to the/)).toBeTruthy()
  type('Passcode', 'own pass')
  press('Make the account')
  await waitFor(() =>
    expect(server.inputs(registerByOpenid)).toEqual([
      { name: 'Ana Lima', passcode: 'own pass', agrees: true, registrationToken: 'a-token' },
    ]),
  )
  await waitFor(() => expect(sessionStorage.getItem('registration-link')).toBeNull())
})

test('a new person without an invitation link reads that they need one [INST-08 INST-02]', async () => {
  server.on(finishOpenidAttempt, nobodyYet)
  arrive({ access: { registration: 'invitation' } as Access })
  await title('You have no account here')
  expect(screen.getByText(/People sign up here by an invitation link/)).toBeTruthy()
  expect(screen.queryByLabelText('Name')).toBeNull()
})

test('a person who has linked the account reads so, and one who is refused stays signed in [INST-08]', async () => {
  server.on(finishOpenidAttempt, { outcome: 'linked' })
  const first = arrive({}, ana)
  expect(await title('Your account is linked')).toBe(document.activeElement)
  expect(screen.getByRole('link', { name: 'To the settings' }).getAttribute('href')).toBe('/settings')
  first.unmount()
  server.refuse(finishOpenidAttempt, 'OpenidLinkTaken')
  arrive({}, ana)
  await title('Nothing was changed')
  expect(screen.getByText('Your account at the other site is linked to another account here.')).toBeTruthy()
})

const part = async (linkedAt: string | null, user = ana) => {
  server.on(getOpenidLink, { linkedAt })
  show(<OpenidPart name="The Library" />, { user })
  return within(await screen.findByRole('region', { name: 'Sign-in' }))
}

test('a person whose sign-in is old types the passcode, and then goes to the provider [INST-08 S14]', async () => {
  server.on(startOpenidLink, ({ fail }) =>
    server.calls(login).length === 0 ? fail('SignInAgainToLink') : { address },
  )
  server.on(login, ana)
  const region = await part(null)
  fireEvent.click(await region.findByRole('button', { name: 'Link with The Library' }))
  fireEvent.change(await screen.findByLabelText('Passcode'), { target: { value: 'right pass' } })
  press('Continue')
  await waitFor(() => expect(location.assign).toHaveBeenCalledExactlyOnceWith(address))
})

test('a person reads that the provider is unavailable [INST-08]', async () => {
  server.refuse(startOpenidLink, 'OpenidUnavailable')
  const region = await part(null)
  fireEvent.click(await region.findByRole('button', { name: 'Link with The Library' }))
  expect(await region.findByText(/cannot be reached at the moment/)).toBeTruthy()
  expect(location.assign).not.toHaveBeenCalled()
})

test('a person unlinks the account after a question [INST-08]', async () => {
  const region = await part('2025-06-01T12:00:00.000Z')
  expect(await region.findByText(/June 1, 2025/)).toBeTruthy()
  server.on(deleteOpenidLink, () => {
    server.on(getOpenidLink, { linkedAt: null })
    return done
  })
  fireEvent.click(region.getByRole('button', { name: 'Unlink' }))
  const question = within(await screen.findByRole('alertdialog'))
  fireEvent.click(question.getByRole('button', { name: 'Unlink' }))
  expect(await region.findByRole('button', { name: 'Link with The Library' })).toBeTruthy()
})

test('a moderator whose account was linked before reads that moderators sign in by passcode alone, and can unlink it [INST-08 S60]', async () => {
  const region = await part('2025-06-10T12:00:00.000Z', { ...ana, isModerator: true })
  expect(await region.findByText(/Admins and moderators sign in with their passcode alone\.$/)).toBeTruthy()
  expect(region.queryByText(/You can sign in there/)).toBeNull()
  expect(region.getByRole('button', { name: 'Unlink' })).toBeTruthy()
})

test('an admin reads that admins sign in by passcode alone [INST-08 S60]', async () => {
  const region = await part(null, admin)
  expect(await region.findByText('Admins and moderators sign in with their passcode alone.')).toBeTruthy()
  expect(region.queryByRole('button')).toBeNull()
})
