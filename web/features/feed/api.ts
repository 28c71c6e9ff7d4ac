import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { type AppConfig, getConfig } from '#contract/app/endpoints.ts'
import { addDays, dayOf, daysBetween } from '#contract/days.ts'
import { getFeedDay, getPost } from '#contract/feed/reading/endpoints.ts'
import { readStateOf, queryKeyOf, useEndpoint } from '#web/lib/api.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { useInterval } from '#web/lib/interval.ts'
import { sendForHeaders } from '#web/lib/request.ts'

const minuteMs = 60_000

/** The posts of a day. The address of the call holds its distance from today, and the server has another today after midnight. */
export function useFeedDay(day: string) {
  const { today, timeZone } = useAppConfig()
  const query = useQuery(queryOfDay(useQueryClient(), day, today))
  useInterval(minuteMs, () => {
    // After midnight the answer says that the server has another day.
    if (dayOf(new Date(query.dataUpdatedAt), timeZone) !== dayOf(new Date(), timeZone)) void query.refetch()
  })
  return readStateOf(query)
}

function queryOfDay(client: QueryClient, day: string, today: string) {
  const sent = { params: { offset: String(daysBetween(day, today)) } }
  return {
    queryKey: queryKeyOf(getFeedDay, sent),
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const { output, headers } = await sendForHeaders(getFeedDay, { ...sent, signal })
      const answered = headers.get('feed-day')
      if (answered && answered !== day) setToday(client, addDays(today, daysBetween(day, answered)))
      return output
    },
  }
}

/** Stores that a new day has begun. Each known day now has another distance from today, so it is requested again. */
function setToday(client: QueryClient, today: string) {
  client.removeQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/feed/day/') })
  client.setQueryData<AppConfig>(queryKeyOf(getConfig), (known) => known && { ...known, today })
}

export const usePost = (id: string) => useEndpoint(getPost, { params: { id } })

/** Fetches a day before a reader opens it. A failure is shown only when the day is opened. */
export function usePrefetchDay() {
  const client = useQueryClient()
  const { today } = useAppConfig()
  return (day: string) => void client.prefetchQuery({ ...queryOfDay(client, day, today), retry: false })
}
