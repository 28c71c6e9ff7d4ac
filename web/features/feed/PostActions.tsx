import { Heart, MessageCircle, Share2 } from 'lucide-react'
import { useState } from 'react'
import type { Post } from '#contract/feed/post.ts'
import { useSession } from '#web/features/account/index.ts'
import { cx } from '#web/ui/cx.ts'
import { failedButton, part } from '#web/ui/part.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { shortCount } from './counts.ts'

const actionClass =
  'touch inline-flex items-center gap-1 rounded-md px-1 py-1 text-xs text-ink-soft hover:bg-sunk hover:text-ink sm:gap-1.5 sm:px-2 sm:text-sm'

/** A count of nothing is not drawn. The name of the button says it. */
const shownCount = (count: number) => count > 0 && shortCount(count)

export function PostActions({ post, onComment }: { post: Post; onComment: () => void }) {
  const [isLiked, setIsLiked] = useState(false)
  const toast = useToast()
  const { state } = useSession()
  const share = async () => {
    const address = `${location.origin}/posts/${post.id}`
    try {
      await navigator.clipboard.writeText(address)
      toast({ title: 'Address copied', description: address })
    } catch {
      // Without https there is no clipboard: the toast shows the address, so that the person can copy it.
      toast({ title: 'The address of this post', description: address })
    }
  }
  return (
    <footer className="-mx-1 flex flex-wrap items-center sm:-mx-2 sm:gap-1">
      <button
        type="button"
        aria-pressed={isLiked}
        aria-label={`Like, ${shortCount(post.likeCount + Number(isLiked))}`}
        className={cx(actionClass, isLiked && 'text-lamp')}
        onClick={() => setIsLiked(!isLiked)}
      >
        <Heart aria-hidden className={cx('size-4', isLiked && 'fill-current')} />
        {shownCount(post.likeCount + Number(isLiked))}
      </button>
      <button
        type="button"
        aria-label={`Comments, ${shortCount(post.commentCount)}`}
        className={actionClass}
        onClick={onComment}
      >
        <MessageCircle aria-hidden className="size-4" />
        {shownCount(post.commentCount)}
      </button>
      <button
        type="button"
        aria-label={`Share, ${shortCount(post.shareCount)}`}
        className={actionClass}
        onClick={() => void share()}
      >
        <Share2 aria-hidden className="size-4" />
        {shownCount(post.shareCount)}
      </button>
      {state === 'registered' && <PostTools post={post} className={actionClass} />}
    </footer>
  )
}

/** Most readers of the feed have no account and fetch no file for this. */
const PostTools = part<{ post: Post; className: string }>(
  async () => (await import('./PostTools.tsx')).PostTools,
  failedButton,
)
