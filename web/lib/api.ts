import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type Endpoint, type OutputOf, pathOf } from '#contract/endpoint.ts'
import { send, type Sent } from './request.ts'

export { answersOf } from './answers-of.ts'
// In a file of its own: the first page only reads, and does not load it.
export { codeOf, sentenceOf, useAction } from './use-action.ts'

interface Reading<E extends Endpoint> extends Pick<Sent<E>, 'params' | 'query'> {
  enabled?: boolean
  /** These two only where a call differs from the rules in `query-client.ts`. */
  retry?: false
  staleTime?: number
}

/**
 * The state of a read of server data. `loading`: there is no answer yet, also while the read is not enabled. `failed`: there is no
 * answer, and the last attempt failed. `ready`: there is an answer, which stays when a later read fails (`refetchError`).
 */
export type ReadState<T> = { refetch: () => void } & (
  | { status: 'loading'; data: undefined; error: null }
  | { status: 'failed'; data: undefined; error: Error }
  | { status: 'ready'; data: T; error: null; refetchError?: Error | null }
)

/** The query of a GET endpoint: its cache key is the path of the call with its query. */
export function queryOf<E extends Endpoint>(endpoint: E, sent: Pick<Sent<E>, 'params' | 'query'> = {}) {
  return {
    queryKey: queryKeyOf(endpoint, sent),
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<OutputOf<E>> =>
      send(endpoint, { ...sent, signal }),
  }
}

export const queryKeyOf = <E extends Endpoint>(endpoint: E, sent: Pick<Sent<E>, 'params' | 'query'> = {}) => [
  pathOf(endpoint, sent as { params?: object; query?: object }),
]

export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  reading: Reading<E> = {},
): ReadState<OutputOf<E>> {
  const { enabled, retry, staleTime, ...sent } = reading
  const query = useQuery({
    ...queryOf(endpoint, sent),
    ...(enabled !== undefined && { enabled }),
    ...(retry !== undefined && { retry }),
    ...(staleTime !== undefined && { staleTime }),
  })
  return readStateOf(query)
}

/** The state of a query of TanStack Query, without what pages do not use. */
export function readStateOf<T>(query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>): ReadState<T> {
  const { data, error } = query
  const refetch = () => void query.refetch()
  if (data !== undefined) return { status: 'ready', data, error: null, refetchError: error, refetch }
  if (error !== null) return { status: 'failed', data: undefined, error, refetch }
  return { status: 'loading', data: undefined, error, refetch }
}
