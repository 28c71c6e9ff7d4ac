import { act, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { press } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { notificationsOf } from './notifications-of-device.ts'
import {
  aMessage,
  anApproval,
  bell,
  ben,
  emit,
  FakeNotification,
  hide,
  list,
  open,
  openBell,
  postId,
  startNotifications,
  toast,
  visibility,
} from './testing.tsx'

startNotifications()

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
])(
  'a person with the permission %s reads in the list what it means [NOTE-01]',
  async (permission, sentence) => {
    Object.assign(FakeNotification, { permission, answer: permission })
    open()
    await openBell()
    expect(within(list()).getByText(sentence)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Turn on desktop notifications' }) !== null).toBe(
      permission === 'default',
    )
  },
)

test('a person whose browser asks only after a press turns notifications on in the list [NOTE-01 NOTE-02]', async () => {
  Object.assign(FakeNotification, { permission: 'default', answer: 'default' })
  open()
  await openBell()
  FakeNotification.answer = 'granted'
  await act(async () => press('Turn on desktop notifications'))
  expect(within(list()).getByText(/notifications appear on the desktop/)).toBeTruthy()
  expect(FakeNotification.asked).toBe(2)
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
