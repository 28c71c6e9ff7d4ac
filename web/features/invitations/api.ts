import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listFriends } from '#contract/friends/endpoints.ts'
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
import type { FollowedInvitation } from '#contract/invitations/invitation.ts'
import { nullIfOver } from '#web/lib/address-token.ts'
import { readStateOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { send } from '#web/lib/request.ts'

/** The own open links. */
export const useInvitations = () => useEndpoint(listInvitations, { staleTime: 0 })
/** Not retried: no answer with a token is stored, so that a retry makes another link. */
export const useCreateInvitation = () =>
  useAction(createInvitation, {
    refreshes: [listInvitations],
    retries: false,
    failure: 'Failed to create an invitation',
  })
export const useWithdrawInvitation = () =>
  useAction(withdrawInvitation, {
    failure: 'Failed to withdraw an invitation',
    // Withdrawn on another device, or expired.
    doneBy: 'InvitationNotFound',
  })

/** The invitation of a link that the person has followed; null when the link is over. */
export function useFollowedInvitation(token: string) {
  const query = useQuery({
    queryKey: followedKey(token),
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<FollowedInvitation | null> =>
      send(getInvitation, { input: { token }, signal }).catch(nullIfOver),
    staleTime: 0,
    meta: { failure: 'Failed to load an invitation' },
  })
  return readStateOf(query)
}

const followedKey = (token: string) => [getInvitation.path, token]

export function useAcceptInvitation(token: string) {
  const client = useQueryClient()
  return useAction(acceptInvitation, {
    failure: 'Failed to accept an invitation',
    onSuccess: (followed) => client.setQueryData<FollowedInvitation>(followedKey(token), followed),
  })
}

export const useWaitingPeople = () => useEndpoint(listAcceptances, { staleTime: 0 })
export const useConfirm = () =>
  useAction(confirmAcceptance, { refreshes: [listAcceptances, listFriends], ...answering })
export const useDecline = () => useAction(declineAcceptance, { refreshes: [listAcceptances], ...answering })
const answering = {
  failure: 'Failed to answer a person who followed an invitation',
  // Answered on another device, or the account was deleted.
  doneBy: 'AcceptanceNotFound',
} as const
