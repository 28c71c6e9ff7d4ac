import { useState } from 'react'
import { Redirect } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { isId } from '#contract/ids.ts'
import { SignInNotice, useAreKeysAwaited, useSession } from '#web/features/account/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { usePageTitle } from '#web/lib/page-title.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { newDraftId } from './draft-choices.ts'
import { draftPath } from './paths.ts'
import { submissionsOff } from './submissions-off.ts'
import { WritingSheet } from './WritingSheet.tsx'

/** A whole page to write a post on. `id` is that of a draft; a new one gets its own address at once. */
export function WritePage({ id }: { id?: string | undefined }) {
  usePageTitle('Write')
  const { state, user } = useSession()
  const areKeysAwaited = useAreKeysAwaited()
  const { access } = useAppConfig()
  const [newId] = useState(newDraftId)
  const isNew = useHistoryState<unknown>() === performance.timeOrigin
  if (id !== undefined && !isId(id)) return <Redirect to="/write" replace />
  if (state === 'unknown' || areKeysAwaited) return <Skeleton className="h-96 w-full" />
  if (state !== 'registered' && access?.submissions === false)
    return (
      <>
        <h1 className="text-2xl">Write</h1>
        <SignInNotice text={submissionsOff} />
      </>
    )
  if (user === null || user.isAnonymous) {
    if (id !== undefined) return <Redirect to="/write" replace />
    return <WritingSheet identity={{ owner: user?.id ?? guestId(), id: null, isNew: false }} user={user} />
  }
  if (id === undefined) return <Redirect to={draftPath(newId)} replace state={performance.timeOrigin} />
  return <WritingSheet key={id} identity={{ owner: user.id, id, isNew }} user={user} />
}
