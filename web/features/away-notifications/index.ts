export { AwayNotificationsPart } from './away-notifications-part.tsx'
