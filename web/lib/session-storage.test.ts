import { afterEach, expect, test, vi } from 'vitest'
import {
  clearOnboarding,
  completeOnboarding,
  forgetSession,
  guestId,
  hasSessionMark,
  isBrowsing,
  isOnboardingCompleted,
  readKey,
  startBrowsing,
  stopBrowsing,
  writeKey,
} from './session-storage.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
  for (const name of ['signed-in', 'not-signed-in']) document.cookie = `${name}=; max-age=0`
})

test('the flag of onboarding is true, or not there at all [SHELL-92]', () => {
  expect(isOnboardingCompleted()).toBe(false)
  completeOnboarding()
  expect(localStorage.getItem('onboardingCompleted')).toBe('true')
  expect(isOnboardingCompleted()).toBe(true)
  clearOnboarding()
  expect(localStorage.getItem('onboardingCompleted')).toBeNull()
  localStorage.setItem('onboardingCompleted', 'false')
  expect(isOnboardingCompleted()).toBe(false)
})

test('browsing is remembered for this tab alone, beside the keys of the session [SHELL-86 SHELL-88 SHELL-93]', () => {
  startBrowsing()
  expect(isBrowsing()).toBe(true)
  expect(Object.keys(localStorage)).toEqual([])
  expect(Object.keys(sessionStorage)).toEqual(['browsing'])
  stopBrowsing()
  expect(isBrowsing()).toBe(false)
})

test('the id for local texts is made once, and another one after leaving [SHELL-89 PERM-04]', () => {
  const id = guestId()
  expect(id).toMatch(/^[0-9a-f]{32}$/)
  expect(guestId()).toBe(id)
  expect(readKey('guestId')).toBe(id)
  forgetSession()
  expect(guestId()).not.toBe(id)
})

test.each([
  ['signed-in=1', true],
  ['signed-in=0', false],
  ['not-signed-in=1', false],
])('the cookie %s says of a session to come: %s [SHELL-93]', (cookie, isExpected) => {
  document.cookie = cookie
  expect(hasSessionMark()).toBe(isExpected)
})

test('where storage is forbidden nothing is remembered, and nothing breaks', () => {
  const forbidden = new Proxy(
    {},
    {
      get: () => {
        throw new DOMException('forbidden', 'SecurityError')
      },
    },
  )
  vi.stubGlobal('localStorage', forbidden)
  vi.stubGlobal('sessionStorage', forbidden)
  writeKey('userId', 'k7q2m4xp3d')
  completeOnboarding()
  startBrowsing()
  forgetSession()
  expect(guestId()).toMatch(/^[0-9a-f]{32}$/)
  expect([readKey('userId'), isOnboardingCompleted(), isBrowsing()]).toEqual([null, false, false])
})
