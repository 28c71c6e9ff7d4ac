import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { addModerator, removeModerator } from '#contract/account/moderators/endpoints.ts'
import { countAdminUsers, deleteUser, listAdminUsers, listAuditEntries } from '#contract/admin/endpoints.ts'
import { answersOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { removeFromPages, usePages } from '#web/lib/pages.ts'
import { readAgain } from '#web/lib/read-again.ts'

const pageLength = '60'

export interface UserFilter {
  q: string
  isSuspended: boolean
}

const queryOf = ({ q, isSuspended }: UserFilter) => ({
  ...(q !== '' && { q }),
  ...(isSuspended && { isSuspended: 'true' as const }),
})

export function useAdminUsers(filter: UserFilter) {
  const users = usePages(listAdminUsers, { limit: pageLength, ...queryOf(filter) })
  const isFetching = useIsFetching(answersOf([listAdminUsers])) > 0
  return { ...users, isFetching }
}

export const useUserCount = (filter: UserFilter) =>
  useEndpoint(countAdminUsers, { query: queryOf(filter), staleTime: 0 })

export function useDeleteUser() {
  const client = useQueryClient()
  const deletion = useAction(deleteUser, { failure: 'Failed to delete a user' })
  const forget = (id: string) => {
    removeFromPages(client, listAdminUsers, id)
    void readAgain(client, answersOf([countAdminUsers]))
  }
  return { ...deletion, forget }
}

const ofRights = { refreshes: [listAdminUsers, listAuditEntries] }
export const useAddModerator = () => useAction(addModerator, ofRights)
export const useRemoveModerator = () => useAction(removeModerator, ofRights)
