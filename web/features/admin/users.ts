import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { countAdminUsers, deleteUser, listAdminUsers } from '#contract/admin/endpoints.ts'
import { answersOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { removeFromPages, usePages } from '#web/lib/pages.ts'

const pageLength = '60'
const searched = (q: string) => (q === '' ? {} : { q })

export function useAdminUsers(q: string) {
  const users = usePages(listAdminUsers, { limit: pageLength, ...searched(q) })
  const isFetching = useIsFetching(answersOf([listAdminUsers])) > 0
  return { ...users, isFetching }
}

export const useUserCount = (q: string) => useEndpoint(countAdminUsers, { query: searched(q), staleTime: 0 })

export function useDeleteUser() {
  const client = useQueryClient()
  const deletion = useAction(deleteUser, { failure: 'Failed to delete a user' })
  const forget = (id: string) => {
    removeFromPages(client, listAdminUsers, id)
    void client.invalidateQueries(answersOf([countAdminUsers]))
  }
  return { ...deletion, forget }
}
