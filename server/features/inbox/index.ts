export { addInboxTopics, type Inboxes, type InboxNotifier, type InboxEventLoaders } from './live.ts'
export { addInboxEvents, inboxEventCtes, lockInboxes, removeEventsThatName } from './queries.ts'
