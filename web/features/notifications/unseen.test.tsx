import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { listNotifications, markNotificationsSeen } from '#contract/inbox/endpoints.ts'
import { ana } from '#web/testing/people.ts'
import { notificationsOf } from './notifications-of-device.ts'
import {
  acceptance,
  added,
  aDecision,
  aMessage,
  anApproval,
  aRoom,
  away,
  bell,
  emit,
  FakeNotification,
  keep,
  list,
  onServer,
  open,
  openBell,
  postId,
  readsAt,
  rows,
  settled,
  startNotifications,
  toast,
  visibility,
} from './testing.tsx'

const server = startNotifications()

test('an author whose post was approved while no device was there finds it in the list and counted, without a toast, and has seen it on all devices once the list is closed [LOOP-23]', async () => {
  keep('post.approved', anApproval({ publishedAt: away(60) }))
  open('/diary')
  await settled()
  expect([toast(), FakeNotification.shown, notificationsOf(ana.id)]).toEqual([null, [], []])
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 1 new')
  await openBell()
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
  await openBell()
  const shown = within(list())
    .getAllByRole('listitem')
    .map((row) => row.querySelector('time')!.previousElementSibling!.textContent)
  expect(shown).toEqual([
    'Ben Okafor',
    'Your post is hidden',
    ...Array.from({ length: 12 }, (_, i) => `Room ${20 + i}`),
  ])
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  await settled()
  expect(onServer.unseen).toEqual([])
  await openBell()
  expect(rows()).toHaveLength(1)
})

test('what a person has seen on another device counts here no more, and a message of the same friend still does [LOOP-23]', async () => {
  open('/diary')
  await emit('post.approved', anApproval())
  await emit('friend.added', added(away(1)))
  await emit('message', aMessage())
  await settled()
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 2 new')
  onServer.unseen = []
  await emit('notifications.seen', {})
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 1 new')
  await openBell()
  expect(rows()).toEqual([
    expect.stringMatching(/^Your post is published/),
    expect.stringMatching(/^New: Ben Okafor/),
  ])
})

test('what a person sees on another device while this one reads its list for the first time does not count here [LOOP-23 R8]', async () => {
  keep('post.approved', anApproval())
  const before = onServer.unseen
  const first = Promise.withResolvers<typeof before>()
  server.on(listNotifications, () => first.promise)
  open('/diary')
  await settled()
  onServer.unseen = []
  server.on(listNotifications, () => onServer.unseen)
  await emit('notifications.seen', {})
  first.resolve(before)
  await settled()
  expect(bell().getAttribute('aria-label')).toBe('Notifications')
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
  expect(onServer.unseen).toMatchObject([{ type: 'post.approved' }])
  visibility('hidden')
  await emit('invitation.accepted', acceptance('e7z4q9sn6g', 'Eva Poe'))
  await settled()
  expect(onServer.unseen).toMatchObject([{ type: 'invitation.accepted' }, { type: 'post.approved' }])
})

test('a person without a connection closes the list, and what the server could not be told is new again later [LOOP-23 NOTE-04]', async () => {
  server.disconnect(markNotificationsSeen)
  keep('post.approved', anApproval({ publishedAt: away(60) }))
  open('/diary')
  await settled()
  await openBell()
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  await settled()
  expect(bell().getAttribute('aria-label')).toBe('Notifications')
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 1 new')
  expect(console.error).toHaveBeenCalledWith('Failed to mark notifications as seen', expect.anything())
})

test('a person whose report was closed while no device was there reads the outcome in the list, and has seen it once the list is closed [LOOP-23]', async () => {
  keep('report.closed', { id: postId, kind: 'passage', outcome: 'removed', actions: [], closedAt: away(60) })
  open('/about')
  await settled()
  expect(screen.getByText('1')).toBeTruthy()
  await openBell()
  expect(rows()).toEqual([
    expect.stringMatching(/^New: Your report of a passage was answered.*What you reported was removed\.$/),
  ])
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  await settled()
  expect(server.inputs(markNotificationsSeen)).toEqual([{ ids: ['1'] }])
})
