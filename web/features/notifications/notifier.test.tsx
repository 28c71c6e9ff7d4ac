import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { listFriends } from '#contract/friends/endpoints.ts'
import type { ListedFriend } from '#contract/friends/friend.ts'
import { timeOfDay } from '#web/lib/locale.ts'
import { storeServerTime } from '#web/lib/server-clock.ts'
import { removeKey } from '#web/lib/session-keys.ts'
import { press } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { notificationsOf } from './notifications-of-device.ts'
import {
  acceptance,
  added,
  aDecision,
  aMessage,
  anApproval,
  aRoom,
  bell,
  ben,
  emit,
  FakeNotification,
  hide,
  list,
  now,
  open,
  openBell,
  postId,
  readsAt,
  roomId,
  rows,
  startNotifications,
  toast,
  toastText,
  written,
} from './testing.tsx'

const server = startNotifications()

const happenings: [string, () => Promise<void>, string, string, string, boolean][] = [
  [
    'a message',
    () => emit('message', aMessage()),
    'Ben Okafor',
    'Sent you a message.',
    `/messages?friend=${ben.id}`,
    false,
  ],
  [
    'a shared diary entry',
    () => emit('message', aMessage({ message_type: 'diary', diary_date: '2025-06-09' })),
    'Ben Okafor',
    'Shared a diary entry with you.',
    `/messages?friend=${ben.id}`,
    false,
  ],
  [
    'a long diary entry',
    () => {
      const { id, sender_id, created_at } = aMessage()
      return emit('message.long', { id, sender_id, created_at, friendUserId: ben.id })
    },
    'Ben Okafor',
    'Shared a diary entry with you.',
    `/messages?friend=${ben.id}`,
    false,
  ],
  [
    'a new friend',
    () => emit('friend.added', added(now.toISOString())),
    'Ben Okafor',
    'Added you as a friend.',
    `/messages?friend=${ben.id}`,
    true,
  ],
  [
    'a person who followed an own link',
    () =>
      emit('invitation.accepted', { userId: 'c5x2n7qk4d', name: 'Cleo Ross', acceptedAt: now.toISOString() }),
    'Cleo Ross',
    'Accepted your invitation and waits for your answer.',
    '/messages',
    true,
  ],
  [
    'an invitation',
    () => emit('room.invited', aRoom()),
    'The long night',
    'A friend has invited you to this room.',
    `/zimmers?view=rooms&room=${roomId}`,
    true,
  ],
  [
    'the own turn in a slow table',
    () =>
      emit('turn.reminder', {
        room: aRoom(),
        told: 'half',
        toldAt: now.toISOString(),
        endsAt: '2025-06-13T18:00:00.000Z',
      }),
    'It is still your turn in The long night',
    `You may write until ${timeOfDay('2025-06-13T18:00:00.000Z', { weekday: 'long', month: 'long', day: 'numeric' })}.`,
    `/zimmers?view=rooms&room=${roomId}`,
    true,
  ],
  [
    'new passages in a room',
    () => emit('room.written', written()),
    'The long night',
    'New passages in this room.',
    `/zimmers?view=rooms&room=${roomId}`,
    false,
  ],
  [
    'the approval of a post',
    () => emit('post.approved', anApproval()),
    'Your post is published',
    'The rain began at four.',
    `/posts/${postId}`,
    true,
  ],
  [
    'the approval of several posts',
    () => emit('post.approved', anApproval({ count: 3 })),
    '3 of your posts are published',
    'An admin or moderator has approved them.',
    '/dashboard',
    true,
  ],
]

test.each(happenings)(
  'a person elsewhere is notified of %s by a toast and in the list, and both lead there [NOTE-03 NOTE-11]',
  async (_what, happen, title, body, href, isAlsoOnServer) => {
    open('/diary')
    await happen()
    expect(toastText()).toBe(title + body)
    expect(FakeNotification.shown).toEqual([])
    expect(notificationsOf(ana.id)).toEqual([
      {
        id: expect.any(String),
        title,
        reason: null,
        body,
        timestamp: expect.stringMatching(/^2025-06-10T/),
        href,
        isRead: false,
        isOnServer: isAlsoOnServer,
      },
    ])
    press('Open')
    expect(location.pathname + location.search).toBe(href)
    act(() => history.pushState(null, '', '/diary'))
    await openBell()
    expect(rows()).toEqual([expect.stringContaining(title)])
    fireEvent.click(within(list()).getByRole('link'))
    expect(location.pathname + location.search).toBe(href)
    expect(screen.queryByRole('dialog')).toBeNull()
  },
)

test('no notification contains what a friend has written [NOTE-11]', async () => {
  open('/diary')
  hide()
  await emit('message', aMessage())
  expect(
    document.body.textContent + JSON.stringify(notificationsOf(ana.id)) + FakeNotification.shown[0]!.text,
  ).not.toContain('secret')
})

test('a person is not notified of an own message, nor of a friend whom they added themselves [NOTE-11]', async () => {
  open()
  await emit('message', aMessage({ sender_id: ana.id, receiver_id: ben.id }))
  await emit('friend.added', added(null))
  expect([toast(), notificationsOf(ana.id)]).toEqual([null, []])
})

test('a person who has the conversation open is not notified of its messages, and of those of others they are [NOTE-11]', async () => {
  open(`/messages?friend=${ben.id}`)
  await emit('message', aMessage())
  expect([toast(), notificationsOf(ana.id)]).toEqual([null, []])
  await emit('message', aMessage({ sender_id: 'c5x2n7qk4d' }))
  expect(toastText()).toBe('A friendSent you a message.')
})

test('a member is told of new passages once until they have seen the room, and the list has the time of the newest [NOTE-11]', async () => {
  open()
  hide()
  for (const second of [56, 57, 58]) await emit('room.written', written(`2025-06-10T11:59:${second}.000Z`))
  expect(FakeNotification.shown).toHaveLength(1)
  expect(notificationsOf(ana.id)).toMatchObject([{ timestamp: '2025-06-10T11:59:58.000Z', isRead: false }])
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
  act(() => history.pushState(null, '', `/zimmers?view=rooms&room=${roomId}`))
  await emit('room.written', written('2025-06-10T11:59:59.000Z'))
  act(() => history.pushState(null, '', '/diary'))
  hide()
  await emit('room.written', written())
  expect(FakeNotification.shown).toHaveLength(2)
})

test('a name that cannot be loaded leaves the notification with a plain title [NOTE-11]', async () => {
  server.disconnect(listFriends)
  open()
  await emit('message', aMessage())
  expect(toastText()).toBe('A friendSent you a message.')
})

test('a person whose clock is 20 minutes fast is added by a friend, and is notified of the message that follows [NOTE-11]', async () => {
  vi.setSystemTime(now.getTime() + 20 * 60_000)
  storeServerTime(now.toUTCString())
  open()
  await emit('friend.added', added(new Date(now.getTime() - 2000).toISOString()))
  hide()
  await emit('message', aMessage({ created_at: now.toISOString() }))
  expect(FakeNotification.shown.map(({ text }) => text)).toEqual(['Ben Okafor: Sent you a message.'])
  expect(notificationsOf(ana.id)).toMatchObject([{ timestamp: now.toISOString() }])
})

test('a person in a conversation is notified of two people who followed an own link, and sees both when the list of friends is open [NOTE-11]', async () => {
  open(`/messages?friend=${ben.id}`)
  await emit('invitation.accepted', acceptance('c5x2n7qk4d', 'Cleo Ross'))
  await emit('invitation.accepted', acceptance('d6y3p8rm5f', 'Dan Moss'))
  expect(notificationsOf(ana.id).map(({ title }) => title)).toEqual(['Dan Moss', 'Cleo Ross'])
  readsAt(`/messages?friend=${ben.id}&any=more`)
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 2 new')
  readsAt('/messages')
  expect(bell().getAttribute('aria-label')).toBe('Notifications')
})

test.each([
  ['post.hidden', 'published', 'Your post is hidden', '2 of your posts are hidden'],
  ['post.hidden', 'pending', 'Your post was set aside', '2 of your posts were set aside'],
  ['post.shown', 'published', 'Your post is shown again', '2 of your posts are shown again'],
  ['post.shown', 'pending', 'Your post waits for review', '2 of your posts wait for review'],
] as const)(
  'an author reads what %s means for posts that are %s, and goes to the own posts in the settings [NOTE-11 ADM-18]',
  async (event, status, one, many) => {
    open('/diary')
    const decidedAt = (second: number) => new Date(now.getTime() + second * 1000).toISOString()
    await emit(event, aDecision({ status, hasReason: true, decidedAt: decidedAt(-2) }))
    await emit(event, aDecision({ id: roomId, status, count: 2, hasReason: true, decidedAt: decidedAt(-1) }))
    await emit(event, aDecision({ id: ben.id, status, count: 2, decidedAt: decidedAt(0) }))
    const href = '/settings#your-posts'
    expect(notificationsOf(ana.id)).toMatchObject([
      { title: many, body: 'You see them in your settings.', href },
      { title: many, body: 'The reason is in your settings.', href },
      { title: one, body: 'The rain began at four.', href },
    ])
  },
)

test('a person whose computer has slept finds older events in the list, and only those of the last minute are shown [NOTE-11]', async () => {
  open()
  hide()
  await emit('message', aMessage({ created_at: '2025-06-10T11:58:00.000Z' }))
  expect([FakeNotification.shown, notificationsOf(ana.id).length]).toEqual([[], 1])
  await emit('message', aMessage({ created_at: '2025-06-10T11:59:30.000Z' }))
  await emit('message', aMessage({ created_at: '2025-06-10T11:59:40.000Z' }))
  expect(FakeNotification.shown.map(({ tag }) => tag)).toEqual([`friend ${ben.id}`, `friend ${ben.id}`])
})

test('a person who signs out in another tab while a name is loaded leaves no notification on the device [S48]', async () => {
  const answer = Promise.withResolvers<ListedFriend[]>()
  server.on(listFriends, () => answer.promise)
  open()
  await emit('message', aMessage())
  removeKey('userId')
  answer.resolve([ben])
  await act(() => vi.advanceTimersByTimeAsync(50))
  expect([toast(), localStorage.getItem(`notifications:${ana.id}`)]).toEqual([null, null])
})

test('a member who has read a passage in the room is not notified of the same passage elsewhere [NOTE-11]', async () => {
  open(`/zimmers?view=rooms&room=${roomId}`)
  await emit('room.written', written())
  readsAt('/dashboard')
  await emit('room.written', written())
  expect([toast(), bell().getAttribute('aria-label')]).toEqual([null, 'Notifications'])
})
