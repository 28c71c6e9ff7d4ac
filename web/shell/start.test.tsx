import { act, screen } from '@testing-library/react'
import { lazy } from 'react'
import { expect, test, vi } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { writeKey } from '#web/lib/session-keys.ts'
import { pass } from '#web/lib/testing.ts'
import type { FakeServer } from '#web/testing/fake-server.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { Gate } from './Gate.tsx'

const server = startTestPage()

const gate = (
  <Gate onboarding={<p>Onboarding</p>}>
    <p>Application</p>
  </Gate>
)
/** What a person sees: the onboarding, the application in its frame, or neither. */
function seen() {
  const hasFrame = screen.queryByRole('banner') !== null
  if (screen.queryByText('Onboarding')) return hasFrame ? 'both' : 'the onboarding'
  return screen.queryByText('Application') && hasFrame ? 'the application' : 'neither'
}

test.each<[string, (server: FakeServer) => void]>([
  ['fails', (server) => server.refuse(getMe, 'Unexpected')],
  ['knows no person', (server) => server.answerForeign(getMe, 200, 'null')],
  ['cannot be reached', (server) => server.disconnect(getMe)],
])(
  'a person sees the application at once, and the onboarding instead when the server %s [SHELL-84 SHELL-81 SHELL-82]',
  async (what, prepare) => {
    vi.useFakeTimers()
    writeKey('userId', ana.id)
    prepare(server)
    show(gate)
    expect(seen()).toBe('the application')
    await pass(10_000)
    expect(seen()).toBe('the onboarding')
    // A failure signs nobody out: the next visit asks again.
    expect(localStorage.getItem('userId')).toBe(what === 'knows no person' ? null : ana.id)
  },
)

test.each([
  ['a guest', guest],
  ['a visitor who browses', null],
])(
  '%s sees the onboarding when the flag in the address is true, and the application when it is not [SHELL-15 SHELL-16]',
  (_who, user) => {
    const { unmount } = show(gate, { at: '/?onboarding=true', user })
    expect(seen()).toBe('the onboarding')
    unmount()
    show(gate, { at: '/?onboarding=false', user })
    expect(seen()).toBe('the application')
  },
)

test.each([
  ['/nowhere', undefined],
  ['/nowhere', ana],
  ['/dashboard/x', ana],
  ['/posts', undefined],
  ['/posts/a/b', ana],
  ['/admin-user', ana],
])(
  'a person who opens %s sees the 404 page, and the page sends no request [SHELL-17 SHELL-86]',
  (at, user) => {
    show(gate, { at, ...(user && { user }) })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('404 Page Not Found')
    expect(screen.getByRole('link', { name: 'Back to the feed' }).getAttribute('href')).toBe('/dashboard')
    expect(seen()).toBe('neither')
    expect(server.requests).toEqual([])
  },
)

test.each([
  ['/', 'Loading Z!mmer...'],
  ['/?onboarding=true', 'Loading onboarding...'],
])(
  'a visitor who waits long for the onboarding at %s reads %j [SHELL-54 SHELL-56 SHELL-26]',
  async (at, text) => {
    vi.useFakeTimers()
    const Slow = lazy(() => new Promise<never>(() => {}))
    show(<Gate onboarding={<Slow />}>Application</Gate>, { at })
    await pass(100)
    expect(screen.queryByRole('status')).toBeNull()
    await pass(100)
    expect(screen.getByRole('status').textContent).toBe(text)
  },
)

test('a person who waits for the first page reads the name of the product, and later Loading, inside the frame [SHELL-54 SHELL-55 SHELL-93]', async () => {
  vi.useFakeTimers()
  const Slow = lazy(() => new Promise<never>(() => {}))
  const slowPage = (
    <Gate onboarding="Onboarding">
      <Slow />
    </Gate>
  )
  show(slowPage, { at: '/dashboard', user: ana })
  await pass(200)
  expect(screen.getByRole('main').textContent).toBe('Loading Z!mmer...')
  act(() => history.pushState(null, '', '/diary'))
  await pass(200)
  expect(screen.getByRole('main').textContent).toBe('Loading...')
  expect(screen.getByRole('banner')).toBeTruthy()
})
