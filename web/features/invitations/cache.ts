import { useQueryClient } from '@tanstack/react-query'
import { getInvitation, listAcceptances } from '#contract/invitations/endpoints.ts'
import type { Acceptance } from '#contract/invitations/invitation.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { readAgain } from '#web/lib/read-again.ts'

/** Applies events of the stream to the cached invitations. */
export function useInvitationsCache() {
  const client = useQueryClient()
  return {
    /** Whether the reader and the person of a followed link are friends may have changed. */
    refetchFollowed: () => void readAgain(client, { queryKey: [getInvitation.path] }),
    /** Adds a person who has followed a link. The person may be known already. */
    addWaiting: (person: Acceptance) => {
      const queryKey = queryKeyOf(listAcceptances)
      client.setQueryData<Acceptance[]>(
        queryKey,
        (waiting) => waiting && [person, ...waiting.filter(({ userId }) => userId !== person.userId)],
      )
      // An answer that is on its way may be older than this change.
      void readAgain(client, { queryKey, fetchStatus: 'fetching' })
    },
  }
}
