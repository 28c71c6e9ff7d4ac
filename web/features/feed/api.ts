import { useQueryClient } from '@tanstack/react-query'
import { getFeedDay, getPost } from '#contract/feed/endpoints.ts'
import { queryOf, useEndpoint } from '#web/lib/api.ts'

const dayParams = (offset: number) => ({ params: { offset: String(offset) } })

export const useFeedDay = (offset: number) => useEndpoint(getFeedDay, dayParams(offset))

export const usePost = (id: string) => useEndpoint(getPost, { params: { id } })

/** Fetches a day before a reader opens it. A failure is shown only when the day is opened. */
export function usePrefetchDay() {
  const client = useQueryClient()
  return (offset: number) => {
    if (offset >= 0) void client.prefetchQuery({ ...queryOf(getFeedDay, dayParams(offset)), retry: false })
  }
}
