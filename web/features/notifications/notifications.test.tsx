import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { listFriends } from '#contract/friends/endpoints.ts'
import type { ListedFriend } from '#contract/friends/friend.ts'
import { listNotifications, markNotificationsSeen } from '#contract/inbox/endpoints.ts'
import { type InboxEvents, listedEvents } from '#contract/inbox/live.ts'
import type { Notification } from '#contract/inbox/notification.ts'
import type { LiveEventName, LiveEvents } from '#contract/live/events.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { done } from '#contract/schemas.ts'
import { FakeSource, fakeSources } from '#web/lib/live/testing.ts'
import { removeLocalCopies } from '#web/lib/local-copies.ts'
import { storeServerTime } from '#web/lib/server-clock.ts'
import { removeKey, writeKey } from '#web/lib/session-storage.ts'
import { button, press, show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { Bell } from './Bell.tsx'
import { notificationsOf } from './kept.ts'
import { useNotifier } from './use-notifier.ts'

const server = startTestPage()
const now = new Date('2025-06-10T12:00:00.000Z')
const ben: ListedFriend = {
  id: 'h3m9w5zt8v',
  username: 'ben',
  firstName: 'Ben',
  lastName: 'Okafor',
  email: null,
  unreadCount: 0,
  lastMessageAt: null,
}
const roomId = '01890000-0000-7000-8000-000000000001'
const postId = '01890000-0000-7000-8000-000000000002'

/** The notifications on the desktop. */
class FakeNotification extends EventTarget {
  static permission: NotificationPermission
  static answer: NotificationPermission
  static asked: number
  static shown: FakeNotification[]
  static requestPermission() {
    FakeNotification.asked++
    FakeNotification.permission = FakeNotification.answer
    return Promise.resolve(FakeNotification.answer)
  }
  readonly text: string
  readonly tag: string | undefined
  isClosed = false
  constructor(title: string, { body, tag }: NotificationOptions) {
    super()
    this.text = `${title}: ${body}`
    this.tag = tag
    if (tag !== undefined) FakeNotification.shown.push(this)
  }
  close() {
    this.isClosed = true
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], now })
  Object.assign(FakeNotification, { permission: 'granted', answer: 'granted', asked: 0, shown: [] })
  vi.stubGlobal('Notification', FakeNotification)
  vi.stubGlobal('isSecureContext', true)
  vi.spyOn(window, 'focus').mockImplementation(() => {})
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })
  fakeSources()
  writeKey('userId', ana.id)
  storeServerTime(now.toUTCString())
  server.on(listFriends, [ben])
  unseen = []
  server.on(listNotifications, () => unseen)
  server.on(markNotificationsSeen, ({ input }) => {
    unseen = unseen.filter(({ id }) => !input.ids.includes(id))
    return done
  })
})

/** What the server keeps until the person has seen it, newest first. */
let unseen: Notification[]
const keep = <Type extends Notification['type']>(type: Type, data: InboxEvents[Type]) => {
  const ids = unseen.map(({ id }) => Number(id))
  unseen = [{ id: String(Math.max(0, ...ids) + 1), type, data } as Notification, ...unseen]
}

function Page() {
  useNotifier(ana.id)
  return <Bell personId={ana.id} />
}

function open(at = '/dashboard') {
  const page = show(<Page />, { at, user: ana })
  act(() => FakeSource.open.at(-1)!.send('ready', { inbox: [ana.id] }, 'a'))
  return page
}

let count = 0
const emit = <Name extends LiveEventName>(name: Name, data: LiveEvents[Name]) =>
  act(async () => {
    const listed = listedEvents.find((each) => each === name)
    if (listed !== undefined) keep(listed, data as InboxEvents[typeof listed])
    FakeSource.open.at(-1)!.send(name, data, String(++count))
    await vi.advanceTimersByTimeAsync(50)
  })

function aMessage(more: Partial<DirectMessage> = {}): DirectMessage {
  count++
  return {
    id: `01900000-0000-7000-8000-${String(count).padStart(12, '0')}`,
    sender_id: ben.id,
    receiver_id: ana.id,
    content: 'A secret of mine',
    created_at: new Date(now.getTime() - 50_000 + count * 10).toISOString(),
    message_type: 'text',
    diary_date: null,
    ...more,
  }
}
const aRoom = (more: Partial<InboxEvents['room.invited']> = {}): InboxEvents['room.invited'] => ({
  id: roomId,
  name: 'The long night',
  description: '',
  memberCount: 2,
  isActive: true,
  isPublic: false,
  duration: 30,
  expiresAt: '2025-06-10T12:30:00.000Z',
  createdAt: now.toISOString(),
  isMember: true,
  createdByUserId: ben.id,
  ...more,
})
const anApproval = (more: Partial<InboxEvents['post.approved']> = {}) => ({
  id: postId,
  beginning: '\nThe rain began at four.\nI counted umbrellas.',
  publishedAt: now.toISOString(),
  count: 1,
  ...more,
})

const aDecision = (more: Partial<InboxEvents['post.hidden']> = {}): InboxEvents['post.hidden'] => ({
  id: postId,
  beginning: 'The rain began at four.\nI counted umbrellas.',
  status: 'published',
  hasReason: false,
  decidedAt: now.toISOString(),
  count: 1,
  ...more,
})

const written = (writtenAt = now.toISOString()) => ({ roomId, roomName: 'The long night', writtenAt })

/** Waits for the answers of the server. */
const settled = () => act(() => vi.advanceTimersByTimeAsync(50))
const toast = () => within(screen.getByRole('region', { name: 'Notifications (F8)' })).queryByRole('listitem')
const toastText = () => toast()?.querySelector('div')?.textContent ?? null
const bell = () => button(/^Notifications/)
const openBell = () => fireEvent.click(bell())
const list = () => screen.getByRole('dialog', { name: 'Notifications' })
const rows = () =>
  within(list())
    .getAllByRole('listitem')
    .map((row) => row.textContent)
/** Without an event: over plain http, as in these tests, a page that is hidden closes its stream. */
const hide = () => vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')

test.each<[NotificationPermission, number]>([
  ['default', 1],
  ['granted', 0],
  ['denied', 0],
])(
  'a browser with the permission %s is asked for it %d times at the start [NOTE-01 NOTE-02]',
  (permission, times) => {
    FakeNotification.permission = permission
    FakeNotification.answer = permission
    open()
    expect(FakeNotification.asked).toBe(times)
  },
)

test.each<[NotificationPermission, RegExp]>([
  ['default', /^Hear of what happens/],
  ['granted', /^While Z!mmer is out of sight, notifications appear/],
  ['denied', /^This browser blocks desktop notifications/],
])('a person with the permission %s reads in the list what it means [NOTE-01]', (permission, sentence) => {
  Object.assign(FakeNotification, { permission, answer: permission })
  open()
  openBell()
  expect(within(list()).getByText(sentence)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Turn on desktop notifications' }) !== null).toBe(
    permission === 'default',
  )
})

test('a person whose browser asks only after a press turns notifications on in the list [NOTE-01 NOTE-02]', async () => {
  Object.assign(FakeNotification, { permission: 'default', answer: 'default' })
  open()
  openBell()
  FakeNotification.answer = 'granted'
  await act(async () => press('Turn on desktop notifications'))
  expect(within(list()).getByText(/notifications appear on the desktop/)).toBeTruthy()
  expect(FakeNotification.asked).toBe(2)
})

const added = (addedByFriendAt: string | null) => ({ ...ben, email: 'ben@example.org', addedByFriendAt })
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
    'An admin has approved them.',
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
    openBell()
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

test('a person whose page is out of sight gets a desktop notification for 5 s and no toast, and a press on it leads there [NOTE-05 NOTE-11]', async () => {
  open(`/messages?friend=${ben.id}`)
  hide()
  await emit('message', aMessage())
  await emit('post.approved', anApproval())
  expect(FakeNotification.shown.map(({ text }) => text)).toEqual([
    'Ben Okafor: Sent you a message.',
    'Your post is published: The rain began at four.',
  ])
  expect(toast()).toBeNull()
  const [first, second] = FakeNotification.shown
  await act(() => vi.advanceTimersByTimeAsync(4800))
  expect(first!.isClosed).toBe(false)
  act(() => void second!.dispatchEvent(new Event('click')))
  expect(location.pathname).toBe(`/posts/${postId}`)
  expect(window.focus).toHaveBeenCalledOnce()
  await act(() => vi.advanceTimersByTimeAsync(200))
  expect(first!.isClosed).toBe(true)
})

test.each<NotificationPermission>(['default', 'denied'])(
  'a person with the permission %s gets no desktop notification, and finds what happened in the list [NOTE-01]',
  async (permission) => {
    Object.assign(FakeNotification, { permission, answer: permission })
    open()
    hide()
    await emit('message', aMessage())
    await act(() => vi.advanceTimersByTimeAsync(1000))
    expect(FakeNotification.shown).toEqual([])
    expect(bell().getAttribute('aria-label')).toBe('Notifications, 1 new')
  },
)

test('the list keeps the latest ten, newest first [NOTE-04]', async () => {
  open()
  const write = (minute: string, roomName: string) =>
    emit('room.written', { roomId: minute, roomName, writtenAt: `2025-06-10T11:${minute}:00.000Z` })
  for (let minute = 10; minute < 22; minute++) await write(String(minute), `Room ${minute}`)
  openBell()
  expect(rows().map((text) => /Room \d{2}/.exec(text ?? '')?.[0])).toEqual(
    Array.from({ length: 10 }, (_, i) => `Room ${21 - i}`),
  )
  // Older than all ten.
  await write('09', 'Late')
  expect(rows().join()).not.toContain('Late')
})

test('a friend who writes three times has one place in the list, and the same event notifies once [NOTE-04 NOTE-11]', async () => {
  open()
  hide()
  const last = aMessage({ created_at: '2025-06-10T11:59:59.000Z' })
  for (const message of [aMessage(), aMessage(), last, last]) await emit('message', message)
  expect(FakeNotification.shown).toHaveLength(3)
  expect(notificationsOf(ana.id)).toMatchObject([{ timestamp: '2025-06-10T11:59:59.000Z' }])
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

test('the bell counts what is new until the list was open, or the thing itself [NOTE-11]', async () => {
  open()
  await emit('message', aMessage())
  await emit('post.approved', anApproval())
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 2 new')
  act(() => history.pushState(null, '', `/messages?friend=${ben.id}`))
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 1 new')
  openBell()
  expect(rows()[0]).toMatch(/^New: Your post is published/)
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  await act(() => vi.advanceTimersByTimeAsync(50))
  expect(document.activeElement).toBe(bell())
  expect(bell().getAttribute('aria-label')).toBe('Notifications')
  openBell()
  expect(rows().join()).not.toContain('New: ')
})

test('a person without notifications reads what will appear in the list [NOTE-11]', () => {
  open()
  openBell()
  expect(list().textContent).toContain('Nothing new. Messages, passages in your rooms and approvals')
})

test('another tab of the browser shows the same list, and log-out removes it [NOTE-04 S48]', async () => {
  open()
  await emit('message', aMessage())
  const key = `notifications:${ana.id}`
  const stored = localStorage.getItem(key)!
  localStorage.removeItem(key)
  act(() => void dispatchEvent(new StorageEvent('storage', { key })))
  expect(bell().getAttribute('aria-label')).toBe('Notifications')
  localStorage.setItem(key, stored)
  act(() => void dispatchEvent(new StorageEvent('storage', { key })))
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 1 new')
  await act(() => removeLocalCopies(ana.id))
  expect(localStorage.getItem(key)).toBeNull()
})

test('a name that cannot be loaded leaves the notification with a plain title [NOTE-11]', async () => {
  server.disconnect(listFriends)
  open()
  await emit('message', aMessage())
  expect(toastText()).toBe('A friendSent you a message.')
})

const readsAt = (href: string) => act(() => history.pushState(null, '', href))
const visibility = (state: DocumentVisibilityState) =>
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
const acceptance = (userId: string, name: string) => ({ userId, name, acceptedAt: now.toISOString() })

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

test('a page without locks that is out of sight leaves an event to a visible tab, and fills the list where there is none [NOTE-11]', async () => {
  FakeNotification.permission = 'denied'
  open()
  visibility('hidden')
  await emit('message', aMessage())
  expect(notificationsOf(ana.id)).toEqual([])
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(notificationsOf(ana.id)).toMatchObject([{ isRead: false }])
  expect(toast()).toBeNull()
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

test('an author with two approvals of several posts finds both in the list [NOTE-04 NOTE-11]', async () => {
  open('/diary')
  await emit('post.approved', anApproval({ count: 3 }))
  await emit('post.approved', anApproval({ id: '01890000-0000-7000-8000-000000000003', count: 2 }))
  expect(notificationsOf(ana.id).map(({ title }) => title)).toEqual([
    '2 of your posts are published',
    '3 of your posts are published',
  ])
})

test.each([
  ['post.hidden', 'published', 'Your post is hidden', '2 of your posts are hidden'],
  ['post.hidden', 'pending', 'Your post was set aside', '2 of your posts were set aside'],
  ['post.shown', 'published', 'Your post is shown again', '2 of your posts are shown again'],
  ['post.shown', 'pending', 'Your post waits for review again', '2 of your posts wait for review again'],
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

test('a person who reads on another device finds the messages seen here, and those of a friend who is gone are removed [NOTE-11]', async () => {
  open()
  await emit('message', aMessage())
  await emit('messages.read', { friendUserId: ben.id, unreadCount: 1 })
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 1 new')
  await emit('messages.read', { friendUserId: ben.id, unreadCount: 0 })
  expect(bell().getAttribute('aria-label')).toBe('Notifications')
  await emit('friend.removed', { friendUserId: ben.id })
  expect(notificationsOf(ana.id)).toEqual([])
})

const away = (minute: number) => new Date(now.getTime() - minute * 60_000).toISOString()

test('an author whose post was approved while no device was there finds it in the list and counted, without a toast, and has seen it on all devices once the list is closed [LOOP-23]', async () => {
  keep('post.approved', anApproval({ publishedAt: away(60) }))
  open('/diary')
  await settled()
  expect([toast(), FakeNotification.shown, notificationsOf(ana.id)]).toEqual([null, [], []])
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 1 new')
  openBell()
  expect(rows()).toEqual([expect.stringMatching(/^New: Your post is published.*The rain began at four\.$/)])
  fireEvent.click(within(list()).getByRole('link'))
  expect(location.pathname).toBe(`/posts/${postId}`)
  await settled()
  expect(server.inputs(markNotificationsSeen)).toEqual([{ ids: ['1'] }])
  expect(bell().getAttribute('aria-label')).toBe('Notifications')
})

test('a person who was away sees each thing once, with the newest of what this device and the server know, and more than ten while they are new [NOTE-04 LOOP-23]', async () => {
  open('/diary')
  await emit('friend.added', added(away(30)))
  await emit('message', aMessage())
  for (let minute = 20; minute < 32; minute++)
    keep('room.invited', aRoom({ id: String(minute), name: `Room ${minute}`, createdAt: away(minute) }))
  keep('post.approved', anApproval({ publishedAt: away(5) }))
  keep('post.hidden', aDecision({ decidedAt: away(4) }))
  await emit('notifications.seen', {})
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 14 new')
  openBell()
  const shown = within(list())
    .getAllByRole('listitem')
    .map((row) => row.querySelector('.truncate')!.textContent)
  expect(shown).toEqual([
    'Ben Okafor',
    'Your post is hidden',
    ...Array.from({ length: 12 }, (_, i) => `Room ${20 + i}`),
  ])
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  await settled()
  expect(unseen).toEqual([])
  openBell()
  expect(rows()).toHaveLength(1)
})

test('what a person has seen on another device counts here no more, and a message of the same friend still does [LOOP-23]', async () => {
  open('/diary')
  await emit('post.approved', anApproval())
  await emit('friend.added', added(away(1)))
  await emit('message', aMessage())
  await settled()
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 2 new')
  unseen = []
  await emit('notifications.seen', {})
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 1 new')
  openBell()
  expect(rows()).toEqual([
    expect.stringMatching(/^Your post is published/),
    expect.stringMatching(/^New: Ben Okafor/),
  ])
})

test('a person has seen a notification once its page is open in a visible tab, but the feed shows no approval of several posts [LOOP-23]', async () => {
  keep('invitation.accepted', acceptance('c5x2n7qk4d', 'Cleo Ross'))
  keep('post.approved', anApproval({ count: 3 }))
  open('/dashboard')
  await settled()
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 2 new')
  readsAt('/messages')
  await settled()
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 1 new')
  await emit('invitation.accepted', acceptance('d6y3p8rm5f', 'Dan Moss'))
  await settled()
  expect(unseen).toMatchObject([{ type: 'post.approved' }])
  visibility('hidden')
  await emit('invitation.accepted', acceptance('e7z4q9sn6g', 'Eva Poe'))
  await settled()
  expect(unseen).toMatchObject([{ type: 'invitation.accepted' }, { type: 'post.approved' }])
})

test('a person without a connection closes the list, and what the server could not be told is new again later [LOOP-23 NOTE-04]', async () => {
  server.disconnect(markNotificationsSeen)
  keep('post.approved', anApproval({ publishedAt: away(60) }))
  open('/diary')
  await settled()
  openBell()
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  await settled()
  expect(bell().getAttribute('aria-label')).toBe('Notifications')
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 1 new')
  expect(console.error).toHaveBeenCalledWith('Failed to mark notifications as seen', expect.anything())
})

test('a device whose list was stored by an earlier version keeps it [NOTE-04]', () => {
  const stored = [
    { id: 'post 1', title: 'A', body: 'B', timestamp: away(1), href: '/posts/1', isRead: false },
  ]
  localStorage.setItem(`notifications:${ana.id}`, JSON.stringify(stored))
  expect(notificationsOf(ana.id)).toEqual([{ ...stored[0], isOnServer: false }])
})
