import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { User } from '#contract/account/user.ts'
import { forgetMarks } from '#web/features/details/index.ts'
import { aPost, serve, show } from '#web/features/feed/testing.tsx'
import { PeoplePage } from './PeoplePage.tsx'

afterEach(() => {
  cleanup()
  forgetMarks()
  localStorage.clear()
})

const ana: User = {
  id: 'k7q2m4xp3d',
  email: 'ana@example.org',
  firstName: 'Ana',
  lastName: 'Lima',
  username: null,
  isAnonymous: false,
  anonymousId: null,
  isAdmin: false,
  createdAt: '2025-06-01T08:00:00.000Z',
}
const posts = [
  aPost({ authorName: 'Ben', content: 'a poem with a rhyme' }),
  aPost({ authorName: 'Ben' }),
  aPost({ authorName: 'Cora' }),
]
const built = 'Finding people by name and adding friends is being built.'

function openPage({
  user = null,
  answer,
}: { user?: User | null; answer?: { status?: number; body: unknown } } = {}) {
  if (user) localStorage.setItem('userId', user.id)
  const sent = serve({
    'GET /api/me': () => (user ? { body: user } : { status: 401 }),
    'GET /api/feed/day/0': () => answer ?? { body: posts },
  })
  show(<PeoplePage />, '/users')
  return sent
}

test('the authors of the loaded posts stand on the people page, each with their detail [SHELL-21]', async () => {
  openPage()
  const ben = await screen.findByRole('button', { name: 'Ben' })
  expect(screen.getByText('Poetry · 2 posts')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Cora' })).toBeTruthy()
  fireEvent.click(ben)
  expect(await screen.findByRole('dialog', { name: 'Ben' })).toBeTruthy()
})

test('visitors and guests see only the authors [SHELL-21]', async () => {
  openPage()
  await screen.findByRole('button', { name: 'Ben' })
  expect(screen.queryByText(built)).toBeNull()
  cleanup()
  const guest = { ...ana, isAnonymous: true, anonymousId: 'ab12' }
  const sent = openPage({ user: guest })
  await screen.findByRole('button', { name: 'Ben' })
  expect(sent.map(({ path }) => path)).toContain('/api/me')
  expect(screen.queryByText(built)).toBeNull()
})

test('signed-in people read that finding others is being built [SHELL-21]', async () => {
  openPage({ user: ana })
  expect(await screen.findByText(built)).toBeTruthy()
})

test('a day without posts has no authors [SHELL-21]', async () => {
  openPage({ answer: { body: [] } })
  expect(await screen.findByText('No one has written today')).toBeTruthy()
})

test('authors that cannot be loaded can be asked for again [SHELL-21]', async () => {
  const sent = openPage({ answer: { status: 403, body: {} } })
  expect(await screen.findByText('The authors could not be loaded.')).toBeTruthy()
  const asked = sent.length
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(sent.length).toBe(asked + 1)
})
