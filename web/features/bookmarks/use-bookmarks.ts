import { addBookmark, listBookmarkIds, listBookmarks, removeBookmark } from '#contract/bookmarks/endpoints.ts'
import { sentenceOf } from '#web/lib/api.ts'
import { type StoredIds, useIds, useIdSet } from '#web/lib/id-set.ts'
import { send } from '#web/lib/request.ts'
import { useToast } from '#web/ui/toasts.tsx'

const bookmarks: StoredIds = {
  list: listBookmarkIds,
  add: (postId) => send(addBookmark, { params: { postId }, keepalive: true }),
  remove: (postId) => send(removeBookmark, { params: { postId }, keepalive: true }),
  alsoRefreshes: [listBookmarks],
  channel: 'bookmarks',
}

/** Whether the reader has a bookmark for a post. Undefined until it is known. */
export const useIsBookmarked = (postId: string): boolean | undefined =>
  useIds(bookmarks).data?.includes(postId)

/** Reads the ids of all bookmarks, so that this device keeps their posts. */
export const useReadBookmarks = (): void => void useIds(bookmarks)

/** Adds or removes the bookmark of a post, and says so when that fails. Answers whether it succeeded. */
export function useChangeBookmark() {
  const { change } = useIdSet(bookmarks)
  const toast = useToast()
  return async (postId: string, isBookmarked: boolean): Promise<boolean> => {
    try {
      await change(postId, isBookmarked)
      return true
    } catch (error) {
      const otherwise = `The post could not be ${isBookmarked ? 'kept' : 'removed'}. Please try again.`
      toast({ title: sentenceOf(error, otherwise), tone: 'destructive' })
      return false
    }
  }
}
