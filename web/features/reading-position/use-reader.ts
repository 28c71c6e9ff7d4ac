import { useState } from 'react'
import { useAreKeysAwaited, useSession } from '#web/features/account/index.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { hasPositionIn } from './positions.ts'

/** The id under which this browser keeps what the reader has read. Undefined until the session and the positions are known. */
export function useReader(): string | undefined {
  const { state, user } = useSession()
  const areKeysAwaited = useAreKeysAwaited()
  // Where storage is forbidden, each call answers another id.
  const [guest] = useState(guestId)
  if (state === 'unknown' || areKeysAwaited) return undefined
  // Not the id of a guest session: it changes when the guest signs up, and log-out removes the keys of the new id alone.
  return state === 'registered' ? user.id : guest
}

/** Whether a text has to wait until the reader and the positions are known, because the reader may have left it in its middle. */
export function useIsPositionAwaited(id: string): boolean {
  const { state } = useSession()
  return useAreKeysAwaited() || (state === 'unknown' && hasPositionIn(id))
}
