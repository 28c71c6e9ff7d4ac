import type { Feature, Needs } from '#server/feature.ts'
import { invitationEventLoaders } from './events.ts'
import { lockAcceptancesOf, purgeInvitations, removeAcceptancesBetween } from './queries.ts'
import { invitationRoutes } from './routes.ts'

export const feature = {
  // Foreign keys delete the links and acceptances of an account (S15).
  personalData: { remove: lockAcceptancesOf },
  inboxLoaders: () => invitationEventLoaders,
  purges: { invitations: ({ database }, signal) => purgeInvitations(database, signal) },
  start(deps: Pick<Needs, 'events'>) {
    deps.events.on('friendAdded', removeAcceptancesBetween)
    return { routes: invitationRoutes(deps) }
  },
} satisfies Feature
