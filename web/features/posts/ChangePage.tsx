import { Redirect } from 'wouter'
import { getOwnPost } from '#contract/feed/own/endpoints.ts'
import { useAreKeysAwaited, useSession } from '#web/features/account/index.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { NotReady } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { WritingSheet } from './WritingSheet.tsx'

/** The page to change a post on. Its draft has the id of the post, so there is one on all devices. */
export function ChangePage({ id }: { id: string }) {
  usePageTitle('Change a post')
  const { state, user } = useSession()
  const areKeysAwaited = useAreKeysAwaited()
  const isPerson = state === 'registered'
  const post = useEndpoint(getOwnPost, { params: { id }, enabled: isPerson, staleTime: 0 })
  if (state !== 'unknown' && !isPerson) return <Redirect to="/write" replace />
  if (post.status !== 'ready' || user === null || areKeysAwaited)
    return <NotReady of={post} what="This post" waiting={<Skeleton className="h-96 w-full" />} />
  return (
    <WritingSheet key={id} identity={{ owner: user.id, id, isNew: false, original: post.data }} user={user} />
  )
}
