import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { logout } from '#contract/account/endpoints.ts'
import { hasDrafts, keepDraft } from '#web/lib/editor/drafts.ts'
import { storedText } from '#web/lib/storage.ts'
import { passWithStorage as pass } from '#web/lib/testing.ts'
import { ana } from '#web/testing/people.ts'
import { storedReturn } from './openid-return.ts'
import { begin, startLeaving } from './testing.tsx'

const { server, renderLeaving, expectNothingForgotten, expectAllForgotten } = startLeaving()

test('a person signs out: the server ends the session, the page forgets the person, and shows the onboarding 100 ms later [ACC-16 ACC-17 ACC-18 ACC-19 ACC-22 ACC-23]', async () => {
  const leaving = renderLeaving()
  const answer = Promise.withResolvers<{ ok: true }>()
  server.on(logout, () => answer.promise)
  await begin(leaving.current.signOut)
  expect(server.requests).toEqual(['POST /api/logout'])
  expectNothingForgotten()

  answer.resolve({ ok: true })
  await pass(0)
  expectAllForgotten()
  await pass(90)
  expect(location.assign).not.toHaveBeenCalled()
  await pass(10)
  expect(location.assign).toHaveBeenCalledExactlyOnceWith('/?onboarding=true')
})

test('a person can press Sign Out again after 500 ms [ACC-20]', async () => {
  const leaving = renderLeaving()
  server.refuse(logout, 'NotAllowed')
  await begin(leaving.current.signOut)
  expect(leaving.current.isSigningOut).toBe(true)
  await pass(480)
  expect(leaving.current.isSigningOut).toBe(true)
  await pass(20)
  expect(leaving.current.isSigningOut).toBe(false)
})

test('a sign-out that fails is logged, and the page forgets nothing [ERR-07 ERR-11 SHELL-91]', async () => {
  const leaving = renderLeaving()
  server.disconnect(logout)
  await begin(leaving.current.signOut)
  await pass(60_000)
  expect(console.error).toHaveBeenCalledExactlyOnceWith('Logout failed', expect.any(TypeError))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(leaving.current.hasSignOutFailed).toBe(true)
  expectNothingForgotten()
})

test('a person logs out: the page forgets the person first, and then the browser goes to the server [ACC-21 ACC-22 ACC-23]', async () => {
  const leaving = renderLeaving()
  vi.mocked(location.assign).mockImplementation(expectAllForgotten)
  await begin(leaving.current.logOut)
  expect(location.assign).toHaveBeenCalledExactlyOnceWith('/api/logout')
  expect(server.requests).toEqual([])
})

test('a person who came back from the provider without a sign-in logs out: no address of a page stays in the tab [INST-08 S48]', async () => {
  const leaving = renderLeaving()
  storedReturn(ana.id).write(`${location.origin}/diary?day=2025-06-10`)
  await begin(leaving.current.logOut)
  expect(storedReturn(ana.id).read()).toBeNull()
})

test('a person who logs out offline reads that the session goes on, and the page forgets nothing [OWN-05 ACC-21]', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const leaving = renderLeaving()
  server.disconnect(logout)
  await begin(leaving.current.logOut)
  await pass(10_000)
  expect(screen.getByRole('alertdialog').textContent).toContain('You are still logged in')
  expect(location.assign).not.toHaveBeenCalled()
  expectNothingForgotten()
})

test('a person whose server is on the same device logs out offline [OWN-05 ACC-21]', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const leaving = renderLeaving()
  server.on(logout, { ok: true })
  vi.mocked(location.assign).mockImplementation(expectAllForgotten)
  await begin(leaving.current.logOut)
  await pass(100)
  expect(location.assign).toHaveBeenCalledExactlyOnceWith('/api/logout')
})

test('a save or a letter that arrives while the page is being left stores nothing again [S48]', async () => {
  const leaving = renderLeaving()
  const out = leaving.current.logOut()
  await pass(1000)
  await out
  expect(storedText(`diary:${ana.id}:2025-06-10`).write('A line.')).toBe(false)
  const later = keepDraft([ana.id, 'diary:2025-06-10', 'tab'], { text: 'One letter more', base: null })
  await expect(later).rejects.toThrow('The person has logged out')
  expect(Object.keys(localStorage).filter((key) => key.includes(ana.id))).toEqual([])
  expect(await hasDrafts(ana.id)).toBe(false)
  await keepDraft(['somebody', 'diary:2025-06-10', 'tab'], { text: 'A line', base: null })
  expect(await hasDrafts('somebody')).toBe(true)
})
