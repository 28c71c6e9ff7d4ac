export { useInvitationsCache } from './cache.ts'
export { InvitedBy } from './InvitedBy.tsx'
export { InvitationLinks } from './InvitationLinks.tsx'
export { WaitingPeople } from './WaitingPeople.tsx'
