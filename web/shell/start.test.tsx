import { act, screen } from '@testing-library/react'
import { lazy } from 'react'
import { expect, test, vi } from 'vitest'
import { writeKey } from '#web/lib/session-storage.ts'
import { Gate } from './Gate.tsx'
import { ana, guest, show, startFakes } from './testing.tsx'
import { pass } from '#web/lib/testing.ts'

const { fetching } = startFakes()

const house = (
  <Gate onboarding={<p>The door</p>}>
    <p>The house</p>
  </Gate>
)
/** What is seen: the door, the house in its frame, or neither. */
function seen() {
  const hasFrame = screen.queryByRole('banner') !== null
  if (screen.queryByText('The door')) return hasFrame ? 'both' : 'the door'
  return screen.queryByText('The house') && hasFrame ? 'the house' : 'neither'
}

test.each([
  ['fails', async () => new Response('{}', { status: 500 })],
  ['knows nobody', async () => new Response('null')],
  ['is away', () => Promise.reject(new TypeError('Failed to fetch'))],
])(
  'when the server %s, a house painted ahead becomes the door [SHELL-84 SHELL-81 SHELL-82]',
  async (_what, answer) => {
    vi.useFakeTimers()
    writeKey('userId', ana.id)
    fetching.mockImplementation(answer)
    show(house)
    expect(seen()).toBe('the house')
    await pass(10_000)
    expect(seen()).toBe('the door')
    expect(localStorage.getItem('userId')).toBeNull()
  },
)

test.each([
  ['a guest', guest],
  ['a visitor who browses', null],
])(
  'the flag in the address leads %s to the door, and no other value does [SHELL-15 SHELL-16]',
  (_who, user) => {
    const { unmount } = show(house, { at: '/?onboarding=true', user })
    expect(seen()).toBe('the door')
    unmount()
    show(house, { at: '/?onboarding=false', user })
    expect(seen()).toBe('the house')
  },
)

test.each([
  ['/nowhere', undefined],
  ['/nowhere', ana],
  ['/dashboard/x', ana],
  ['/posts', undefined],
  ['/posts/a/b', ana],
  ['/admin-user', ana],
])('%s is no page of the house, and asks for nothing [SHELL-17 SHELL-86]', (at, user) => {
  show(house, { at, ...(user && { user }) })
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('404 Page Not Found')
  expect(screen.getByRole('link', { name: 'Back to the feed' }).getAttribute('href')).toBe('/dashboard')
  expect(seen()).toBe('neither')
  expect(fetching).not.toHaveBeenCalled()
})

test.each([
  ['/', 'Loading Z!mmer...'],
  ['/?onboarding=true', 'Loading onboarding...'],
])(
  'a door at %s that takes long to come is waited for with the words %j [SHELL-54 SHELL-56 SHELL-26]',
  async (at, text) => {
    vi.useFakeTimers()
    const Slow = lazy(() => new Promise<never>(() => {}))
    show(<Gate onboarding={<Slow />}>The house</Gate>, { at })
    await pass(100)
    expect(screen.queryByRole('status')).toBeNull()
    await pass(100)
    expect(screen.getByRole('status').textContent).toBe(text)
  },
)

test('the first page is waited for with the name of the product, a later one with Loading, inside the frame [SHELL-54 SHELL-55 SHELL-93]', async () => {
  vi.useFakeTimers()
  const Slow = lazy(() => new Promise<never>(() => {}))
  const slowHouse = (
    <Gate onboarding="The door">
      <Slow />
    </Gate>
  )
  show(slowHouse, { at: '/dashboard', user: ana })
  await pass(200)
  expect(screen.getByRole('main').textContent).toBe('Loading Z!mmer...')
  act(() => history.pushState(null, '', '/diary'))
  await pass(200)
  expect(screen.getByRole('main').textContent).toBe('Loading...')
  expect(screen.getByRole('banner')).toBeTruthy()
})
