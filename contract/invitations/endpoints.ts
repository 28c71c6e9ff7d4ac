import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Friend } from '#contract/friends/friend.ts'
import {
  Acceptance,
  FollowedInvitation,
  Invitation,
  NewInvitation,
} from '#contract/invitations/invitation.ts'
import { AnyText, Done, Id, PersonId } from '#contract/schemas.ts'

/** Makes a link that is good for seven days. Only this answer contains its token. */
export const createInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations',
  output: NewInvitation,
  status: 201,
  errors: ['TooManyInvitations'],
})

/** The own open links, the newest first. */
export const listInvitations = endpoint({
  method: 'GET',
  path: '/api/invitations',
  output: z.array(Invitation),
  errors: [],
})

/** Withdraws an own link. People who have followed it before still wait for an answer. */
export const withdrawInvitation = endpoint({
  method: 'DELETE',
  path: '/api/invitations/:id',
  params: z.object({ id: Id }),
  output: Done,
  errors: ['InvitationNotFound'],
})

/** In the body, never in an address: logs and histories keep addresses. */
const token = z.object({ token: AnyText(100) })

/**
 * Who invites by a link. An unknown, expired or withdrawn link, and one of a deleted account or of somebody on the other
 * side of a block, get the same answer.
 */
export const getInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/lookups',
  input: token,
  output: FollowedInvitation,
  errors: ['InvitationNotFound'],
})

/** Says yes to the person who invites, who is then asked too. A repeated call changes nothing. */
export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/acceptances',
  input: token,
  output: FollowedInvitation,
  errors: ['InvitationNotFound', 'OwnInvitation', 'TooManyAcceptances'],
})

/** The people who followed an own link and wait for an answer, the newest first. */
export const listAcceptances = endpoint({
  method: 'GET',
  path: '/api/invitations/acceptances',
  output: z.array(Acceptance),
  errors: [],
})

const userId = z.object({ userId: PersonId })

/** Says yes to a person who followed an own link: both are friends. A repeated call changes nothing. */
export const confirmAcceptance = endpoint({
  method: 'POST',
  path: '/api/invitations/confirmations',
  input: userId,
  output: Friend,
  errors: ['AcceptanceNotFound', 'TooManyFriends'],
})

/** Says no. The person is not told, and cannot ask again by a link that was made before. */
export const declineAcceptance = endpoint({
  method: 'DELETE',
  path: '/api/invitations/acceptances/:userId',
  params: userId,
  output: Done,
  errors: ['AcceptanceNotFound'],
})
