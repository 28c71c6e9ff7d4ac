import type { Feature } from '#server/feature.ts'
import { ifAvailable } from '#server/platform/database/unavailable.ts'
import { schedule } from '#server/platform/schedule.ts'
import { notificationEventLoaders } from './contents.ts'
import type { Inboxes } from './live.ts'
import { purgeNotifications } from './queries.ts'
import { type Deps, inboxRoutes } from './routes.ts'

export type { EventDetails, EventReference, InboxEventLoaders } from './event-types.ts'
export { addInboxTopics, type Inboxes } from './live.ts'
export { loadContents } from './contents.ts'
export { notifyPeople } from './notify.ts'
export {
  inboxEventCtes,
  lockInboxes,
  lockInboxesOf,
  removeEventsMentioning,
  type StoredEvent,
} from './queries.ts'
export {
  endWait,
  findPersonToTell,
  listEventsByNumber,
  listUntoldEvents,
  postponeTelling,
  type UntoldEvent,
} from './untold.ts'

export const feature = {
  inboxLoaders: () => notificationEventLoaders,
  purges: { notifications: ({ database }, signal) => purgeNotifications(database, signal) },
  start: (deps: Deps & { inboxes: Inboxes }) => ({
    routes: inboxRoutes(deps),
    serve: ({ app }) =>
      schedule(app, 'away notifications that a page made needless', 1000, () =>
        ifAvailable(deps.inboxes.endWaitOfReceived),
      ),
  }),
} satisfies Feature
