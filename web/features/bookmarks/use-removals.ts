import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { listBookmarks } from '#contract/bookmarks/endpoints.ts'
import { removeFromPages } from '#web/lib/pages.ts'
import { useToast } from '#web/ui/toasts.tsx'
import { useChangeBookmark } from './use-bookmarks.ts'

/** How long a removal can be undone. */
const undoMs = 10_000

/**
 * Removals of bookmarks. Each is sent when it can no longer be undone, so that a post keeps its place and its day after Undo.
 * It is sent earlier when the reader leaves the list.
 */
export function useRemovals() {
  const change = useChangeBookmark()
  const client = useQueryClient()
  const toast = useToast()
  /** The timers of the removals that were not sent yet, by post. */
  const held = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  /** The posts that the list does not show, because they were removed. */
  const [hiddenIds, setHiddenIds] = useState<ReadonlySet<string>>(new Set())
  const stopHiding = (id: string) => setHiddenIds((ids) => new Set([...ids].filter((each) => each !== id)))

  /** Whether the removal was still held. */
  const release = (id: string) => {
    clearTimeout(held.current.get(id))
    return held.current.delete(id)
  }
  const send = async (id: string) => {
    if (!release(id)) return
    if (await change(id, false)) removeFromPages(client, listBookmarks, id)
    stopHiding(id)
  }
  const remove = (id: string) => {
    setHiddenIds((ids) => new Set([...ids, id]))
    held.current.set(
      id,
      setTimeout(() => void send(id), undoMs),
    )
    toast({ title: 'Removed', shownMs: undoMs, action: { label: 'Undo', onPress: () => undo(id) } })
  }
  const undo = (id: string) => {
    if (release(id)) stopHiding(id)
    // The reader has left the list meanwhile, or has held the toast with the pointer.
    else void change(id, true)
  }

  const sendAll = useEffectEvent(() => {
    for (const id of held.current.keys()) void send(id)
  })
  useEffect(() => {
    const leave = () => sendAll()
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
  return { hiddenIds, remove }
}
