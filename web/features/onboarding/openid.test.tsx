import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startOpenidSignIn } from '#contract/openid/endpoints.ts'
import { openOnboarding, press, startOnboarding, wait } from './testing.tsx'

const server = startOnboarding()
const address = 'https://login.example/auth?state=a-state'

async function open(at = '/') {
  await import('./OpenidEntry.tsx')
  openOnboarding(at, { openidName: 'The Library' })
  await wait(100)
}

test('without a provider the first page has no word of one [INST-08]', async () => {
  openOnboarding()
  await wait(100)
  expect(screen.queryByRole('button', { name: /^Continue with/ })).toBeNull()
})

test('a person goes to the provider by a button, and the link by which they came waits in this tab [INST-08 INST-02]', async () => {
  server.on(startOpenidSignIn, { address })
  await open('/?onboarding=true#join=a-token')
  await press('Continue with The Library')
  await wait(100)
  expect(location.assign).toHaveBeenCalledExactlyOnceWith(address)
  expect(sessionStorage.getItem('registration-link')).toBe('a-token')
})

test('a link of an earlier attempt is forgotten [INST-08]', async () => {
  sessionStorage.setItem('registration-link', 'an-old-token')
  server.on(startOpenidSignIn, { address })
  await open()
  await press('Continue with The Library')
  await wait(100)
  expect(sessionStorage.getItem('registration-link')).toBeNull()
})

test('a page that a person left for an earlier attempt is forgotten [INST-08]', async () => {
  sessionStorage.setItem('openid-return:u1', `${location.origin}/messages`)
  server.on(startOpenidSignIn, { address })
  await open()
  await press('Continue with The Library')
  await wait(100)
  expect(location.assign).toHaveBeenCalledExactlyOnceWith(address)
  expect(sessionStorage.getItem('openid-return:u1')).toBeNull()
})

test('a person reads that the provider is unavailable, and can sign in by passcode [INST-08]', async () => {
  server.refuse(startOpenidSignIn, 'OpenidUnavailable')
  await open()
  await press('Continue with The Library')
  await wait(100)
  expect(screen.getByText(/cannot be reached at the moment/)).toBeTruthy()
  expect(server.calls(startOpenidSignIn)).toHaveLength(1)
  expect(location.assign).not.toHaveBeenCalled()
  expect(screen.getByRole('button', { name: 'Sign In' })).toBeTruthy()
})
