import { afterEach, expect, test, vi } from 'vitest'
import {
  guestId,
  hasSessionMark,
  isBrowsing,
  readKey,
  startBrowsing,
  stopBrowsing,
  writeKey,
} from './session-keys.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
  for (const name of ['signed-in', 'not-signed-in']) document.cookie = `${name}=; max-age=0`
})

test('a visitor who browses does so in this tab alone, and the local storage stays empty [SHELL-86 SHELL-88 SHELL-93]', () => {
  startBrowsing()
  expect(isBrowsing()).toBe(true)
  expect(Object.keys(localStorage)).toEqual([])
  expect(Object.keys(sessionStorage)).toEqual(['browsing'])
  stopBrowsing()
  expect(isBrowsing()).toBe(false)
})

test('the id for the texts of a guest is made once [SHELL-89 PERM-04]', () => {
  const id = guestId()
  expect(id).toMatch(/^[0-9a-f]{32}$/)
  expect(guestId()).toBe(id)
  expect(readKey('guestId')).toBe(id)
})

test.each([
  ['signed-in=1', true],
  ['signed-in=0', false],
  ['not-signed-in=1', false],
])('a page with the cookie %s expects a session: %s [SHELL-93]', (cookie, isExpected) => {
  document.cookie = cookie
  expect(hasSessionMark()).toBe(isExpected)
})

test('a person whose browser forbids storage uses the page, which remembers nothing', () => {
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
  startBrowsing()
  expect(guestId()).toMatch(/^[0-9a-f]{32}$/)
  expect([readKey('userId'), isBrowsing()]).toEqual([null, false])
})
