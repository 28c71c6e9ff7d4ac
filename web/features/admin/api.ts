import { useIsFetching } from '@tanstack/react-query'
import { approvePost, approvePosts, getFeedDay, listPendingPosts } from '#contract/feed/endpoints.ts'
import { keyOf, useAction, useEndpoint } from '#web/lib/api.ts'

export const usePendingPosts = () => useEndpoint(listPendingPosts)
export const useIsReadingPendingPosts = () => useIsFetching({ queryKey: keyOf(listPendingPosts) }) > 0

const refreshes = [listPendingPosts, getFeedDay]
export const useApprovePost = () => useAction(approvePost, { refreshes })
export const useApprovePosts = () => useAction(approvePosts, { refreshes })
