import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useHasSessionEnded, useSession } from '#web/features/account/index.ts'
import { Inbox } from '#web/features/messages/Inbox.tsx'
import { forgetKept } from '#web/lib/device/database.ts'
import { startMirror, stopMirror } from '#web/lib/device/mirror.ts'
import { keptQueries } from './kept-queries.ts'

export { restore } from './restore.ts'

/**
 * What runs on every page of a registered person: the inbox, and the copy of what is read on this device. When the server
 * has ended the session, the copy is removed.
 */
export function SignedIn() {
  const { state, user } = useSession()
  const hasEnded = useHasSessionEnded()
  useEffect(() => {
    if (hasEnded) void forgetKept().catch(console.error)
  }, [hasEnded])
  return state === 'registered' && <Person key={user.id} id={user.id} />
}

function Person({ id }: { id: string }) {
  const client = useQueryClient()
  useEffect(() => {
    startMirror(client, id, keptQueries)
    return () => stopMirror(id)
  }, [client, id])
  return <Inbox personId={id} />
}
