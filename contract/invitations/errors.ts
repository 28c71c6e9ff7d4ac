import { openInvitationsMax } from './invitation.ts'

export const invitationErrors = {
  /** The same answer for every link that leads to nobody. */
  InvitationNotFound: { status: 404, error: 'This invitation is no longer open.' },
  OwnInvitation: { status: 400, error: 'This is your own invitation.' },
  TooManyInvitations: {
    status: 400,
    error: `You already have ${openInvitationsMax} open links. Withdraw one of them first.`,
  },
  TooManyAcceptances: {
    status: 400,
    error: 'Too many people have followed this invitation. Please try again later.',
  },
  AcceptanceNotFound: { status: 404, error: 'This person no longer waits for your answer.' },
} as const
