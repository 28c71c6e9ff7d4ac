import { useEffect, useEffectEvent } from 'react'
import type { Room } from '#contract/rooms/room.ts'
import { showOnDesktop } from '#web/features/notifications/index.ts'

/** Tells a person who looks at another window that their turn has come. */
export function useTurnNotification(ownTurnNumber: number | null, { id, name }: Room): void {
  const show = useEffectEvent(() => {
    if (ownTurnNumber === null || document.visibilityState === 'visible') return
    showOnDesktop({ id: `turn/${id}`, title: 'Your turn', body: name, onPress: () => {} })
  })
  useEffect(() => show(), [ownTurnNumber])
}
