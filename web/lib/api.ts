import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { type Endpoint, type OutputOf, pathOf } from '#contract/endpoint.ts'
import { send, type Sent } from './request.ts'
import { randomId } from './session-storage.ts'

interface Reading<E extends Endpoint> extends Pick<Sent<E>, 'params' | 'query'> {
  enabled?: boolean
  /** Said only where a call differs from the rule for all. */
  retry?: false
  staleTime?: number
}

/** Server data of a page: waiting, failed or there; what is there stays when reading it anew fails. */
export type Loaded<T> = { refetch: () => void } & (
  | { status: 'loading'; data: undefined; error: null }
  | { status: 'failed'; data: undefined; error: Error }
  | { status: 'ready'; data: T; error: null; refetchError?: Error | null }
)

/** How a GET is asked and kept: its key is its path. */
export function queryOf<E extends Endpoint>(endpoint: E, sent: Pick<Sent<E>, 'params' | 'query'> = {}) {
  return {
    queryKey: keyOf(endpoint, sent),
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<OutputOf<E>> =>
      send(endpoint, { ...sent, signal }),
  }
}

export const keyOf = <E extends Endpoint>(endpoint: E, sent: Pick<Sent<E>, 'params' | 'query'> = {}) => [
  pathOf(endpoint, sent as { params?: object; query?: object }),
]

export function useEndpoint<E extends Endpoint>(endpoint: E, reading: Reading<E> = {}): Loaded<OutputOf<E>> {
  const { enabled, retry, staleTime, ...sent } = reading
  const query = useQuery({
    ...queryOf(endpoint, sent),
    ...(enabled !== undefined && { enabled }),
    ...(retry !== undefined && { retry }),
    ...(staleTime !== undefined && { staleTime }),
  })
  return loadedOf(query)
}

export function loadedOf<T>(query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>): Loaded<T> {
  const { data, error } = query
  const refetch = () => void query.refetch()
  if (data !== undefined) return { status: 'ready', data, error: null, refetchError: error, refetch }
  if (error !== null) return { status: 'failed', data: undefined, error, refetch }
  return { status: 'loading', data: undefined, error, refetch }
}

interface Acting<E extends Endpoint> {
  /** Calls whose kept answers are out of date after success, whatever their parameters. */
  refreshes?: readonly Endpoint[]
  onSuccess?: (output: OutputOf<E>) => void
}

/** A change: each action carries one key on all its retries, so that the server acts once. */
export function useAction<E extends Endpoint>(endpoint: E, { refreshes = [], onSuccess }: Acting<E> = {}) {
  const client = useQueryClient()
  const mutation = useMutation<OutputOf<E>, Error, Sent<E>>({
    mutationFn: (sent) => send(endpoint, sent),
    onSuccess: async (output) => {
      onSuccess?.(output)
      await Promise.all(refreshes.map(({ path }) => refresh(path)))
    },
  })

  function refresh(path: string) {
    const start = path.split('/:')[0]!
    return client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith(start) })
  }

  return {
    run: (sent: Sent<E> = {}): Promise<OutputOf<E>> =>
      mutation.mutateAsync({ idempotencyKey: randomId(), ...sent }),
    status: ({ idle: 'idle', pending: 'running', error: 'failed', success: 'idle' } as const)[
      mutation.status
    ],
    error: mutation.error,
    reset: mutation.reset,
  }
}
