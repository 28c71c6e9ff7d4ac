import 'fake-indexeddb/auto'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, vi } from 'vitest'
import { Route } from 'wouter'
import type { User } from '#contract/account/user.ts'
import { listFriends } from '#contract/friends/endpoints.ts'
import type { ListedFriend } from '#contract/friends/friend.ts'
import { listAcceptances, listInvitations } from '#contract/invitations/endpoints.ts'
import type { LiveEventName, LiveEvents } from '#contract/live/events.ts'
import { countUnread, listMessages, markRead, sendMessage } from '#contract/messages/endpoints.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { FakeSource, fakeSources } from '#web/lib/live/testing.ts'
import { fakeObservers } from '#web/testing/fake-observer.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { Inbox } from './Inbox.tsx'
import { MessagesPage } from './MessagesPage.tsx'

export const ben: ListedFriend = {
  id: 'h3m9w5zt8v',
  username: 'ben',
  firstName: 'Ben',
  lastName: 'Okafor',
  email: null,
  unreadCount: 0,
  lastMessageAt: null,
  lastMessage: null,
}
export const cleo: ListedFriend = {
  ...ben,
  id: 'c5x2n7qk4d',
  username: 'cleo',
  firstName: 'Cleo',
  lastName: 'Ross',
}

const { unreadCount: _count, lastMessageAt: _at, lastMessage: _last, ...friend } = ben
/** Ben, as the event of a new friendship has him. */
export const added = friend

export const now = new Date('2025-06-10T12:00:00.000Z')
let count = 0

/** A message of Ben to Ana, a second later than the one before. */
export function aMessage(more: Partial<DirectMessage> = {}): DirectMessage {
  count++
  return {
    id: `01900000-0000-7000-8000-${String(count).padStart(12, '0')}`,
    sender_id: ben.id,
    receiver_id: ana.id,
    content: `Message ${count}`,
    created_at: new Date(now.getTime() - 3_600_000 + count * 1000).toISOString(),
    message_type: 'text',
    diary_date: null,
    ...more,
  }
}
export const ofAna = (more: Partial<DirectMessage> = {}) =>
  aMessage({ sender_id: ana.id, receiver_id: ben.id, ...more })

interface Stored {
  friends: ListedFriend[]
  messages: DirectMessage[]
}

/** A test page with a server that has Ana's friends and the messages with one of them. */
export function startMessagesPage() {
  const server = startTestPage()
  let stored: Stored
  beforeEach(() => {
    stored = { friends: [ben, cleo], messages: [] }
    fakeObservers()
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => {})
    vi.spyOn(window, 'scrollBy').mockImplementation(() => {})
    fakeSources()
    Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now })
    server.on(listFriends, () => stored.friends)
    server.on(listAcceptances, [])
    server.on(listInvitations, [])
    server.on(listMessages, () => stored.messages)
    server.on(countUnread, () => ({
      unreadCount: stored.friends.reduce((sum, { unreadCount }) => sum + unreadCount, 0),
    }))
    server.on(markRead, ({ input }) => {
      stored.friends = stored.friends.map((friend) =>
        friend.id === input.friendUserId ? { ...friend, unreadCount: 0 } : friend,
      )
      return { unreadCount: 0 }
    })
    server.on(sendMessage, ({ input }) => {
      const { content = '', messageType, diaryDate = null } = input
      const sent = ofAna({ content, message_type: messageType, diary_date: diaryDate })
      stored.messages = [...stored.messages, sent]
      return sent
    })
  })

  /** Opens the page of messages. A test may change `stored`, which the server answers, later. */
  function openMessages(
    more: Partial<Stored> = {},
    { at = '/messages', user = ana }: { at?: string; user?: User | null } = {},
  ) {
    Object.assign(stored, more)
    const page = (
      <>
        <Inbox personId={ana.id} />
        <Route path="/messages" component={MessagesPage} />
      </>
    )
    return {
      ...show(user?.id === ana.id && !user.isAnonymous ? page : <MessagesPage />, { at, user }),
      stored,
    }
  }
  return {
    server,
    openMessages,
    openBen: (more: Partial<Stored> = {}) => openMessages(more, { at: `/messages?friend=${ben.id}` }),
  }
}

/** Sends an event over the stream. */
export const emit = <Name extends LiveEventName>(name: Name, data: LiveEvents[Name]) =>
  act(() => FakeSource.open.at(-1)!.send(name, data, String(++count)))

export const field = () => screen.findByPlaceholderText<HTMLTextAreaElement>('Write a message…')

/** The field, once the draft is loaded. */
export async function readyField() {
  const input = await field()
  await waitFor(() => expect(input.readOnly).toBe(false))
  return input
}

export async function type(text: string) {
  const input = await readyField()
  fireEvent.change(input, { target: { value: text } })
  return input
}

export const messageItems = () => [...document.querySelectorAll<HTMLElement>('[data-message]')]

/** Each shown message with the name of its sender, as a screen reader reads it. */
export const messages = () => messageItems().map((item) => item.querySelector('div')!.textContent)

export const friendRow = (name: RegExp) => screen.findByRole('button', { name })
export const connect = () => emit('ready', { inbox: [ana.id] })
