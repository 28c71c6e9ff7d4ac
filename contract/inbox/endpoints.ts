import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Done, Page } from '#contract/schemas.ts'
import { Notification, NotificationId, notificationsMax } from './notification.ts'

/** What the person has not seen, newest first. What no longer exists is left out. */
export const listNotifications = endpoint({
  method: 'GET',
  path: '/api/notifications',
  query: Page(notificationsMax),
  output: z.array(Notification),
  errors: [],
})

/** Marks notifications as seen, on all devices of the person. Ids that are seen or unknown change nothing. */
export const markNotificationsSeen = endpoint({
  method: 'POST',
  path: '/api/notifications/seen',
  input: z.object({ ids: z.array(NotificationId).check(z.minLength(1), z.maxLength(notificationsMax)) }),
  output: Done,
  errors: [],
})
