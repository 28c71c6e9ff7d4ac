import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import { answersOf, queryKeyOf, useEndpoint } from '#web/lib/api.ts'
import { clearOnboarding, completeOnboarding } from '#web/features/account/index.ts'
import { startBrowsing, writeKey } from '#web/lib/session-keys.ts'
import { pass } from '#web/lib/testing.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { Gate } from './Gate.tsx'

const server = startTestPage()
const shown = () => screen.getAllByRole('heading', { level: 1 }).map(({ textContent }) => textContent)
const hasFrame = () => screen.queryByRole('banner') !== null

beforeEach(() => {
  vi.useFakeTimers()
  server.on(getMe, { ...ana, lastName: null })
})
afterEach(() => void (document.cookie = 'signed-in=; Max-Age=0'))

const open = (address: string, page = <h1>Application</h1>) =>
  show(<Gate onboarding={<h1>Onboarding</h1>}>{page}</Gate>, { at: address })

test.each(['the cookie', 'the stored id'])(
  'a person with %s sees the application at once, while the page asks the server for the person [SHELL-93 SHELL-80 SHELL-83 SHELL-92]',
  async (mark) => {
    if (mark === 'the cookie') document.cookie = 'signed-in=1'
    else writeKey('userId', ana.id)
    open('/')
    expect(shown()).toEqual(['Application'])
    expect(hasFrame()).toBe(true)
    expect(server.requests).toEqual(['GET /api/me'])
    await pass(500)
    expect(shown()).toEqual(['Application'])
    expect(screen.getByRole('region', { name: 'Account' }).textContent).toContain('Logged in as Ana')
  },
)

test('a visitor who browses in this tab sees the application, also after a reload, and the page sends no request [SHELL-93 SHELL-86]', async () => {
  startBrowsing()
  open('/dashboard')
  expect(shown()).toEqual(['Application'])
  await pass(60_000)
  cleanup()
  open('/dashboard')
  await pass(60_000)
  expect(shown()).toEqual(['Application'])
  expect(server.requests).toEqual([])
})

test('a new visitor sees the onboarding at once, and the page sends no request [SHELL-93 SHELL-86]', async () => {
  open('/diary')
  expect(shown()).toEqual(['Onboarding'])
  expect(hasFrame()).toBe(false)
  await pass(60_000)
  expect(server.requests).toEqual([])
})

test('a person whose session is refused at the start sees the onboarding soon after [SHELL-84 SHELL-81 GEN-22]', async () => {
  document.cookie = 'signed-in=1'
  server.refuse(getMe, 'SignInRequired')
  open('/')
  expect(shown()).toEqual(['Application'])
  await pass(150)
  expect(shown()).toEqual(['Onboarding'])
  expect(server.requests).toEqual(['GET /api/me'])
})

test('a person with a session who opens the address with the flag sees the onboarding [SHELL-16 SHELL-15]', async () => {
  document.cookie = 'signed-in=1'
  open('/?onboarding=true')
  await pass(500)
  expect(shown()).toEqual(['Onboarding'])
})

test.each([
  '/about',
  '/nowhere',
  '/invitations#token',
  '/posts/k7q2m4xp3d',
  '/projects/finished',
  '/search?q=lamp',
  '/setup#code',
  '/stories/01900000-0000-7000-8000-000000000001',
  '/verify',
])('a visitor without a session can open %s [SHELL-86 SHELL-94 PPL-07 LOOP-14]', (address) => {
  open(address)
  expect(shown()).not.toContain('Onboarding')
})

test.each([
  ['deleted', 'onboardingCompleted', null, 'Onboarding'],
  ['deleted, with the whole storage,', null, null, 'Onboarding'],
  ['set', 'onboardingCompleted', 'true', 'Application'],
])(
  'when another tab has %s the flag of the onboarding, this tab follows [SHELL-85]',
  async (_what, key, newValue, expected) => {
    document.cookie = 'signed-in=1'
    completeOnboarding()
    open('/diary')
    await pass(500)
    clearOnboarding()
    act(() => void dispatchEvent(new StorageEvent('storage', { key, newValue })))
    expect(shown()).toEqual([expected])
  },
)

test('a tab does not change when another tab changes another key [SHELL-85]', () => {
  startBrowsing()
  open('/diary')
  act(() => void dispatchEvent(new StorageEvent('storage', { key: 'lastUserEmail', newValue: null })))
  expect(shown()).toEqual(['Application'])
})

function Article() {
  useEndpoint(getPost, { params: { id: 'k7q2m4xp3d' } })
  return <h1>Application</h1>
}

test('a reader of a hidden, pending or missing post sees the 404 page, and a reader of a post that failed to load does not [SHELL-94 SHELL-17]', async () => {
  server.refuse(getPost, 'PostNotFound')
  open('/posts/k7q2m4xp3d', <Article />)
  await pass(100)
  expect(shown()).toEqual(['404 Page Not Found'])
  cleanup()
  server.refuse(getPost, 'NotAllowed')
  const { client } = open('/posts/k7q2m4xp3d', <Article />)
  await pass(100)
  expect(shown()).toEqual(['Application'])
  expect(client.getQueryState(queryKeyOf(getPost, { params: { id: 'k7q2m4xp3d' } }))?.status).toBe('error')
})

test('an article is read again after a change of its reader, also when the page around it was drawn last [SHELL-94]', async () => {
  startBrowsing()
  server.refuse(getPost, 'NotAllowed')
  const { client } = open('/posts/k7q2m4xp3d', <Article />)
  await pass(100)
  const calls = server.calls(getPost).length
  act(() => history.replaceState(null, '', '/posts/k7q2m4xp3d?from=feed'))
  void client.invalidateQueries(answersOf([getPost]))
  await pass(100)
  expect(server.calls(getPost).length).toBe(calls + 1)
})

function Broken(): never {
  throw new Error('broken')
}

test('a person whose page breaks sees an error message inside the frame', async () => {
  startBrowsing()
  open('/diary', <Broken />)
  await pass(10)
  expect(hasFrame()).toBe(true)
  expect(screen.getByRole('alert').textContent).toContain('This page could not be shown.')
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})
