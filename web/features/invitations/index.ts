export { useInvitationsCache } from './api.ts'
export { InvitationLinks } from './InvitationLinks.tsx'
export { WaitingPeople } from './WaitingPeople.tsx'
