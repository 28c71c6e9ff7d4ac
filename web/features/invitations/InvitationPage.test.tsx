import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useEffect } from 'react'
import { expect, test } from 'vitest'
import type { User } from '#contract/account/user.ts'
import { acceptInvitation, getInvitation } from '#contract/invitations/endpoints.ts'
import type { FollowedInvitation } from '#contract/invitations/invitation.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { useInvitationsCache } from './cache.ts'
import { InvitationPage } from './InvitationPage.tsx'

const server = startTestPage()
const token = 'l-SgTqkUSZ8HlWJxRLJ9mUOYhJpPcxTz5SGwXJ4VR_A'
const invitation: FollowedInvitation = {
  inviterName: 'Ben Ode',
  relation: 'none',
  friendId: null,
  roomId: null,
  expiresAt: new Date('2026-11-29T10:00:00').toISOString(),
}

async function open(user: User | null, relation: FollowedInvitation['relation'] = 'none') {
  server.on(getInvitation, { ...invitation, relation })
  show(<InvitationPage />, { at: `/invitations#${token}`, user })
  await act(async () => {})
}
const title = async () => (await screen.findByRole('heading', { level: 1 })).textContent
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const linksTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

test.each([
  ['a visitor', null],
  ['a guest', guest],
])(
  '%s who follows a link reads who invites, and goes to the sign-up with the link in the address [PPL-07]',
  async (_who, user) => {
    await open(user)
    expect(await title()).toBe('Ben Ode invites you')
    expect(screen.getByText('Good until Sunday, November 29')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Add as friend' })).toBeNull()
    press('Sign up or sign in')
    expect(location.assign).toHaveBeenCalledExactlyOnceWith(`/invitations?onboarding=true#${token}`)
    // The token is in the body of the call, and in no address.
    expect(server.inputs(getInvitation)).toEqual([{ token }])
    expect(server.requests).toEqual(['POST /api/invitations/lookups'])
  },
)

test('a person who follows a link is asked, says yes, and reads that the other is asked now [PPL-07]', async () => {
  server.on(acceptInvitation, { ...invitation, relation: 'asked' })
  await open(ana)
  expect(await title()).toBe('Ben Ode invites you')
  expect(linksTo('Not now')).toBe('/messages')
  expect(server.changes.some((line) => line.includes('acceptances'))).toBe(false)
  press('Add as friend')
  await waitFor(async () => expect(await title()).toBe('Ben Ode is asked now'))
  expect(server.inputs(acceptInvitation)).toEqual([{ token }])
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  expect(linksTo('Messages')).toBe('/messages')
})

let cache: ReturnType<typeof useInvitationsCache>
function PageWithCache() {
  const known = useInvitationsCache()
  useEffect(() => {
    cache = known
  })
  return <InvitationPage />
}

test('a person who waits reads that both are friends, as soon as the other has said yes too [PPL-07]', async () => {
  server.on(getInvitation, { ...invitation, relation: 'asked' })
  show(<PageWithCache />, { at: `/invitations#${token}`, user: ana })
  await waitFor(async () => expect(await title()).toBe('Ben Ode is asked now'))
  server.on(getInvitation, { ...invitation, relation: 'friend' })
  cache.refetchFollowed()
  await waitFor(async () => expect(await title()).toBe('You and Ben Ode are friends'))
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
})

test('a person whose inviter says yes while the link is read for the first time reads that both are friends [PPL-07 R8]', async () => {
  const first = Promise.withResolvers<FollowedInvitation>()
  server.on(getInvitation, () => first.promise)
  show(<PageWithCache />, { at: `/invitations#${token}`, user: ana })
  await waitFor(() => expect(server.inputs(getInvitation)).toHaveLength(1))
  server.on(getInvitation, { ...invitation, relation: 'friend' })
  cache.refetchFollowed()
  first.resolve({ ...invitation, relation: 'asked' })
  await waitFor(async () => expect(await title()).toBe('You and Ben Ode are friends'))
})

test.each([
  ['own', 'This is your invitation'],
  ['friend', 'You and Ben Ode are friends'],
  ['asked', 'Ben Ode is asked now'],
] as const)(
  'a person who follows a link that is %s reads so, and is not asked [PPL-07]',
  async (relation, text) => {
    await open(ana, relation)
    expect(await title()).toBe(text)
    expect(screen.queryByRole('button')).toBeNull()
  },
)

test('a person whose link is over reads so, and has a way on [PPL-07]', async () => {
  for (const code of ['InvitationNotFound', 'InvalidInput'] as const) {
    server.refuse(getInvitation, code)
    const { unmount } = show(<InvitationPage />, { at: '/invitations#old', user: ana })
    await waitFor(async () => expect(await title()).toBe('This invitation is no longer open'), {
      timeout: 9000,
    })
    expect(linksTo('Find friends')).toBe('/messages')
    unmount()
  }
  server.refuse(getInvitation, 'InvitationNotFound')
  show(<InvitationPage />, { at: '/invitations#old', user: null })
  expect(await title()).toBe('This invitation is no longer open')
  press('Sign up or sign in')
  expect(location.assign).toHaveBeenCalledOnce()
}, 20_000)

test('a person without a connection can try again [PPL-07]', async () => {
  server.refuse(getInvitation, 'NotAllowed')
  show(<InvitationPage />, { at: `/invitations#${token}`, user: ana })
  expect(await screen.findByText('The invitation could not be loaded.')).toBeTruthy()
  server.on(getInvitation, invitation)
  press('Try again')
  await waitFor(async () => expect(await title()).toBe('Ben Ode invites you'))
})

test('a person whose yes is refused reads why, and can say it again [PPL-07]', async () => {
  server.refuse(acceptInvitation, 'TooManyAcceptances')
  await open(ana)
  await title()
  press('Add as friend')
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe(
      'Too many people have followed this invitation. Please try again later.',
    ),
  )
  server.on(acceptInvitation, { ...invitation, relation: 'asked' })
  press('Add as friend')
  await waitFor(async () => expect(await title()).toBe('Ben Ode is asked now'))
})

test('a person who pastes another link into the address reads about the other invitation [PPL-07]', async () => {
  await open(ana)
  await title()
  server.on(getInvitation, ({ input }) => ({ ...invitation, inviterName: `The sender of ${input.token}` }))
  act(() => {
    location.hash = 'another'
  })
  await waitFor(async () => expect(await title()).toBe('The sender of another invites you'))
})

test('a person whom the inviter has added finds the conversation, the room of the link, or a new room together [LOOP-24]', async () => {
  const friend = { ...invitation, relation: 'friend', friendId: 'k7q2m4xp3e' } as const
  server.on(getInvitation, friend)
  const page = show(<InvitationPage />, { at: `/invitations#${token}`, user: ana })
  expect(await title()).toBe('You and Ben Ode are friends')
  expect(linksTo('Write to Ben Ode')).toBe('/messages?friend=k7q2m4xp3e')
  expect(linksTo('Open a room together')).toBe('/zimmers?view=rooms&with=k7q2m4xp3e')
  page.unmount()
  const roomId = '01900000-0000-7000-8000-000000000001'
  server.on(getInvitation, { ...friend, roomId })
  show(<InvitationPage />, { at: `/invitations#${token}`, user: ana })
  expect(await title()).toBe('You and Ben Ode are friends')
  expect(linksTo('Go to the room')).toBe(`/zimmers?view=rooms&room=${roomId}`)
  server.on(acceptInvitation, { ...friend, roomId })
  fireEvent.click(screen.getByRole('link', { name: 'Go to the room' }))
  await waitFor(() => expect(location.search).toBe(`?view=rooms&room=${roomId}`))
  expect(server.inputs(acceptInvitation)).toEqual([{ token }])
})

test('a person whose link leads into a public room can read along at once, before and after saying yes; without a room nothing speaks of one [LOOP-24 S57]', async () => {
  const roomId = '01900000-0000-7000-8000-000000000001'
  for (const [relation, sentence] of [
    ['none', /The link also leads into a room that everybody can read\.$/],
    ['asked', /The link then leads you into a room\.$/],
  ] as const) {
    server.on(getInvitation, { ...invitation, relation, roomId })
    const page = show(<InvitationPage />, { at: `/invitations#${token}`, user: ana })
    expect(await screen.findByText(sentence)).toBeTruthy()
    expect(linksTo('Read along')).toBe(`/zimmers?view=rooms&room=${roomId}`)
    page.unmount()
    server.on(getInvitation, { ...invitation, relation })
    const without = show(<InvitationPage />, { at: `/invitations#${token}`, user: ana })
    await title()
    expect(screen.queryByText(/into a room/)).toBeNull()
    expect(screen.queryByRole('link', { name: 'Read along' })).toBeNull()
    without.unmount()
  }
})
