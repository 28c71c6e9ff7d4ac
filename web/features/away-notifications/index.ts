export { AwayNotificationsPart } from './away-notifications-part.tsx'
export { tellingSentence } from './telling-sentence.ts'
