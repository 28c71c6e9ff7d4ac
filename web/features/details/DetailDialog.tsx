import { Dialog } from '#web/ui/Dialog.tsx'
import { failedLine, part } from '#web/ui/part.tsx'
import { AuthorDetail } from './AuthorDetail.tsx'
import type { Detail } from './DetailsProvider.tsx'
import { PostDetail } from './PostDetail.tsx'
import { RoomDetail } from './RoomDetail.tsx'

export function DetailDialog({ detail, onClose }: { detail: Detail; onClose: () => void }) {
  return (
    <Dialog title={titleOf(detail)} open onOpenChange={(open) => !open && onClose()}>
      <Body detail={detail} onClose={onClose} />
    </Dialog>
  )
}

function titleOf(detail: Detail) {
  switch (detail.type) {
    case 'post':
      return 'Post'
    case 'author':
      return detail.author.name
    case 'creator':
      return detail.creator.name
    case 'room':
      return detail.room.name
  }
}

function Body({ detail, onClose }: { detail: Detail; onClose: () => void }) {
  switch (detail.type) {
    case 'post':
      return <PostDetail post={detail.post} onClose={onClose} />
    case 'author':
      return <AuthorDetail author={detail.author} onClose={onClose} />
    case 'creator':
      return <CreatorDetail creator={detail.creator} onClose={onClose} />
    case 'room':
      return <RoomDetail room={detail.room} onClose={onClose} />
  }
}

// The texts of the creators are long, and most details are of posts and authors.
const CreatorDetail = part(async () => (await import('./CreatorDetail.tsx')).CreatorDetail, failedLine)
