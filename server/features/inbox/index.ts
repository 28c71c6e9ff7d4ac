import type { Feature } from '#server/feature.ts'
import { notificationEventLoaders } from './contents.ts'
import { purgeNotifications } from './queries.ts'
import { type Deps, inboxRoutes } from './routes.ts'

export type { EventDetails, InboxEventLoaders } from './event-types.ts'
export { addInboxTopics, type Inboxes } from './live.ts'
export { notifyPeople } from './notify.ts'
export { inboxEventCtes, lockInboxes, lockInboxesOf, removeEventsMentioning } from './queries.ts'

export const feature = {
  inboxLoaders: () => notificationEventLoaders,
  purges: { notifications: ({ database }, signal) => purgeNotifications(database, signal) },
  start: (deps: Deps) => ({ routes: inboxRoutes(deps) }),
} satisfies Feature
