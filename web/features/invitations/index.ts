export { useInvitationsCache } from './api.ts'
export { InvitedBy } from './InvitedBy.tsx'
export { InvitationLinks } from './InvitationLinks.tsx'
export { WaitingPeople } from './WaitingPeople.tsx'
