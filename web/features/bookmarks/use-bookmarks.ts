import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listBookmarkIds } from '#contract/bookmarks/endpoints.ts'
import { sentenceOf, useEndpoint } from '#web/lib/api.ts'
import { useToast } from '#web/ui/toasts.tsx'
import { bookmarksOf } from './bookmarks.ts'

/** Keeps what the page shows of the bookmarks in sync while it is open. */
export function useBookmarksInSync() {
  const client = useQueryClient()
  useEffect(() => void bookmarksOf(client), [client])
}

/** Whether the reader keeps a post. Undefined until it is known. */
export function useIsKept(postId: string): boolean | undefined {
  useBookmarksInSync()
  return useEndpoint(listBookmarkIds).data?.includes(postId)
}

/** Keeps a post, or removes it, and says so when that fails. Answers whether it succeeded. */
export function useChangeBookmark() {
  const client = useQueryClient()
  const toast = useToast()
  return async (postId: string, isKept: boolean): Promise<boolean> => {
    try {
      await bookmarksOf(client).change(postId, isKept)
      return true
    } catch (error) {
      const otherwise = `The post could not be ${isKept ? 'kept' : 'removed'}. Please try again.`
      toast({ title: sentenceOf(error, otherwise), tone: 'destructive' })
      return false
    }
  }
}
