import { useSession } from '#web/features/account/index.ts'
import { Button } from '#web/ui/Button.tsx'
import { toggleFollow, useMarks } from './marks.ts'

/** Marks a person as followed until the page is loaded again. Nobody follows themselves. */
export function FollowButton({ id, name }: { id: string; name: string }) {
  const isFollowed = useMarks().followed.has(id)
  const { user } = useSession()
  if (user?.id === id) return null
  return (
    <Button variant="quiet" onClick={() => toggleFollow(id)}>
      {isFollowed ? 'Following' : 'Follow'}
      <span className="sr-only">{name}</span>
    </Button>
  )
}
