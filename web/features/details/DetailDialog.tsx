import { useEffect } from 'react'
import type { PublicPost } from '#contract/feed/post.ts'
import { markOpened } from '#web/features/follows/index.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { failedLine, part } from '#web/ui/part.tsx'
import { useAuthorOfPost } from './author-of-post.ts'
import { AuthorDetail } from './AuthorDetail.tsx'
import type { Detail } from './DetailsProvider.tsx'
import { PostDetail } from './PostDetail.tsx'
import { RoomDetail } from './RoomDetail.tsx'

export function DetailDialog({ detail, onClose }: { detail: Detail; onClose: () => void }) {
  if (detail.type === 'author of a post') return <AuthorOfPost post={detail.post} onClose={onClose} />
  return <KnownDetail detail={detail} onClose={onClose} />
}

/** What is shown, once the author of a post is found. */
type Known = Exclude<Detail, { type: 'author of a post' }>

function KnownDetail({ detail, onClose }: { detail: Known; onClose: () => void }) {
  return (
    <Dialog title={titleOf(detail)} onClose={onClose}>
      <Body detail={detail} onClose={onClose} />
    </Dialog>
  )
}

function titleOf(detail: Known) {
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

function Body({ detail, onClose }: { detail: Known; onClose: () => void }) {
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

function AuthorOfPost({ post, onClose }: { post: PublicPost; onClose: () => void }) {
  const author = useAuthorOfPost(post)
  const id = author?.id
  useEffect(() => {
    if (id !== undefined) markOpened(id)
  }, [id])
  return author && <KnownDetail detail={{ type: 'author', author }} onClose={onClose} />
}

// The texts of the creators are long, and most details are of posts and authors.
const CreatorDetail = part(async () => (await import('./CreatorDetail.tsx')).CreatorDetail, failedLine, null)
