import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { addFriend, removeFriend, searchPeople } from '#contract/friends/endpoints.ts'
import { getInvitation, listAcceptances } from '#contract/invitations/endpoints.ts'
import { deleteMessage, listMessages, markRead } from '#contract/messages/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { FakeSource } from '#web/lib/live/testing.ts'
import { see } from '#web/testing/fake-observer.ts'
import { ana, guest } from '#web/testing/people.ts'
import {
  aMessage,
  ben,
  cleo,
  emit,
  field,
  messageItems,
  messages,
  now,
  ofAna,
  readyField,
  startMessagesPage,
} from './testing.tsx'

const { server, openMessages, openBen } = startMessagesPage()

const friendRow = (name: RegExp) => screen.findByRole('button', { name })
const connect = () => emit('ready', { inbox: [ana.id] })
/** Ben, as the event of a new friendship has him. */
const { unreadCount: _count, lastMessageAt: _at, ...added } = ben

test('a person sees the friends, and without a selection is asked to select one; nothing can be sent [MSG-01 MSG-17 MSG-26]', async () => {
  openMessages()
  expect(await friendRow(/^Ben Okafor/)).toBeTruthy()
  expect(await friendRow(/^Cleo Ross/)).toBeTruthy()
  expect(screen.getByText('Select a friend to start messaging')).toBeTruthy()
  expect(screen.queryByPlaceholderText('Write a message…')).toBeNull()
})

test('a person opens the dialog that finds new friends [MSG-02]', async () => {
  openMessages()
  fireEvent.click(await screen.findByRole('button', { name: 'Add Friend' }))
  expect(await screen.findByRole('dialog', { name: 'Add Friend' })).toBeTruthy()
})

test('a person without friends reads so, finds the search and an invitation link at hand, and no empty conversation [MSG-25 PPL-07]', async () => {
  openMessages({ friends: [] })
  expect(await screen.findByText('No friends yet')).toBeTruthy()
  expect(screen.getByLabelText('Name, username or email address')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Make a link' })).toBeTruthy()
  expect(screen.queryByText('Select a friend to start messaging')).toBeNull()
})

test('a person sees at once who follows the invitation, and reads the list again after missed events [PPL-07 R9]', async () => {
  openMessages()
  await friendRow(/^Ben Okafor/)
  emit('ready', { inbox: [ana.id] })
  const dan = { userId: 'd2x7r9kq3v', name: 'Dan Reed', acceptedAt: now.toISOString() }
  server.on(listAcceptances, [dan])
  emit('invitation.accepted', dan)
  expect(await screen.findByText('Waiting for your answer')).toBeTruthy()
  server.on(listAcceptances, [])
  emit('reset', {})
  await waitFor(() => expect(screen.queryByText('Waiting for your answer')).toBeNull())
})

test.each([
  ['when they become friends', () => emit('friend.added', { ...added, addedByFriendAt: null })],
  ['when a friendship ends', () => emit('friend.removed', { friendUserId: ben.id })],
  ['after missed events', () => emit('reset', {})],
])('the followed invitation of a person is read again %s [PPL-07 R9]', async (_when, happens) => {
  const { client } = openMessages()
  await friendRow(/^Ben Okafor/)
  connect()
  const key = [getInvitation.path, 'token']
  client.setQueryData(key, {})
  happens()
  await waitFor(() => expect(client.getQueryState(key)?.isInvalidated).toBe(true))
})

test.each([
  ['a visitor', null],
  ['a guest', guest],
])(
  '%s reads that there are no friends and can sign in; nothing is requested [MSG-28]',
  async (_who, user) => {
    openMessages({}, { user, at: `/messages?friend=${ben.id}` })
    expect(await screen.findByText('No friends yet')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeTruthy()
    expect(screen.queryByPlaceholderText('Write a message…')).toBeNull()
    expect(server.requests).toEqual([])
  },
)

test('a person selects a friend: the address names the friend, and the conversation is requested and opens at its newest message [MSG-13 MSG-27 PPL-11]', async () => {
  const scrolled = vi.mocked(Element.prototype.scrollIntoView)
  openMessages({
    messages: [aMessage({ content: 'Did you read it?' }), ofAna({ content: 'Twice.\nAloud.' })],
  })
  fireEvent.click(await friendRow(/^Ben Okafor/))
  await waitFor(() => expect(messages()).toEqual(['Ben Okafor: Did you read it?', 'You: Twice.\nAloud.']))
  expect(location.search).toBe(`?friend=${ben.id}`)
  expect(server.calls(listMessages).map(({ params, query }) => [params.friendId, query])).toEqual([
    [ben.id, { limit: '50' }],
  ])
  expect(scrolled).toHaveBeenCalled()
  act(() => history.back())
  expect(await screen.findByText('Select a friend to start messaging')).toBeTruthy()
})

test('messages stand below the day on which they were sent, with their time [MSG-13]', async () => {
  const at = (created_at: string) => aMessage({ created_at })
  openBen({
    messages: [
      at('2024-02-29T10:00:00.000Z'),
      at('2025-06-03T10:00:00.000Z'),
      at('2025-06-09T10:00:00.000Z'),
      at('2025-06-09T11:00:00.000Z'),
      at('2025-06-10T10:00:00.000Z'),
    ],
  })
  await waitFor(() => expect(messages()).toHaveLength(5))
  const days = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
  expect(days).toEqual(['Thursday, February 29, 2024', 'Tuesday, Jun 3', 'Yesterday', 'Today'])
  for (const item of messageItems()) expect(item.querySelector('time')!.textContent).toMatch(/\d:00/)
})

test('at midnight the messages of today become those of yesterday on an open page [MSG-13]', async () => {
  openBen({ messages: [aMessage()] })
  expect(await screen.findByRole('heading', { level: 3, name: 'Today' })).toBeTruthy()
  vi.setSystemTime(now.getTime() + 86_400_000)
  act(() => void vi.advanceTimersByTime(1000))
  expect(await screen.findByRole('heading', { level: 3, name: 'Yesterday' })).toBeTruthy()
})

test('a person scrolls up: earlier messages are loaded by the cursor, and those on the screen do not move [PPL-11]', async () => {
  const [first, second, third] = [aMessage(), aMessage(), aMessage()]
  server.onPages(listMessages, [[second, third], [first]])
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return new DOMRect(0, messageItems().indexOf(this as HTMLElement) * 100, 100, 0)
  })
  openBen()
  const earlier = await screen.findByRole('button', { name: 'Earlier messages' })
  expect(messages()).toHaveLength(2)
  see(earlier)
  await waitFor(() => expect(messages()).toHaveLength(3))
  expect(messages()[0]).toBe(`Ben Okafor: ${first.content}`)
  expect(server.calls(listMessages).at(-1)!.query).toEqual({ limit: '50', before: '2' })
  // The message that was the first is one message lower now.
  expect(vi.mocked(window.scrollBy).mock.calls).toEqual([[{ top: 100 }]])
  expect(screen.queryByRole('button', { name: 'Earlier messages' })).toBeNull()
})

test('an earlier page is an empty box of its height while it is far from the window, and is drawn again when the person comes back', async () => {
  const [first, second] = [aMessage(), aMessage()]
  server.onPages(listMessages, [[second], [first]])
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(900)
  openBen()
  see(await screen.findByRole('button', { name: 'Earlier messages' }))
  await waitFor(() => expect(server.calls(listMessages)).toHaveLength(2))
  const box = await waitFor(() => {
    const [earlier] = screen.getByRole('group', { name: 'The messages so far' }).children
    expect((earlier as HTMLElement).style.blockSize).toBe('900px')
    return earlier!
  })
  expect(messages()).toEqual([`Ben Okafor: ${second.content}`])
  see(box)
  await waitFor(() => expect(messages()[0]).toBe(`Ben Okafor: ${first.content}`))
  expect((box as HTMLElement).style.blockSize).toBe('')
})

test('an earlier page whose first message is deleted keeps its other messages as they are', async () => {
  const [first, second, third] = [aMessage(), aMessage(), aMessage()]
  server.onPages(listMessages, [[third], [first, second]])
  openBen()
  see(await screen.findByRole('button', { name: 'Earlier messages' }))
  await waitFor(() => expect(messages()).toHaveLength(3))
  connect()
  await waitFor(() => expect(server.calls(listMessages)).toHaveLength(3))
  const [, kept] = messageItems()
  emit('message.deleted', { id: first.id, friendUserId: ben.id })
  await waitFor(() => expect(messages()).toHaveLength(2))
  expect(messageItems()[0]).toBe(kept)
})

test('a person for whom earlier messages fail to load reads so, and loads them by the button [PPL-11]', async () => {
  server.onPages(listMessages, [[aMessage()], ({ fail }) => fail('Unavailable')])
  openBen()
  see(await screen.findByRole('button', { name: 'Earlier messages' }))
  expect(await screen.findByText('Earlier messages could not be loaded.')).toBeTruthy()
  server.onPages(listMessages, [[], [aMessage({ content: 'Long ago' })]])
  fireEvent.click(screen.getByRole('button', { name: 'Earlier messages' }))
  await waitFor(() => expect(messages()[0]).toBe('Ben Okafor: Long ago'))
})

test('a message that arrives is shown at once, and announced once to screen readers [MSG-27]', async () => {
  openBen({ messages: [aMessage()] })
  await waitFor(() => expect(messages()).toHaveLength(1))
  connect()
  await waitFor(() => expect(server.calls(listMessages)).toHaveLength(2))
  const message = aMessage({ content: 'Are you there?' })
  const log = screen.getByRole('log')
  for (let i = 0; i < 2; i++) emit('message', message)
  await waitFor(() => expect(messages()).toHaveLength(2))
  expect(within(log).getByText('Are you there?')).toBeTruthy()
})

test('a message that a friend deletes is gone at once, also when an older answer still has it [MSG-24 MSG-27]', async () => {
  const [first, second] = [aMessage(), aMessage()]
  openBen({ messages: [first, second] })
  await waitFor(() => expect(messages()).toHaveLength(2))
  connect()
  emit('message.deleted', { id: second.id, friendUserId: ben.id })
  await waitFor(() => expect(messages()).toEqual([`Ben Okafor: ${first.content}`]))
  emit('reset', {})
  await waitFor(() => expect(server.calls(listMessages).length).toBeGreaterThan(2))
  expect(messages()).toEqual([`Ben Okafor: ${first.content}`])
})

test('a message that is too long for the stream is requested [MSG-27]', async () => {
  const { stored } = openBen()
  await readyField()
  connect()
  stored.messages = [aMessage({ content: 'A very long one' })]
  const { id, sender_id, created_at } = stored.messages[0]!
  emit('message.long', { id, sender_id, created_at, friendUserId: ben.id })
  await waitFor(() => expect(messages()).toEqual(['Ben Okafor: A very long one']))
})

test('without a stream the messages are polled every half minute [MSG-27]', async () => {
  const { stored } = openBen()
  await readyField()
  stored.messages = [aMessage({ content: 'By poll' })]
  act(() => void vi.advanceTimersByTime(29_000))
  expect(messages()).toEqual([])
  act(() => void vi.advanceTimersByTime(1000))
  await waitFor(() => expect(messages()).toEqual(['Ben Okafor: By poll']))
})

test('a person can delete own messages only, is asked, and the message is gone after the answer [MSG-23 MSG-24 PERM-21]', async () => {
  const stored = [aMessage(), ofAna({ content: 'Too late' })]
  server.on(deleteMessage, { ok: true })
  openBen({ messages: stored })
  await waitFor(() => expect(messages()).toHaveLength(2))
  const [theirs, mine] = messageItems()
  expect(within(theirs!).queryByRole('button', { name: 'Delete' })).toBeNull()
  const ask = async (answer: string) => {
    fireEvent.click(within(mine!).getByRole('button', { name: 'Delete' }))
    const question = await screen.findByRole('alertdialog')
    expect(within(question).getByRole('heading').textContent).toBe(
      'Are you sure you want to delete this message?',
    )
    fireEvent.click(within(question).getByRole('button', { name: answer }))
  }
  await ask('Cancel')
  await act(async () => {})
  expect(server.calls(deleteMessage)).toEqual([])
  await ask('Delete')
  await waitFor(() => expect(messages()).toHaveLength(1))
  expect(server.calls(deleteMessage).map(({ params }) => params)).toEqual([{ id: stored[1]!.id }])
})

test('after a message with the focus is deleted, here or by the friend, the list of messages has the focus [MSG-23]', async () => {
  server.on(deleteMessage, { ok: true })
  const [theirs, mine, last] = [aMessage(), ofAna(), aMessage()]
  openBen({ messages: [theirs, mine, last] })
  await waitFor(() => expect(messages()).toHaveLength(3))
  connect()
  const list = screen.getByRole('group', { name: 'The messages so far' })
  screen.getByRole('button', { name: 'Delete' }).focus()
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  const question = await screen.findByRole('alertdialog')
  fireEvent.click(within(question).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(messages()).toHaveLength(2))
  expect(document.activeElement).toBe(list)
  screen.getAllByRole('button', { name: 'Report' })[0]!.focus()
  emit('message.deleted', { id: theirs.id, friendUserId: ben.id })
  await waitFor(() => expect(messages()).toHaveLength(1))
  expect(document.activeElement).toBe(list)
  const input = await readyField()
  input.focus()
  emit('message.deleted', { id: last.id, friendUserId: ben.id })
  await waitFor(() => expect(messages()).toEqual([]))
  expect(document.activeElement).toBe(input)
})

test('a person whose message cannot be deleted reads so, and the message stays [MSG-24]', async () => {
  server.refuse(deleteMessage, 'NotYourMessage')
  openBen({ messages: [ofAna()] })
  await waitFor(() => expect(messages()).toHaveLength(1))
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  const question = await screen.findByRole('alertdialog')
  fireEvent.click(within(question).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('The message could not be deleted. Please try again.')).toBeTruthy()
  expect(messages()).toHaveLength(1)
})

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

test('a person who signs out leaves no count in the title [PPL-09]', async () => {
  openMessages({ friends: [{ ...ben, unreadCount: 4 }] })
  await waitFor(() => expect(document.title).toBe('(4) Messages · Z!mmer'))
  cleanup()
  expect(document.title).toBe('Messages · Z!mmer')
})

test('a person who was added by somebody sees the new friend at once [MSG-12]', async () => {
  const { stored } = openMessages({ friends: [] })
  await screen.findByText('No friends yet')
  connect()
  stored.friends = [ben]
  emit('friend.added', { ...added, addedByFriendAt: null })
  expect(await friendRow(/^Ben Okafor/)).toBeTruthy()
})

test('a friend who removes the person disappears with the conversation that is open', async () => {
  const { stored } = openBen({ messages: [aMessage()] })
  await readyField()
  connect()
  stored.friends = [cleo]
  server.refuse(listMessages, 'FriendNotFound')
  emit('friend.removed', { friendUserId: ben.id })
  expect(await screen.findByText('This person is not among your friends.')).toBeTruthy()
  expect(messages()).toEqual([])
  expect(screen.queryByRole('button', { name: /^Ben Okafor/ })).toBeNull()
})

test('a friend whom the person blocks on another device disappears with the conversation, and is there again when unblocked [PPL-04]', async () => {
  const { stored } = openBen({ messages: [aMessage()] })
  await readyField()
  connect()
  stored.friends = [cleo]
  emit('friends.changed', {})
  expect(await screen.findByText('This person is not among your friends.')).toBeTruthy()
  expect(messages()).toEqual([])
  stored.friends = [ben, cleo]
  emit('friends.changed', {})
  expect(await friendRow(/^Ben Okafor/)).toBeTruthy()
  await waitFor(() => expect(messages()).toHaveLength(1))
})

test('a person who removes a friend has the focus on the title of the page; one who adds the first friend, on the name of that friend', async () => {
  const { stored } = openBen({ friends: [ben] })
  await readyField()
  server.on(removeFriend, () => {
    stored.friends = []
    return done
  })
  fireEvent.keyDown(screen.getByRole('button', { name: 'More about Ben Okafor' }), { key: 'Enter' })
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Remove Friend' }))
  const question = await screen.findByRole('alertdialog')
  fireEvent.click(within(question).getByRole('button', { name: 'Remove' }))
  const search = await screen.findByLabelText('Name, username or email address')
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: 'Messages' })),
  )
  server.on(searchPeople, [ben])
  server.on(addFriend, () => {
    stored.friends = [ben]
    return ben
  })
  fireEvent.change(search, { target: { value: 'ben' } })
  const add = await screen.findByRole('button', { name: /^Add Friend.*Ben Okafor/ })
  add.focus()
  fireEvent.click(add)
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2, name: 'Ben Okafor' })),
  )
})

test('the address of a stranger leads back to the friends [S6]', async () => {
  server.refuse(listMessages, 'FriendNotFound')
  openMessages({}, { at: '/messages?friend=zzzzzzzzzz' })
  expect(await screen.findByText('This person is not among your friends.')).toBeTruthy()
  expect(screen.getByRole('link', { name: '← Friends' }).getAttribute('href')).toBe('/messages')
})

test('a person for whom a conversation fails to load can try again [MSG-13]', async () => {
  server.refuse(listMessages, 'DiaryLocked', { error: '403' })
  openBen()
  expect(await screen.findByText('The messages could not be loaded.')).toBeTruthy()
  server.on(listMessages, [aMessage()])
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(messages()).toHaveLength(1))
  expect(await field()).toBeTruthy()
})

test('the inbox has one stream, with the topic of the person alone [MSG-27]', async () => {
  openBen()
  await readyField()
  expect(FakeSource.open.map(({ url }) => url)).toEqual([`/api/live?inbox=${ana.id}`])
})
