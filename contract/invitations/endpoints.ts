import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import {
  Acceptance,
  ConfirmedFriend,
  FollowedInvitation,
  Invitation,
  NewInvitation,
} from '#contract/invitations/invitation.ts'
import { AnyText, Done, Id, PersonId } from '#contract/schemas.ts'

export const createInvitation = endpoint({
  summary: 'Makes an invitation link that is good for seven days.',
  description:
    'Only this answer contains the token of the link. With `roomId` the link leads into that room: a public one, or a private one that the caller has made, whose member the friend becomes.',
  method: 'POST',
  path: '/api/invitations',
  /** A call without a body makes a link that leads into no room. */
  input: z.nullish(z.object({ roomId: z.optional(Id) })),
  output: NewInvitation,
  status: 201,
  errors: ['TooManyInvitations', 'RoomNotFound'],
})

export const listInvitations = endpoint({
  summary: 'Lists the open invitation links of the caller, the newest first.',
  method: 'GET',
  path: '/api/invitations',
  output: z.array(Invitation),
})

export const withdrawInvitation = endpoint({
  summary: 'Withdraws an invitation link of the caller.',
  description: 'People who have followed it before still wait for an answer.',
  method: 'DELETE',
  path: '/api/invitations/:id',
  params: z.object({ id: Id }),
  output: Done,
  errors: ['InvitationNotFound'],
})

/** In the body, never in an address: logs and histories keep addresses. */
const token = z.object({ token: AnyText(100) })

export const getInvitation = endpoint({
  summary: 'Answers who invites by a link.',
  description:
    'An unknown, expired or withdrawn link, and one of a deleted account or of somebody on the other side of a block, get the same answer.',
  method: 'POST',
  path: '/api/invitations/lookups',
  input: token,
  output: FollowedInvitation,
  errors: ['InvitationNotFound'],
})

export const acceptInvitation = endpoint({
  summary: 'Says yes to the person who invites, who is then asked too.',
  description: 'A repeated call changes nothing.',
  method: 'POST',
  path: '/api/invitations/acceptances',
  input: token,
  output: FollowedInvitation,
  errors: ['InvitationNotFound', 'OwnInvitation', 'TooManyAcceptances'],
})

export const listAcceptances = endpoint({
  summary: 'Lists the people who followed a link of the caller and wait for an answer, the newest first.',
  method: 'GET',
  path: '/api/invitations/acceptances',
  output: z.array(Acceptance),
})

const userId = z.object({ userId: PersonId })

export const confirmAcceptance = endpoint({
  summary: 'Says yes to a person who followed a link of the caller: both are friends.',
  description: 'A repeated call changes nothing.',
  method: 'POST',
  path: '/api/invitations/confirmations',
  input: userId,
  output: ConfirmedFriend,
  errors: ['AcceptanceNotFound', 'TooManyFriends'],
})

export const declineAcceptance = endpoint({
  summary: 'Says no to a person who followed a link of the caller.',
  description: 'The person is not told, and cannot ask again by a link that was made before.',
  method: 'DELETE',
  path: '/api/invitations/acceptances/:userId',
  params: userId,
  output: Done,
  errors: ['AcceptanceNotFound'],
})
