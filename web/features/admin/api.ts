import { keepPreviousData, useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { closeAbuseReport, listAbuseReports } from '#contract/abuse-reports/endpoints.ts'
import { listModeratedPeople } from '#contract/account/moderators/endpoints.ts'
import { getSuspension } from '#contract/account/suspensions/endpoints.ts'
import {
  countAdminUsers,
  countWaiting,
  getStats,
  listAdminUsers,
  listAuditEntries,
} from '#contract/admin/endpoints.ts'
import type { Endpoint, OutputOf, SentQuery } from '#contract/endpoint.ts'
import { approvePost, approvePosts, createPost, listPendingPosts } from '#contract/feed/endpoints.ts'
import { getFeedDay, getPost } from '#contract/feed/reading/endpoints.ts'
import {
  bulkMax,
  changePostsVisibility,
  changePostVisibility,
  generateContent,
  listAdminPosts,
  listTodaysPosts,
} from '#contract/feed/review/endpoints.ts'
import { listPassages } from '#contract/rooms/endpoints.ts'
import { answersOf, queryKeyOf, type ReadState, readStateOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { usePages } from '#web/lib/pages.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { sendForPage } from '#web/lib/request.ts'

export type QueueQuery = Pick<SentQuery<typeof listPendingPosts>, 'order' | 'due'>

export const usePendingPosts = (query: QueueQuery) =>
  usePages(listPendingPosts, { ...query, limit: String(bulkMax) })
export const useIsReadingPendingPosts = () => useIsFetching(answersOf([listPendingPosts])) > 0
export const useStats = () => useEndpoint(getStats, { staleTime: 0 })

/** What shows posts or counts them. */
const refreshes = [listPendingPosts, listAdminPosts, listTodaysPosts, getStats, countWaiting, getFeedDay]
export const useApprovePost = () => useDecision(approvePost)
export const useApprovePosts = () => useDecision(approvePosts)
export const useChangeVisibility = () => useDecision(changePostVisibility)
export const useChangeVisibilities = () => useDecision(changePostsVisibility)
export const useGenerateContent = () => useAction(generateContent, { refreshes })
export const useCreatePost = () => useAction(createPost, { refreshes })

/** Closing a report may change the reported text and the account of its author. */
export const useCloseReport = () =>
  useAction(closeAbuseReport, {
    refreshes: [
      ...refreshes,
      listAbuseReports,
      getPost,
      listPassages,
      listAdminUsers,
      countAdminUsers,
      listModeratedPeople,
      getSuspension,
      listAuditEntries,
    ],
  })

export function useRefreshPosts() {
  const client = useQueryClient()
  return () => readAgain(client, answersOf(refreshes))
}

/** A failure refreshes the lists too: they may be outdated, for example because another admin was first. */
function useDecision<E extends Endpoint>(endpoint: E) {
  const action = useAction(endpoint, { refreshes })
  const refresh = useRefreshPosts()
  const run: typeof action.run = async (sent) => {
    try {
      return await action.run(sent)
    } catch (error) {
      void refresh()
      throw error
    }
  }
  return { ...action, run }
}

export interface OnePage<T> {
  items: T
  /** Shows the next or the previous page; null where there is none. */
  older: (() => void) | null
  newer: (() => void) | null
  newest: () => void
  isReading: boolean
}

/** One page of a long list at a time, so that the document stays small. */
export function useOnePage<E extends Endpoint>(
  endpoint: E,
  query: Omit<SentQuery<E>, 'before'>,
): ReadState<OnePage<OutputOf<E>>> {
  const [cursors, setCursors] = useState<readonly string[]>([])
  const sent = { query: { ...query, before: cursors.at(-1) } as SentQuery<E> }
  const page = useQuery({
    queryKey: [...queryKeyOf(endpoint, sent), 'one page'],
    queryFn: ({ signal }) => sendForPage(endpoint, { ...sent, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const loaded = readStateOf(page)
  if (loaded.status !== 'ready') return loaded
  const { items, nextBefore } = loaded.data
  return {
    ...loaded,
    data: {
      items,
      older: nextBefore === null ? null : () => setCursors([...cursors, nextBefore]),
      newer: cursors.length === 0 ? null : () => setCursors(cursors.slice(0, -1)),
      newest: () => setCursors([]),
      isReading: page.isFetching,
    },
  }
}
