import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAreKeysAwaited, useHasSessionEnded, useSession } from '#web/features/account/index.ts'
import { useKeptPosts } from '#web/features/bookmarks/kept-posts.ts'
import { Inbox } from '#web/features/messages/Inbox.tsx'
import { OfflineFeed } from '#web/features/unsent/OfflineFeed.tsx'
import { Unsent } from '#web/features/unsent/Unsent.tsx'
import { forgetKept } from '#web/lib/device/database.ts'
import { startMirror, stopMirror } from '#web/lib/device/mirror.ts'
import { keptQueries } from './kept-queries.ts'
import { textKinds } from './only-copies.ts'

export { restore } from './restore.ts'

/**
 * What runs on every page of a registered person: it receives messages, sends what waits on this device, and keeps a copy of
 * what is read. When the server has ended the session, the copy is removed.
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
  useKeptPosts(id)
  // A new notification joins those that this browser has, and a text is sent with its fields.
  const areKeysAwaited = useAreKeysAwaited()
  return (
    <>
      {!areKeysAwaited && (
        <>
          <Inbox personId={id} />
          <Unsent personId={id} kinds={textKinds} />
        </>
      )}
      <OfflineFeed />
    </>
  )
}
