import { useQueryClient } from '@tanstack/react-query'
import { type Bookmark, listBookmarks } from '#contract/bookmarks/endpoints.ts'
import { removeFromPages } from '#web/lib/pages.ts'
import { undoWithinMs, useHeld } from '#web/lib/use-held.ts'
import { useToast } from '#web/ui/toasts.tsx'
import { useChangeBookmark } from './use-bookmarks.ts'

/** Removals of bookmarks. After Undo a post has its place and its day, because nothing was sent. */
export function useRemovals() {
  const change = useChangeBookmark()
  const client = useQueryClient()
  const toast = useToast()
  const { hiddenIds, hold, undo } = useHeld<Bookmark>(async ({ id }) => {
    if (await change(id, false)) removeFromPages(client, listBookmarks, id)
  })
  const remove = (bookmark: Bookmark) => {
    const { id } = bookmark
    const onUndo = () => {
      // The reader has left the list meanwhile, or has held the toast with the pointer.
      if (undo(id) === undefined) void change(id, true)
    }
    hold(bookmark)
    toast({ title: 'Removed', shownMs: undoWithinMs, action: { label: 'Undo', onPress: onUndo } })
  }
  return { hiddenIds, remove }
}
