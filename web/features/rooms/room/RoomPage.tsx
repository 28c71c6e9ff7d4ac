import { useState } from 'react'
import { useLocation } from 'wouter'
import { pathOf } from '#contract/endpoint.ts'
import { getReceipt } from '#contract/rooms/credit/endpoints.ts'
import { isPublicStory, storyPath } from '#contract/rooms/paths.ts'
import { SignInNotice, useAreKeysAwaited, useSession } from '#web/features/account/index.ts'
import type { ReadState } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { RequestError } from '#web/lib/request.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { failedPage, part } from '#web/ui/part.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { hasTurns } from '../TurnLabels.tsx'
import { useMembership, usePassages, useRoom } from './api.ts'
import { OpenRoom } from './OpenRoom.tsx'
import { StoryPage } from './StoryPage.tsx'
import { UnsentTexts } from './UnsentTexts.tsx'
import { WayBack } from './WayBack.tsx'

const Table = part(async () => (await import('../table/Table.tsx')).Table, failedPage, Waiting)

const privateText = 'This is a private room. You cannot join without an invitation.'

/** A room while it is open, and its story afterwards. */
export function RoomPage({ id }: { id: string }) {
  const { state, user } = useSession()
  const areKeysAwaited = useAreKeysAwaited()
  const [path] = useLocation()
  const room = useRoom(id)
  const membership = useMembership(id, room.status === 'ready' && room.data.isMember)
  const mayRead = room.status === 'ready' && (room.data.isPublic || room.data.isMember)
  const isOpen = room.status === 'ready' && room.data.isActive
  const story = usePassages(id, mayRead && isOpen)
  const [wasOpen, setWasOpen] = useState(false)
  if (isOpen && !wasOpen) setWasOpen(true)
  const isMember = room.status === 'ready' && room.data.isMember
  const [memberId, setMemberId] = useState<string>()
  if (isMember && isOpen && memberId !== user?.id) setMemberId(user?.id)
  usePageTitle(room.status === 'ready' ? room.data.name : 'Z!mmers')

  // A cached answer may be older than the end of the room. The next answer shows the story, or `Gate` the 404 page.
  if (path === storyPath(id) && room.status === 'ready' && !isPublicStory(room.data)) return <Waiting />
  if (room.status === 'ready' && !isMember && memberId !== undefined && memberId === user?.id)
    return (
      <div className="mx-auto flex w-full max-w-reading flex-col gap-6">
        <div role="alert">
          <WayBack text="You are no longer at this table.">
            {story.passages?.some(({ userId }) => userId === memberId) && (
              <a href={pathOf(getReceipt, { params: { id } })} download className={buttonClass('link')}>
                Save the receipt of your passages
              </a>
            )}
          </WayBack>
        </div>
        <UnsentTexts room={room.data} owner={memberId} reason="removed" passages={story.passages ?? []} />
      </div>
    )
  if (room.status === 'ready' && !mayRead) return <Private isVisitor={state === 'none'} />
  const failure = room.error ?? (story.passages === undefined ? story.error : null)
  if (failure !== null) {
    const retry = room.status === 'failed' ? room.refetch : story.refetch
    return <Failed failure={failure} isVisitor={state === 'none'} onTryAgain={retry} />
  }
  if (room.status !== 'ready' || state === 'unknown' || areKeysAwaited) return <Waiting />
  if (!isOpen) return <StoryPage room={room.data} takesFocus={wasOpen} />
  if (story.passages === undefined) return <Waiting />
  const Open = hasTurns(room.data) ? Table : OpenRoom
  return <Open room={room.data} story={{ ...story, passages: story.passages }} membership={membership} />
}

interface FailedProps {
  failure: Error
  isVisitor: boolean
  onTryAgain: ReadState<unknown>['refetch']
}

function Failed({ failure, isVisitor, onTryAgain }: FailedProps) {
  const status = failure instanceof RequestError ? failure.status : 0
  // A membership may end while the page is open.
  if (status === 401 || status === 403) return <Private isVisitor={isVisitor} />
  if (status === 404) return <WayBack text="This Z!mmer no longer exists." />
  return <FailedState text="The Z!mmer could not be loaded." onTryAgain={onTryAgain} />
}

const Private = ({ isVisitor }: { isVisitor: boolean }) =>
  isVisitor ? <SignInNotice text={privateText} /> : <WayBack text={privateText} />

function Waiting() {
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-6" aria-busy>
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-[50dvh] w-full" />
    </div>
  )
}
