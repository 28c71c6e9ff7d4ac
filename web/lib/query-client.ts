import { QueryCache, QueryClient } from '@tanstack/react-query'

const minute = 60_000

/** Whether the message of a failed request names one of the statuses. */
export const hasStatus = (error: Error, codes: string[]) => codes.some((code) => error.message.includes(code))

/** Reads are retried up to 3 times, except after errors that another attempt cannot change. */
export const retriesRead = (failures: number, error: Error): boolean =>
  failures < 3 && !hasStatus(error, ['401', '403', '404'])

/** Doubles from a second up to 30. */
export const retryDelay = (failures: number): number => Math.min(1000 * 2 ** failures, 30_000)

/** The rules of freshness and retry of every page. */
export const createQueryClient = () =>
  new QueryClient({
    // Every failure is logged. Each page decides whether and how to show it.
    queryCache: new QueryCache({
      onError: (error, { meta, queryKey }) =>
        console.error(meta?.['failure'] ?? `Failed to load ${String(queryKey[0])}`, error),
    }),
    defaultOptions: {
      queries: {
        retry: retriesRead,
        retryDelay,
        staleTime: 5 * minute,
        gcTime: 5 * minute,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
    },
  })

export const queryClient = createQueryClient()

/** A person's own record changes rarely. */
export const userFreshMs = 30 * minute
