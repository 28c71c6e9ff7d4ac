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
  const { title, body } = shownOf(detail, onClose)
  return (
    <Dialog title={title} onClose={onClose}>
      {body}
    </Dialog>
  )
}

function shownOf(detail: Known, onClose: () => void) {
  switch (detail.type) {
    case 'post':
      return { title: 'Post', body: <PostDetail post={detail.post} onClose={onClose} /> }
    case 'author':
      return { title: detail.author.name, body: <AuthorDetail author={detail.author} onClose={onClose} /> }
    case 'creator':
      return {
        title: detail.creator.name,
        body: <CreatorDetail creator={detail.creator} onClose={onClose} />,
      }
    case 'room':
      return { title: detail.room.name, body: <RoomDetail room={detail.room} onClose={onClose} /> }
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
