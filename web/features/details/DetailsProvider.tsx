import { createContext, useContext, useState, type ReactNode } from 'react'
import type { Creator } from '#contract/creators/creator.ts'
import type { Author } from '#contract/feed/authors.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import type { FeedRoom } from '#contract/rooms/room.ts'
import { markOpened } from '#web/features/follows/index.ts'
import { failedDialog, part } from '#web/ui/part.tsx'

export type Detail =
  | { type: 'post'; post: PublicPost }
  | { type: 'author'; author: Author }
  | { type: 'author of a post'; post: PublicPost }
  | { type: 'creator'; creator: Creator }
  | { type: 'room'; room: FeedRoom }

export interface Details {
  showPost: (post: PublicPost) => void
  showAuthor: (author: Author) => void
  showAuthorOf: (post: PublicPost) => void
  showCreator: (creator: Creator) => void
  showRoom: (room: FeedRoom) => void
}

/** `const details = useDetails()`, then `details.showPost(post)`: one dialog for posts, people and rooms. */
export function useDetails() {
  const details = useContext(Context)
  if (!details) throw new Error('useDetails needs a DetailsProvider above it')
  return details
}

export function DetailsProvider({ children }: { children: ReactNode }) {
  const [detail, setDetail] = useState<Detail | null>(null)
  const [details] = useState<Details>(() => ({
    showPost: (post) => setDetail({ type: 'post', post }),
    showAuthor: (author) => {
      markOpened(author.id)
      setDetail({ type: 'author', author })
    },
    showAuthorOf: (post) => setDetail({ type: 'author of a post', post }),
    showCreator: (creator) => {
      markOpened(creator.id)
      setDetail({ type: 'creator', creator })
    },
    showRoom: (room) => setDetail({ type: 'room', room }),
  }))
  return (
    <Context value={details}>
      {children}
      {detail && <DetailDialog detail={detail} onClose={() => setDetail(null)} />}
    </Context>
  )
}

const Context = createContext<Details | null>(null)
// A circle of imports: the dialog shows a post whose author opens another detail through this provider. The dialog is
// loaded later, when this module is complete.
const DetailDialog = part(async () => (await import('./DetailDialog.tsx')).DetailDialog, failedDialog)
