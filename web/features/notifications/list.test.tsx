import { act, fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { removeLocalCopies } from '#web/lib/local-copies.ts'
import { aRoom } from '#web/features/rooms/testing.tsx'
import { ana } from '#web/testing/people.ts'
import { notificationsOf } from './notifications-of-device.ts'
import {
  aMessage,
  anApproval,
  away,
  bell,
  ben,
  emit,
  FakeNotification,
  hide,
  list,
  open,
  onServer,
  openBell,
  postId,
  rows,
  startNotifications,
} from './testing.tsx'

startNotifications()

test('the list keeps the latest ten, newest first [NOTE-04]', async () => {
  open()
  const write = (minute: string, roomName: string) =>
    emit('room.written', { roomId: minute, roomName, writtenAt: `2025-06-10T11:${minute}:00.000Z` })
  for (let minute = 10; minute < 22; minute++) await write(String(minute), `Room ${minute}`)
  await openBell()
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

test('the bell counts what is new until the list was open, or the thing itself [NOTE-11]', async () => {
  open()
  await emit('message', aMessage())
  await emit('post.approved', anApproval())
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 2 new')
  act(() => history.pushState(null, '', `/messages?friend=${ben.id}`))
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 1 new')
  await openBell()
  expect(rows()[0]).toMatch(/^New: Your post is published/)
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  await act(() => vi.advanceTimersByTimeAsync(50))
  expect(document.activeElement).toBe(bell())
  expect(bell().getAttribute('aria-label')).toBe('Notifications')
  await openBell()
  expect(rows().join()).not.toContain('New: ')
})

test('a person without notifications reads what will appear in the list [NOTE-11]', async () => {
  open()
  await openBell()
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

test('an author with two approvals of several posts finds both in the list [NOTE-04 NOTE-11]', async () => {
  open('/diary')
  await emit('post.approved', anApproval({ count: 3 }))
  await emit('post.approved', anApproval({ id: '01890000-0000-7000-8000-000000000003', count: 2 }))
  expect(notificationsOf(ana.id).map(({ title }) => title)).toEqual([
    '2 of your posts are published',
    '3 of your posts are published',
  ])
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

test('a device whose list was stored by an earlier version keeps it [NOTE-04]', () => {
  const stored = [
    { id: 'post 1', title: 'A', body: 'B', timestamp: away(1), href: '/posts/1', isRead: false },
  ]
  localStorage.setItem(`notifications:${ana.id}`, JSON.stringify(stored))
  expect(notificationsOf(ana.id)).toEqual([{ ...stored[0], isOnServer: false, reason: null }])
})

test('an author reads in the list that an admin has erased a post and why, and the first line of the post is gone from it [INST-13 LOOP-23]', async () => {
  open('/diary')
  await emit('post.approved', anApproval())
  onServer.unseen = []
  await emit('post.erased', {
    id: postId,
    what: 'post',
    writtenAt: '2025-06-09T12:00:00.000Z',
    erasedAt: '2025-06-10T11:59:59.000Z',
    reason: 'It names a neighbour.\nPlease leave the name out.',
  })
  await openBell()
  expect(rows()).toEqual([expect.stringContaining('An admin has erased a text of yours')])
  expect(rows()[0]).toContain('A post of June 9, 2025 is gone for good.')
  expect(rows()[0]).toContain('It names a neighbour.\nPlease leave the name out.')
  expect(localStorage.getItem(`notifications:${ana.id}`)).not.toContain(anApproval().beginning)
})

test('a desktop notification of an erasure shows no reason: others may see the screen [INST-13]', async () => {
  open('/diary')
  hide()
  const room = aRoom({ name: 'The long night' })
  await emit('passage.erased', {
    id: postId,
    room,
    erasedAt: '2025-06-10T11:59:59.000Z',
    reason: 'It names a neighbour.',
  })
  expect(FakeNotification.shown.map(({ text }) => text)).toEqual([
    'An admin has erased a passage of yours: A mark stands in its place in “The long night”.',
  ])
})

test('the author of an erased aside, and who has reported it, read so in the list [TABLE-01]', async () => {
  open('/diary')
  const room = aRoom({ name: 'The mill' })
  await emit('aside.erased', { id: postId, room, erasedAt: '2025-06-10T11:59:58.000Z', reason: null })
  await emit('report.closed', {
    id: postId,
    kind: 'aside',
    outcome: 'removed',
    actions: ['erased'],
    closedAt: '2025-06-10T11:59:59.000Z',
  })
  await openBell()
  expect(rows()).toEqual([
    expect.stringMatching(
      /Your report of an aside was answered.*An admin or moderator has erased the aside\./,
    ),
    expect.stringMatching(/An admin has erased an aside of yours.*It is gone from the talk in “The mill”\./),
  ])
})

const warning = {
  id: postId,
  about: 'passage',
  text: 'Please leave neighbours out.\nThank you.',
  warnedAt: '2025-06-10T11:59:59.000Z',
} as const

test('a warned person reads in the list what the admin wrote, and what it is about [INST-15]', async () => {
  open('/diary')
  await emit('person.warned', warning)
  const warnedAt = '2025-06-10T12:00:00.000Z'
  const other = { id: '01900000-0000-7000-8000-000000000098', about: 'person', warnedAt } as const
  await emit('person.warned', { ...warning, ...other })
  await openBell()
  expect(rows()).toEqual([
    expect.stringMatching(/An admin or moderator has warned you.*It is about you\./),
    expect.stringMatching(/An admin or moderator has warned you.*It is about a passage of yours\./),
  ])
  expect(rows()[1]).toContain('Please leave neighbours out.\nThank you.')
})

test('a desktop notification of a warning shows no word of it: others may see the screen [INST-15]', async () => {
  open('/diary')
  hide()
  await emit('person.warned', warning)
  expect(FakeNotification.shown.map(({ text }) => text)).toEqual([
    'An admin or moderator has warned you: It is about a passage of yours.',
  ])
})
