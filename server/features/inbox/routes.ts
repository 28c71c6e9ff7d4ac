import { listNotifications, markNotificationsSeen } from '#contract/inbox/endpoints.ts'
import { type Notification, notificationsMax } from '#contract/inbox/notification.ts'
import { done } from '#contract/schemas.ts'
import type { Needs } from '#server/feature.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { readPositionCursor, sliceOf } from '#server/platform/http/answers/paging.ts'
import { people } from '#server/platform/http/endpoints/policy.ts'
import { loadContents } from './contents.ts'
import { notifyPeople } from './notify.ts'
import { listUnseenNotifications, markSeen } from './queries.ts'

export type Deps = Pick<Needs, 'events' | 'loaders'>

export function inboxRoutes({ events, loaders }: Deps): Route[] {
  return [
    handle(listNotifications, people, async (call) => {
      const { db, viewer, query } = call
      const limit = query.limit ?? notificationsMax
      const before = readPositionCursor(query.before)
      const found = await listUnseenNotifications(db, viewer.id, { limit: limit + 1, before })
      const slice = sliceOf(found, limit, ({ number }) => String(number))
      const { contents } = await loadContents({ database: db, loaders }, viewer.id, slice.rows.toReversed())
      return slice.with(
        contents
          .toReversed()
          .map(
            ({ number, name, content }) =>
              ({ id: String(number), type: name, data: content }) as Notification,
          ),
      )
    }),

    handle(markNotificationsSeen, people, { isRepeatable: true }, async (call) => {
      const { db, viewer, input } = call
      if (await markSeen(db, viewer.id, input.ids.map(Number))) {
        const seen = { personId: viewer.id, otherPersonId: null }
        await notifyPeople(call, events, 'notifications.seen', [seen])
      }
      return done
    }),
  ]
}
