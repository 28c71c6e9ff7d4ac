import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, vi } from 'vitest'
import { listFriends } from '#contract/friends/endpoints.ts'
import type { ListedFriend } from '#contract/friends/friend.ts'
import { listNotifications, markNotificationsSeen } from '#contract/inbox/endpoints.ts'
import { type InboxEvents, listedEvents } from '#contract/inbox/live.ts'
import type { Notification } from '#contract/inbox/notification.ts'
import type { LiveEventName, LiveEvents } from '#contract/live/events.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { done } from '#contract/schemas.ts'
import { FakeSource, fakeSources } from '#web/lib/live/testing.ts'
import { storeServerTime } from '#web/lib/server-clock.ts'
import { writeKey } from '#web/lib/session-keys.ts'
import { button, show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { noTurns } from '#web/testing/rooms.ts'
import { Bell } from './Bell.tsx'
import { useNotifier } from './use-notifier.ts'

// The page loads it when the bell is opened. Here it is loaded before the clock is stopped.
await import('./BellContent.tsx')

export const now = new Date('2025-06-10T12:00:00.000Z')
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
export const roomId = '01890000-0000-7000-8000-000000000001'
export const postId = '01890000-0000-7000-8000-000000000002'

/** The notifications on the desktop. */
export class FakeNotification extends EventTarget {
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

/** A test page whose server has Ben among the friends, and keeps notifications until Ana has seen them. */
export function startNotifications() {
  const server = startTestPage()
  beforeEach(() => {
    onServer.unseen = []
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
    server.on(listNotifications, () => onServer.unseen)
    server.on(markNotificationsSeen, ({ input }) => {
      onServer.unseen = onServer.unseen.filter(({ id }) => !input.ids.includes(id))
      return done
    })
  })
  return server
}

/** What the server keeps until the person has seen it, newest first. */
export const onServer: { unseen: Notification[] } = { unseen: [] }
export const keep = <Type extends Notification['type']>(type: Type, data: InboxEvents[Type]) => {
  const ids = onServer.unseen.map(({ id }) => Number(id))
  onServer.unseen = [{ id: String(Math.max(0, ...ids) + 1), type, data } as Notification, ...onServer.unseen]
}

function Page() {
  useNotifier(ana.id)
  return <Bell personId={ana.id} />
}

export function open(at = '/dashboard') {
  const page = show(<Page />, { at, user: ana })
  act(() => FakeSource.open.at(-1)!.send('ready', { inbox: [ana.id] }, 'a'))
  return page
}

let count = 0
export const emit = <Name extends LiveEventName>(name: Name, data: LiveEvents[Name]) =>
  act(async () => {
    const listed = listedEvents.find((each) => each === name)
    if (listed !== undefined) keep(listed, data as InboxEvents[typeof listed])
    FakeSource.open.at(-1)!.send(name, data, String(++count))
    await vi.advanceTimersByTimeAsync(50)
  })

export function aMessage(more: Partial<DirectMessage> = {}): DirectMessage {
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
export const aRoom = (more: Partial<InboxEvents['room.invited']> = {}): InboxEvents['room.invited'] => ({
  id: roomId,
  name: 'The long night',
  description: '',
  memberCount: 2,
  isActive: true,
  isPublic: false,
  duration: 30,
  ...noTurns,
  expiresAt: '2025-06-10T12:30:00.000Z',
  createdAt: now.toISOString(),
  isMember: true,
  createdByUserId: ben.id,
  ...more,
})
export const anApproval = (more: Partial<InboxEvents['post.approved']> = {}) => ({
  id: postId,
  beginning: '\nThe rain began at four.\nI counted umbrellas.',
  publishedAt: now.toISOString(),
  count: 1,
  ...more,
})

export const aDecision = (more: Partial<InboxEvents['post.hidden']> = {}): InboxEvents['post.hidden'] => ({
  id: postId,
  beginning: 'The rain began at four.\nI counted umbrellas.',
  status: 'published',
  hasReason: false,
  decidedAt: now.toISOString(),
  count: 1,
  ...more,
})

export const written = (writtenAt = now.toISOString()) => ({ roomId, roomName: 'The long night', writtenAt })

/** Waits for the answers of the server. */
export const settled = () => act(() => vi.advanceTimersByTimeAsync(50))
export const toast = () =>
  within(screen.getByRole('region', { name: 'Notifications (F8)' })).queryByRole('listitem')
export const toastText = () => toast()?.querySelector('div')?.textContent ?? null
export const bell = () => button(/^Notifications/)
export const openBell = async () => {
  fireEvent.click(bell())
  await settled()
}
export const list = () => screen.getByRole('dialog', { name: 'Notifications' })
export const rows = () =>
  within(list())
    .getAllByRole('listitem')
    .map((row) => row.textContent)
/** Without an event: over plain http, as in these tests, a page that is hidden closes its stream. */
export const visibility = (state: DocumentVisibilityState) =>
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
export const hide = () => visibility('hidden')
export const readsAt = (href: string) => act(() => history.pushState(null, '', href))

export const added = (addedByFriendAt: string | null) => ({
  ...ben,
  email: 'ben@example.org',
  addedByFriendAt,
})
export const acceptance = (userId: string, name: string) => ({ userId, name, acceptedAt: now.toISOString() })
export const away = (minute: number) => new Date(now.getTime() - minute * 60_000).toISOString()
