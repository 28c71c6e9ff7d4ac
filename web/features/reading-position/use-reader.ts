import { useState } from 'react'
import { useSession } from '#web/features/account/index.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { hasPositionIn } from './positions.ts'

/** The id under which this browser keeps what the reader has read. Undefined until the session is known. */
export function useReader(): string | undefined {
  const { state, user } = useSession()
  // Where storage is forbidden, each call answers another id.
  const [guest] = useState(guestId)
  if (state === 'unknown') return undefined
  // Not the id of a guest session: it changes when the guest signs up, and log-out removes the keys of the new id alone.
  return state === 'registered' ? user.id : guest
}

/** Whether a text has to wait until the session is known, because the reader may have left it in its middle. */
export const useIsPositionAwaited = (id: string): boolean =>
  useSession().state === 'unknown' && hasPositionIn(id)
