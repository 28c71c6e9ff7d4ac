import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
} from '@tanstack/react-query'
import type { Endpoint, OutputOf, SentParams, SentQuery } from '#contract/endpoint.ts'
import { type ReadState, readStateOf, queryKeyOf } from './api.ts'
import { listKind } from './first-page.ts'
import { type Sent, sendForPage } from './request.ts'

type Item<E extends Endpoint> = OutputOf<E> extends readonly (infer T)[] ? T : never

export interface Pages<T> {
  items: T[]
  /** Reads the next page; null at the end of the list. */
  readMore: (() => void) | null
  isReadingMore: boolean
  /** The cursor of the next page; null at the end of the list. */
  nextBefore: string | null
}

/** A long list, read page by page, from the cursor `before` if the query has one. While a new query loads, the list of the previous one is shown. */
export function usePages<E extends Endpoint>(
  endpoint: E,
  query: SentQuery<E>,
  params?: SentParams<E>,
): ReadState<Pages<Item<E>>> {
  const pages = useInfiniteQuery({
    queryKey: [...queryKeyOf(endpoint, { params, query } as Pick<Sent<E>, 'params' | 'query'>), listKind],
    queryFn: ({ pageParam, signal }) =>
      sendForPage(endpoint, {
        params,
        query: { ...(query as object), before: pageParam },
        signal,
      } as Sent<E>),
    initialPageParam: (query as { before?: string }).before,
    getNextPageParam: ({ nextBefore }) => nextBefore ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const loaded = readStateOf(pages)
  if (loaded.status !== 'ready') return loaded
  const { pages: read } = loaded.data
  return {
    ...loaded,
    data: {
      items: read.flatMap((page) => page.items as Item<E>[]),
      readMore: pages.hasNextPage ? () => void pages.fetchNextPage() : null,
      isReadingMore: pages.isFetchingNextPage,
      nextBefore: read.at(-1)!.nextBefore,
    },
  }
}

/** Removes an item from all cached lists of an endpoint, without a request. */
export function removeFromPages(client: QueryClient, { path }: Endpoint, id: string): void {
  client.setQueriesData<InfiniteData<{ items: { id: string }[] }>>(
    { predicate: ({ queryKey }) => queryKey[1] === listKind && String(queryKey[0]).split('?')[0] === path },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({ ...page, items: page.items.filter((item) => item.id !== id) })),
      },
  )
}
