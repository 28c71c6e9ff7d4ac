import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Done, Page } from '#contract/schemas.ts'
import { Notification, NotificationId, notificationsMax } from './notification.ts'

export const listNotifications = endpoint({
  summary: 'Lists the notifications that the person has not seen, newest first.',
  description: 'What no longer exists is left out.',
  method: 'GET',
  path: '/api/notifications',
  query: Page(notificationsMax),
  output: z.array(Notification),
})

export const markNotificationsSeen = endpoint({
  summary: 'Marks notifications as seen, on all devices of the person.',
  description: 'Ids that are seen or unknown change nothing.',
  method: 'POST',
  path: '/api/notifications/seen',
  input: z.object({ ids: z.array(NotificationId).check(z.minLength(1), z.maxLength(notificationsMax)) }),
  output: Done,
})
