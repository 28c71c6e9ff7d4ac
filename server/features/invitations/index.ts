export { invitationEventLoaders } from './events.ts'
export { invitationPersonalData } from './personal-data.ts'
export { purgeInvitations, removeAcceptancesBetween } from './queries.ts'
export { invitationRoutes } from './routes.ts'
