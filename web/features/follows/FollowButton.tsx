import { useSession } from '#web/features/account/index.ts'
import { Button } from '#web/ui/Button.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { toggleFollow, useMarks } from './marks.ts'
import { useIsFollowOnServer, useStoredFollow } from './use-follows.ts'

interface FollowButtonProps {
  id: string
  name: string
  /** The text while the person is followed. */
  whileFollowed?: string
}

/**
 * Follows a person. For a registered reader the server keeps it when the person has a page. Otherwise it is a mark until the
 * page is loaded again. Nobody follows themselves.
 */
export function FollowButton(props: FollowButtonProps) {
  const isOnServer = useIsFollowOnServer(props.id)
  const { user } = useSession()
  if (user?.id === props.id) return null
  return isOnServer ? <StoredFollow {...props} /> : <MarkedFollow {...props} />
}

function MarkedFollow({ id, ...rest }: FollowButtonProps) {
  return <Toggle {...rest} isFollowed={useMarks().followed.has(id)} onToggle={() => toggleFollow(id)} />
}

function StoredFollow({ id, name, ...rest }: FollowButtonProps) {
  const { status, refetch, isFollowed, toggle } = useStoredFollow(id, name)
  if (status === 'loading') return <Skeleton className="h-9 w-24 shrink-0" />
  if (status === 'failed')
    return (
      <Button variant="quiet" onClick={refetch}>
        Try again
        <span className="sr-only">whether you follow {name}</span>
      </Button>
    )
  return <Toggle {...rest} name={name} isFollowed={isFollowed} onToggle={() => void toggle()} />
}

interface ToggleProps extends Omit<FollowButtonProps, 'id'> {
  isFollowed: boolean
  onToggle: () => void
}

function Toggle({ name, whileFollowed = 'Following', isFollowed, onToggle }: ToggleProps) {
  return (
    <Button variant="quiet" onClick={onToggle}>
      {isFollowed ? whileFollowed : 'Follow'}
      <span className="sr-only">{name}</span>
    </Button>
  )
}
