import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import type { ListedFriend } from '#contract/friends/friend.ts'
import { addFriend, listFriends, searchPeople } from '#contract/friends/endpoints.ts'
import { aPost } from '#web/features/feed/testing.tsx'
import { ben, listed } from '#web/features/friends/testing.tsx'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { PeoplePage } from './PeoplePage.tsx'

const server = startTestPage()

const posts = [
  aPost({ authorName: 'Ben', content: 'a poem with a rhyme' }),
  aPost({ authorName: 'Ben' }),
  aPost({ authorName: 'Cora' }),
]
const search = () => screen.queryByLabelText('Name, username or email address')

interface Opened {
  user?: User | null
  today?: PublicPost[]
  friends?: ListedFriend[]
}

function openPage({ user = null, today = posts, friends = [] }: Opened = {}) {
  if (user) {
    localStorage.setItem('userId', user.id)
    server.on(getMe, user)
  }
  server.on(getFeedDay, today)
  server.on(listFriends, friends)
  show(<PeoplePage />, { at: '/users' })
}

test('a reader of the people page sees the authors of the loaded posts, and opens the detail of each [SHELL-21]', async () => {
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
  expect(search()).toBeNull()
  cleanup()
  openPage({ user: guest })
  await screen.findByRole('button', { name: 'Ben' })
  expect(server.calls(getMe)).toHaveLength(1)
  expect(search()).toBeNull()
  expect(server.calls(listFriends)).toEqual([])
})

test('a signed-in person finds somebody on the people page and adds them as a friend [SHELL-21 MSG-11]', async () => {
  server.on(searchPeople, [ben])
  server.on(addFriend, ben)
  openPage({ user: ana })
  fireEvent.change(await screen.findByLabelText('Name, username or email address'), {
    target: { value: 'ben' },
  })
  fireEvent.click(await screen.findByRole('button', { name: /^Add Friend/ }))
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Add Friend/ })).toBeNull())
  expect(server.inputs(addFriend)).toEqual([{ friendUserId: ben.id }])
  expect(await screen.findByRole('heading', { name: 'Authors' })).toBeTruthy()
})

test('a signed-in person who finds a friend on the people page can write to them [SHELL-21 MSG-13]', async () => {
  server.on(searchPeople, [ben])
  openPage({ user: ana, friends: [listed(ben)] })
  fireEvent.change(await screen.findByLabelText('Name, username or email address'), {
    target: { value: 'ben' },
  })
  fireEvent.click(await screen.findByRole('button', { name: /^Message/ }))
  expect(location.pathname + location.search).toBe(`/messages?friend=${ben.id}`)
})

test('a reader on a day without posts sees that there are no authors [SHELL-21]', async () => {
  openPage({ today: [] })
  expect(await screen.findByText('No one has written today')).toBeTruthy()
})

test('a reader whose authors could not be loaded can try again [SHELL-21]', async () => {
  server.refuse(getFeedDay, 'NotAllowed')
  show(<PeoplePage />, { at: '/users' })
  expect(await screen.findByText('The authors could not be loaded.')).toBeTruthy()
  server.on(getFeedDay, posts)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('button', { name: 'Cora' })).toBeTruthy()
})

test('a person who wrote a post is not offered to follow themselves [SHELL-21]', async () => {
  openPage({ user: ana, today: [aPost({ authorName: 'Ana Lima', authorId: ana.id }), ...posts] })
  expect(await screen.findByRole('button', { name: 'Ana Lima' })).toBeTruthy()
  await waitFor(() =>
    expect(screen.getAllByRole('button', { name: /^Follow/ }).map(({ textContent }) => textContent)).toEqual([
      'FollowBen',
      'FollowCora',
    ]),
  )
})

test('an author with a page is among the people, and the name leads to the page [PPL-02]', async () => {
  openPage({ today: [aPost({ authorName: 'Dora', authorId: 'd0ra000000', authorHasPage: true }), ...posts] })
  const link = await screen.findByRole('link', { name: 'Dora' })
  expect(link.getAttribute('href')).toBe('/people/d0ra000000')
})
