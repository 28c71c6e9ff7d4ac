import { approvePost, approvePosts, getFeedDay, listPendingPosts } from '#contract/feed/endpoints.ts'
import { useAction, useEndpoint } from '#web/lib/api.ts'

export const usePendingPosts = () => useEndpoint(listPendingPosts)

const refreshes = [listPendingPosts, getFeedDay]
export const useApprovePost = () => useAction(approvePost, { refreshes })
export const useApprovePosts = () => useAction(approvePosts, { refreshes })
