import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { markNotificationsSeen } from '#contract/inbox/endpoints.ts'

// In this file nobody has opened the bell yet.
vi.resetModules()
const { anApproval, away, bell, keep, list, onServer, open, openBell, settled, startNotifications } =
  await import('./testing.tsx')

const server = startNotifications()

test('a person who closes the bell while its list is fetched has seen nothing, and finds it by the next press [LOOP-23]', async () => {
  keep('post.approved', anApproval({ publishedAt: away(60) }))
  open('/diary')
  await settled()
  fireEvent.click(bell())
  expect([screen.queryByRole('dialog'), bell().getAttribute('aria-expanded')]).toEqual([null, 'true'])
  fireEvent.click(bell())
  await settled()
  expect(server.inputs(markNotificationsSeen)).toEqual([])
  expect(onServer.unseen).toHaveLength(1)
  expect(bell().getAttribute('aria-label')).toBe('Notifications, 1 new')
  expect(screen.queryByRole('dialog')).toBeNull()

  await openBell()
  expect(list().textContent).toContain('Your post is published')
})
