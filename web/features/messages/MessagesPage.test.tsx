import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { addFriend, listFriends, removeFriend, searchPeople } from '#contract/friends/endpoints.ts'
import { getInvitation, listAcceptances } from '#contract/invitations/endpoints.ts'
import { listMessages } from '#contract/messages/endpoints.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { done } from '#contract/schemas.ts'
import { FakeSource } from '#web/lib/live/testing.ts'
import { ana, guest } from '#web/testing/people.ts'
import {
  added,
  aMessage,
  ben,
  cleo,
  connect,
  emit,
  friendRow,
  messages,
  now,
  ofAna,
  readyField,
  startMessagesPage,
} from './testing.tsx'

const { server, openMessages, openBen } = startMessagesPage()

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

test('friends that could not be refreshed while the server was gone are refreshed when the stream resumes [MSG-27 SHELL-91]', async () => {
  openMessages()
  await friendRow(/^Ben Okafor/)
  connect()
  server.refuse(listFriends, 'Unexpected', { error: '404' })
  emit('friends.changed', {})
  expect(await screen.findByText('Your friends could not be refreshed.')).toBeTruthy()
  act(() => FakeSource.open.at(-1)!.fail('lost'))
  server.on(listFriends, [ben])
  connect()
  await waitFor(() => expect(screen.queryByText('Your friends could not be refreshed.')).toBeNull())
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

test('a person whose pointer or focus rests on a friend waits for no messages: they are read before the press, and once', async () => {
  openMessages({ messages: [aMessage({ content: 'Did you read it?' })] })
  fireEvent.pointerOver(await friendRow(/^Cleo Ross/))
  fireEvent.pointerOver(await friendRow(/^Ben Okafor/))
  await vi.waitFor(() => expect(server.calls(listMessages)).toHaveLength(1))
  await act(async () => {})
  fireEvent.click(await friendRow(/^Ben Okafor/))
  await waitFor(() => expect(messages()).toEqual(['Ben Okafor: Did you read it?']))
  expect(server.calls(listMessages).map(({ params }) => params.friendId)).toEqual([ben.id])
})

test('a person who opens a conversation right after a message of it sees the message before too, whose event was missed [MSG-27 R9]', async () => {
  const [first, missed, newest] = ['First', 'Missed', 'Newest'].map((content) => aMessage({ content })) as [
    DirectMessage,
    DirectMessage,
    DirectMessage,
  ]
  const { stored } = openBen({ messages: [first] })
  await waitFor(() => expect(messages()).toEqual(['Ben Okafor: First']))
  connect()
  fireEvent.click(await friendRow(/^Cleo Ross/))
  await waitFor(() => expect(messages()).toEqual(['Cleo Ross: First']))
  stored.messages = [first, missed, newest]
  emit('reset', {})
  emit('message', newest)
  fireEvent.click(await friendRow(/^Ben Okafor/))
  await waitFor(() =>
    expect(messages()).toEqual(['Ben Okafor: First', 'Ben Okafor: Missed', 'Ben Okafor: Newest']),
  )
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

test('the inbox has one stream, with the topic of the person alone [MSG-27]', async () => {
  openBen()
  await readyField()
  expect(FakeSource.open.map(({ url }) => url)).toEqual([`/api/live?inbox=${ana.id}`])
})
