import {
  acceptInvitation,
  confirmAcceptance,
  createInvitation,
  declineAcceptance,
  getInvitation,
  listAcceptances,
  listInvitations,
  withdrawInvitation,
} from '#contract/invitations/endpoints.ts'
import { type CallRow, everyone, people, peopleAdd, row, userAlone } from './row.ts'

export const invitationsCalls: readonly CallRow[] = [
  row(createInvitation, peopleAdd, ({ room }) => ({ input: { roomId: room } })),
  row(listInvitations, people),
  row(withdrawInvitation, userAlone, ({ invitation }) => ({ params: { id: invitation.id } })),
  row(getInvitation, { ...everyone, blocked: 404 }, ({ invitation }) => ({
    input: { token: invitation.token },
  })),
  row(acceptInvitation, { ...people, user: 400, blocked: 404 }, ({ invitation }) => ({
    input: { token: invitation.token },
  })),
  row(listAcceptances, people),
  row(confirmAcceptance, userAlone, ({ follower }) => ({ input: { userId: follower } })),
  row(declineAcceptance, userAlone, ({ follower }) => ({ params: { userId: follower } })),
]
