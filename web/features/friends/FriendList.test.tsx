import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { Profiler, useEffect } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { User } from '#contract/account/user.ts'
import { addFriend, listFriends, searchPeople } from '#contract/friends/endpoints.ts'
import type { Friend, ListedFriend } from '#contract/friends/friend.ts'
import { listInvitations } from '#contract/invitations/endpoints.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { FriendList, useFriendsCache } from './index.ts'
import { ben, cleo, dan, listed } from './testing.tsx'

const server = startTestPage()
const now = new Date('2025-06-10T12:00:00')
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now })
  server.on(listInvitations, [])
})

const aMessage = (more: Partial<DirectMessage>) => ({
  sender_id: ben.id,
  receiver_id: ana.id,
  content: 'Good evening',
  created_at: now.toISOString(),
  message_type: 'text' as const,
  ...more,
})
const at = (local: string) => new Date(local).toISOString()
const rows = () => within(screen.getByRole('list', { name: 'Friends' })).getAllByRole('button')
/** A row without its initials, which are only seen: name and words, time and count. */
const columns = () => rows().map((row) => [...row.children].slice(1))
/** The name of each row, and its time and count. */
const texts = () => columns().map(([name, more]) => [name!.firstChild!.textContent, more!.textContent])
const words = () => columns().map(([name]) => name!.children[1]?.textContent ?? null)
const names = () => texts().map(([name]) => name)

let cache: ReturnType<typeof useFriendsCache>
function CacheUser() {
  const known = useFriendsCache()
  useEffect(() => {
    cache = known
  })
  return null
}

async function openList(friends: ListedFriend[], user: User | null = ana) {
  server.on(listFriends, friends)
  const onSelect = vi.fn<(friend: Friend) => void>()
  const { client } = show(
    <>
      <FriendList selectedId={dan.id} onSelect={onSelect} />
      <CacheUser />
    </>,
    { user },
  )
  await act(async () => {})
  return { onSelect, client }
}

test('a person sees their friends by name, the newest message first, with its time and what is unread [MSG-01 MSG-04 MSG-05 MSG-06]', async () => {
  const nobody: Friend = { id: 'k7q2m4xp3h', username: 'eve', firstName: null, lastName: null, email: null }
  await openList([
    listed(nobody),
    listed(dan, { lastMessageAt: at('2024-12-31T09:00:00') }),
    listed(ben, { lastMessageAt: at('2025-06-10T09:05:00'), unreadCount: 3 }),
    listed(cleo, { lastMessageAt: at('2025-06-03T09:00:00'), unreadCount: 120 }),
    listed({ ...cleo, id: 'k7q2m4xp3j', email: 'anton@example.org' }),
  ])
  await screen.findByText('Ben Ode')
  expect(texts()).toEqual([
    ['Ben Ode', '9:05 AM33 unread messages'],
    ['cleo@example.org', 'Jun 399+120 unread messages'],
    ['Dan', 'Dec 31, 2024'],
    ['anton@example.org', ''],
    ['User k7q2m4xp3h', ''],
  ])
})

test('a person with many friends sees those who fill the window first, and then all', async () => {
  const friends = Array.from({ length: 40 }, (_, n) => listed({ ...ben, id: `k7q2m4xp${n + 10}` }))
  server.on(listFriends, friends)
  const drawn: number[] = []
  show(
    <Profiler id="friends" onRender={() => drawn.push(document.querySelectorAll('[data-friend]').length)}>
      <FriendList selectedId={null} onSelect={() => {}} />
    </Profiler>,
    { user: ana },
  )
  await waitFor(() => expect(rows()).toHaveLength(friends.length))
  const first = drawn.find((count) => count > 0)!
  expect(first).toBeGreaterThanOrEqual(innerHeight / 60)
  expect(first).toBeLessThan(friends.length)
})

test('a person chooses a friend, and the chosen one is marked [MSG-01]', async () => {
  const { onSelect } = await openList([listed(ben), listed(dan)])
  await screen.findByText('Ben Ode')
  expect(rows().map((row) => row.getAttribute('aria-current'))).toEqual([null, 'true'])
  press('Ben Ode')
  expect(onSelect).toHaveBeenCalledExactlyOnceWith(listed(ben))
})

test('a person without friends reads how to find some, and finds the search at hand [MSG-25]', async () => {
  await openList([])
  expect(await screen.findByText('No friends yet')).toBeTruthy()
  expect(screen.getByLabelText('Name, username or email address')).toBeTruthy()
})

test('a person who adds the first friend sees them in the list, and opens the conversation [MSG-11 MSG-25]', async () => {
  server.on(searchPeople, [ben])
  server.on(addFriend, ben)
  const { onSelect } = await openList([])
  fireEvent.change(await screen.findByLabelText('Name, username or email address'), {
    target: { value: 'ben' },
  })
  fireEvent.click(await screen.findByRole('button', { name: /^Add Friend/ }))
  await waitFor(() => expect(onSelect).toHaveBeenCalledExactlyOnceWith(listed(ben)))
  expect(names()).toEqual(['Ben Ode'])
  expect(screen.queryByText('No friends yet')).toBeNull()
})

test.each([
  ['a visitor', null],
  ['a guest', guest],
])('%s has no friends and no search, and nothing is loaded [MSG-28]', async (_who, user) => {
  await openList([listed(ben)], user)
  expect(screen.getByText('No friends yet')).toBeTruthy()
  expect(screen.queryByLabelText('Name, username or email address')).toBeNull()
  expect(server.requests).toEqual([])
})

test('a person waits for the friends, reads that they could not be loaded, and tries again [MSG-01]', async () => {
  server.refuse(listFriends, 'NotAllowed')
  show(<FriendList selectedId={null} onSelect={() => {}} />, { user: ana })
  expect(screen.getByRole('status', { name: 'Loading your friends' })).toBeTruthy()
  expect(await screen.findByText('Your friends could not be loaded.')).toBeTruthy()
  server.on(listFriends, [listed(ben)])
  press('Try again')
  expect(await screen.findByText('Ben Ode')).toBeTruthy()
})

test('a friend whose message arrives moves to the top, and the message is counted once; own messages are not counted [PPL-08]', async () => {
  await openList([listed(ben, { lastMessageAt: at('2025-06-10T11:00:00') }), listed(dan)])
  await screen.findByText('Ben Ode')
  expect(names()).toEqual(['Ben Ode', 'Dan'])
  const fromDan = aMessage({ sender_id: dan.id, created_at: at('2025-06-10T11:30:00') })
  act(() => cache.noteMessage(fromDan))
  act(() => cache.noteMessage(fromDan))
  await waitFor(() =>
    expect(texts()).toEqual([
      ['Dan', '11:30 AM11 unread message'],
      ['Ben Ode', '11:00 AM'],
    ]),
  )
  act(() =>
    cache.noteMessage(
      aMessage({ sender_id: ana.id, receiver_id: ben.id, created_at: at('2025-06-10T11:40:00') }),
    ),
  )
  act(() => cache.setUnread(dan.id, 0))
  await waitFor(() =>
    expect(texts()).toEqual([
      ['Ben Ode', '11:40 AM'],
      ['Dan', '11:30 AM'],
    ]),
  )
  expect(server.calls(listFriends)).toHaveLength(1)
})

test('a row moves to the top without the other rows, and keeps the focus', async () => {
  await openList([
    listed(ben, { lastMessageAt: at('2025-06-10T11:00:00') }),
    listed(cleo, { lastMessageAt: at('2025-06-10T10:00:00') }),
    listed(dan),
  ])
  await screen.findByText('Ben Ode')
  const [ofBen, ofCleo, ofDan] = rows()
  const moved: Node[] = []
  const observer = new MutationObserver((changes) =>
    moved.push(...changes.flatMap(({ removedNodes }) => [...removedNodes])),
  )
  observer.observe(screen.getByRole('list', { name: 'Friends' }), { childList: true })
  ofDan!.focus()
  act(() => cache.noteMessage(aMessage({ sender_id: dan.id, created_at: at('2025-06-10T11:30:00') })))
  await waitFor(() => expect(names()).toEqual(['Dan', 'Ben Ode', 'cleo@example.org']))
  expect(document.activeElement).toBe(rows()[0])
  expect(rows().slice(1)).toEqual([ofBen, ofCleo])
  await waitFor(() => expect(moved).toEqual([ofDan!.parentElement]))
  observer.disconnect()
})

test('a new friend appears in the list, and a known one keeps the messages that were counted [MSG-12]', async () => {
  await openList([listed(cleo, { unreadCount: 2, lastMessageAt: at('2025-06-10T11:00:00') })])
  await screen.findByText('cleo@example.org')
  act(() => cache.add(ben))
  act(() => cache.add({ ...cleo, firstName: 'Cleo' }))
  await waitFor(() =>
    expect(texts()).toEqual([
      ['Cleo', '11:00 AM22 unread messages'],
      ['Ben Ode', ''],
    ]),
  )
})

test('a message that arrives while the friends are loaded again is not lost to an older answer [PPL-08]', async () => {
  const { client } = await openList([listed(ben)])
  await screen.findByText('Ben Ode')
  const older = Promise.withResolvers<ListedFriend[]>()
  server.on(listFriends, () => older.promise)
  void client.invalidateQueries({ queryKey: queryKeyOf(listFriends) })
  await waitFor(() => expect(server.calls(listFriends)).toHaveLength(2))
  const created_at = at('2025-06-10T11:30:00')
  server.on(listFriends, [listed(ben, { lastMessageAt: created_at, unreadCount: 1 })])
  act(() => cache.noteMessage(aMessage({ sender_id: ben.id, created_at })))
  await waitFor(() => expect(server.calls(listFriends)).toHaveLength(3))
  await act(async () => older.resolve([listed(ben)]))
  expect(texts()).toEqual([['Ben Ode', '11:30 AM11 unread message']])
})

test('a person reads in the list how the last message of each friend begins, and which were their own [LOOP-26]', async () => {
  const written = { lastMessageAt: at('2025-06-10T09:05:00') }
  const text = { messageType: 'text' as const }
  await openList([
    listed(ben, { ...written, lastMessage: { ...text, beginning: 'Good evening', isOwn: false } }),
    listed(cleo, { ...written, lastMessage: { ...text, beginning: 'See you', isOwn: true } }),
    listed(dan, { ...written, lastMessage: { messageType: 'diary', beginning: '', isOwn: false } }),
    listed({ ...dan, id: 'k7q2m4xp3k', firstName: 'Eve' }, written),
    listed({ ...dan, id: 'k7q2m4xp3m', firstName: 'Finn' }),
  ])
  await screen.findByText('Ben Ode')
  const shown = new Map(texts().map(([name], row) => [name, words()[row]]))
  expect(Object.fromEntries(shown)).toEqual({
    'Ben Ode': 'Good evening',
    'cleo@example.org': 'You: See you',
    Dan: 'Shared a diary entry',
    Eve: null,
    Finn: null,
  })
})

test('a message that arrives, or is sent, replaces the words of the last one; one that was noted before does not [LOOP-26]', async () => {
  await openList([listed(ben), listed(dan)])
  await screen.findByText('Ben Ode')
  const first = aMessage({ content: 'The first\n\none', created_at: at('2025-06-10T11:00:00') })
  act(() => cache.noteMessage(first))
  await waitFor(() => expect(words()).toEqual(['The first one', null]))
  act(() =>
    cache.noteMessage(
      aMessage({ sender_id: ana.id, receiver_id: ben.id, created_at: at('2025-06-10T11:01:00') }),
    ),
  )
  act(() => cache.noteMessage(first))
  await waitFor(() => expect(words()).toEqual(['You: Good evening', null]))
  const shared = {
    message_type: 'diary' as const,
    content: 'A secret',
    created_at: at('2025-06-10T11:02:00'),
  }
  act(() => cache.noteMessage(aMessage(shared)))
  await waitFor(() => expect(words()).toEqual(['Shared a diary entry', null]))
})
