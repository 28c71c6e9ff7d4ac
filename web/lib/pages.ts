import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
} from '@tanstack/react-query'
import type { Endpoint, OutputOf, SentQuery } from '#contract/endpoint.ts'
import { keyOf, type Loaded } from './api.ts'
import { type Sent, sendForPage } from './request.ts'

type Item<E extends Endpoint> = OutputOf<E> extends readonly (infer T)[] ? T : never

export interface Pages<T> {
  items: T[]
  /** How the page after these is read; null where the list ends. */
  readMore: (() => void) | null
  isReadingMore: boolean
}

/** A long list, page by page; while another query is answered, the list of the last one stays. */
export function usePages<E extends Endpoint>(
  endpoint: E,
  query: Omit<SentQuery<E>, 'before'>,
): Loaded<Pages<Item<E>>> {
  const pages = useInfiniteQuery({
    queryKey: [...keyOf(endpoint, { query } as Pick<Sent<E>, 'query'>), kind],
    queryFn: ({ pageParam, signal }) =>
      sendForPage(endpoint, { query: { ...query, before: pageParam }, signal } as Sent<E>),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const { data, error } = pages
  const refetch = () => void pages.refetch()
  if (data !== undefined) {
    const items = data.pages.flatMap((page) => page.items as Item<E>[])
    const readMore = pages.hasNextPage ? () => void pages.fetchNextPage() : null
    const isReadingMore = pages.isFetchingNextPage
    return {
      status: 'ready',
      data: { items, readMore, isReadingMore },
      error: null,
      refetchError: error,
      refetch,
    }
  }
  if (error !== null) return { status: 'failed', data: undefined, error, refetch }
  return { status: 'loading', data: undefined, error, refetch }
}

const kind = 'pages'

/** Takes a thing out of every list of a call that is kept here, without asking the server. */
export function removeFromPages(client: QueryClient, { path }: Endpoint, id: string): void {
  client.setQueriesData<InfiniteData<{ items: { id: string }[] }>>(
    { predicate: ({ queryKey }) => queryKey[1] === kind && String(queryKey[0]).split('?')[0] === path },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({ ...page, items: page.items.filter((item) => item.id !== id) })),
      },
  )
}
