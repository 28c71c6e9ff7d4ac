import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { getReceipt } from '#contract/rooms/credit/endpoints.ts'
import type { Receipt } from '#contract/rooms/credit/seal.ts'
import type { RoomEvents } from '#contract/rooms/live.ts'
import type { SentPassage } from '#contract/rooms/room.ts'
import { queryOf } from '#web/lib/api.ts'

/**
 * Keeps the receipt of the own passages in a room on this device. The server gives it once, because only the server knows the
 * secret of the writer. Later passages are added with the salt of their answer as soon as a signed head covers them.
 */
export function useKeptReceipt(roomId: string) {
  const client = useQueryClient()
  /** The passages that no head covers yet. */
  const sent = useRef<SentPassage[]>([])
  const query = queryOf(getReceipt, { params: { id: roomId } })

  return {
    add: (passage: SentPassage) => void sent.current.push(passage),
    sign: async ({ roomId: _roomId, ...head }: RoomEvents['room.head']) => {
      const covered = sent.current.filter(({ position }) => position <= head.position)
      if (covered.length === 0) return
      const kept = client.getQueryData<Receipt>(query.queryKey)
      // The next head tries again.
      if (kept === undefined && !(await isFetched())) return
      if (kept !== undefined) client.setQueryData<Receipt>(query.queryKey, extended(kept, head, covered))
      sent.current = sent.current.filter((passage) => !covered.includes(passage))
    },
  }

  async function isFetched(): Promise<boolean> {
    return client.fetchQuery(query).then(
      () => true,
      () => false,
    )
  }
}

function extended(kept: Receipt, head: Receipt['head'], covered: readonly SentPassage[]): Receipt {
  const last = kept.passages.at(-1)?.position ?? 0
  const added = covered
    .filter(({ position }) => position > last)
    .map(({ position, createdAt, salt = null, content }) => ({
      position,
      time: createdAt,
      ...(salt === null ? { salt, text: null } : { salt, text: content }),
    }))
  return { ...kept, head, passages: [...kept.passages, ...added] }
}
