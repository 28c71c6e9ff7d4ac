import { act, cleanup, fireEvent, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { navigate } from 'wouter/use-browser-location'
import { listFriends } from '#contract/friends/endpoints.ts'
import type { ListedFriend } from '#contract/friends/friend.ts'
import { countUnread, markRead } from '#contract/messages/endpoints.ts'
import { see } from '#web/testing/fake-observer.ts'
import {
  aMessage,
  ben,
  cleo,
  connect,
  emit,
  friendRow,
  messageItems,
  messages,
  now,
  readyField,
  startMessagesPage,
} from './testing.tsx'

const { server, openMessages, openBen } = startMessagesPage()

test('messages count as unread until the newest of them was visible, and then on all devices as read [PPL-08 PPL-09]', async () => {
  const { stored } = openBen({
    friends: [
      { ...ben, unreadCount: 2 },
      { ...cleo, unreadCount: 1 },
    ],
    messages: [aMessage(), aMessage()],
  })
  await waitFor(() => expect(messages()).toHaveLength(2))
  expect(await friendRow(/^Ben Okafor.*2 unread messages$/)).toBeTruthy()
  await waitFor(() => expect(document.title).toBe('(3) Messages · Z!mmer'))
  const [first, newest] = messageItems()
  see(first!)
  expect(server.calls(markRead)).toEqual([])
  see(newest!)
  await waitFor(() =>
    expect(server.inputs(markRead)).toEqual([{ friendUserId: ben.id, messageId: stored.messages[1]!.id }]),
  )
  await waitFor(() => expect(document.title).toBe('(1) Messages · Z!mmer'))
  expect((await friendRow(/^Ben Okafor/)).textContent).not.toContain('unread')
  see(newest!)
  expect(server.calls(markRead)).toHaveLength(1)
})

test('a message that arrives while the ones before it are marked as read stays unread until the person sees it [PPL-08 PPL-09]', async () => {
  const first = aMessage()
  const { stored } = openBen({ friends: [{ ...ben, unreadCount: 1 }], messages: [first] })
  await waitFor(() => expect(messages()).toHaveLength(1))
  connect()
  const marked = Promise.withResolvers<{ unreadCount: number }>()
  server.on(markRead, () => marked.promise)
  see(messageItems()[0]!)
  await waitFor(() => expect(server.calls(markRead)).toHaveLength(1))
  const second = aMessage({ created_at: now.toISOString() })
  emit('message', second)
  await waitFor(() => expect(messages()).toHaveLength(2))
  stored.friends = [{ ...ben, unreadCount: 1, lastMessageAt: second.created_at }]
  await act(async () => marked.resolve({ unreadCount: 0 }))
  expect(await friendRow(/^Ben Okafor.*1 unread message$/)).toBeTruthy()
  see(messageItems()[1]!)
  await waitFor(() =>
    expect(server.inputs(markRead).map(({ messageId }) => messageId)).toEqual([first.id, second.id]),
  )
})

test('a message that comes between the first count and the opening of the stream counts as unread [PPL-08 R8]', async () => {
  const first = Promise.withResolvers<{ unreadCount: number }>()
  server.on(countUnread, () => first.promise)
  openMessages()
  await waitFor(() => expect(server.calls(countUnread)).toHaveLength(1))
  server.on(countUnread, { unreadCount: 1 })
  connect()
  first.resolve({ unreadCount: 0 })
  await waitFor(() => expect(document.title).toBe('(1) Messages · Z!mmer'))
})

test('a message that comes while the friends are read for the first time counts as unread beside the friend [PPL-08 R8]', async () => {
  const first = Promise.withResolvers<ListedFriend[]>()
  openMessages({}, { at: '/dashboard' })
  connect()
  await expect.poll(() => server.calls(countUnread).length).toBe(2)
  server.on(listFriends, () => first.promise)
  act(() => navigate('/messages'))
  await waitFor(() => expect(server.calls(listFriends)).toHaveLength(1))
  const message = aMessage()
  server.on(listFriends, [{ ...ben, unreadCount: 1, lastMessageAt: message.created_at }])
  emit('message', message)
  await act(async () => first.resolve([ben]))
  expect(await friendRow(/^Ben Okafor.*1 unread message$/)).toBeTruthy()
})

test('a message in a hidden tab stays unread until the tab is shown [PPL-08]', async () => {
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  openBen({ friends: [{ ...ben, unreadCount: 1 }], messages: [aMessage()] })
  await waitFor(() => expect(messages()).toHaveLength(1))
  see(messageItems()[0]!)
  await act(async () => {})
  expect(server.calls(markRead)).toEqual([])
  visibility.mockReturnValue('visible')
  fireEvent(document, new Event('visibilitychange'))
  see(messageItems()[0]!)
  await waitFor(() => expect(server.calls(markRead)).toHaveLength(1))
})

test('a message of another friend counts in the list and in the title, until the person reads it on another device [PPL-08 PPL-09]', async () => {
  const { stored } = openBen()
  await readyField()
  connect()
  stored.friends = [ben, { ...cleo, unreadCount: 1 }]
  emit('message', aMessage({ sender_id: cleo.id, created_at: now.toISOString() }))
  expect(await friendRow(/^Cleo Ross.*1 unread message$/)).toBeTruthy()
  await waitFor(() => expect(document.title).toBe('(1) Messages · Z!mmer'))
  expect(messages()).toEqual([])
  stored.friends = [ben, cleo]
  emit('messages.read', { friendUserId: cleo.id, unreadCount: 0 })
  await waitFor(() => expect(document.title).toBe('Messages · Z!mmer'))
  expect((await friendRow(/^Cleo Ross/)).textContent).not.toContain('unread')
})

test('a friend who deletes many messages in a row makes the page read its lists a few times, not for each message [MSG-24 S52]', async () => {
  const { stored } = openBen({ friends: [{ ...ben, unreadCount: 40 }] })
  await readyField()
  connect()
  await friendRow(/^Ben Okafor.*40 unread messages$/)
  stored.friends = [ben]
  for (let n = 0; n < 40; n++) emit('message.deleted', { id: aMessage().id, friendUserId: ben.id })
  await waitFor(() => expect(document.title).toBe('Messages · Z!mmer'))
  await waitFor(async () => expect((await friendRow(/^Ben Okafor/)).textContent).not.toContain('unread'))
  for (const list of [listFriends, countUnread]) expect(server.calls(list).length).toBeLessThan(10)
})

test('a person who signs out leaves no count in the title [PPL-09]', async () => {
  openMessages({ friends: [{ ...ben, unreadCount: 4 }] })
  await waitFor(() => expect(document.title).toBe('(4) Messages · Z!mmer'))
  cleanup()
  expect(document.title).toBe('Messages · Z!mmer')
})
