import { Button } from '#web/ui/Button.tsx'
import { VisuallyHidden } from '#web/ui/VisuallyHidden.tsx'
import { toggleFollow, useMarks } from './marks.ts'

/** Marks a person as followed for as long as this page stays. */
export function FollowButton({ id, name }: { id: string; name: string }) {
  const isFollowed = useMarks().followed.has(id)
  return (
    <Button variant="quiet" onClick={() => toggleFollow(id)}>
      {isFollowed ? 'Following' : 'Follow'}
      <VisuallyHidden>{name}</VisuallyHidden>
    </Button>
  )
}
