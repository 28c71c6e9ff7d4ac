export { type InboxEventLoaders, notificationEventLoaders } from './contents.ts'
export { addInboxTopics, type Inboxes, type InboxNotifier } from './live.ts'
export {
  addInboxEvents,
  inboxEventCtes,
  lockInboxes,
  purgeNotifications,
  removeEventsThatName,
} from './queries.ts'
export { inboxRoutes } from './routes.ts'
