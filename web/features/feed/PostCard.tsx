import { Heart, MessageCircle, Share2 } from 'lucide-react'
import { useState } from 'react'
import { categoryOf } from '#contract/feed/categories.ts'
import { shortCount } from '#contract/feed/counts.ts'
import type { Post } from '#contract/feed/post.ts'
import { useAppConfig } from '#web/lib/app-config.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Card } from '#web/ui/Card.tsx'
import { cx } from '#web/ui/cx.ts'
import { useToast } from '#web/ui/toasts.tsx'
import { useArticle } from './article.ts'
import { AuthorName } from './AuthorName.tsx'
import { postTime } from './post-time.ts'

const longFrom = { characters: 700, lines: 14 }
const isLong = (content: string) =>
  content.length > longFrom.characters || content.split('\n').length > longFrom.lines

/** A post in the list: its text with its line breaks, a long one fades. */
export function PostCard({ post, posts }: { post: Post; posts: readonly Post[] }) {
  const article = useArticle()
  const { timeZone } = useAppConfig()
  const long = isLong(post.content)
  const open = () => article.open(post.id)
  return (
    <Card as="article" aria-label={`Post by ${post.authorName}`} className="flex flex-col gap-4 p-5 sm:p-7">
      <header className="flex items-center gap-3">
        <Avatar name={post.authorName} />
        <div className="min-w-0 flex-1 pointer-coarse:-my-4">
          <AuthorName post={post} posts={posts} />
          <a
            href={`/posts/${post.id}`}
            className="touch flex w-fit items-center text-xs leading-6 text-ink-soft pointer-coarse:pb-5 hover:underline"
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return
              event.preventDefault()
              open()
            }}
          >
            {postTime(post, timeZone)}
          </a>
        </div>
        <Badge>{categoryOf(post.content)}</Badge>
      </header>
      {post.imageUrl !== null && (
        <img
          src={post.imageUrl}
          alt=""
          loading="lazy"
          className="max-h-96 w-full rounded-md bg-sunk object-contain"
        />
      )}
      {/* The button and the time above open it by keyboard; a click anywhere in the text is a comfort. */}
      <div
        className="relative cursor-pointer"
        onClick={() => hasSelectedText() || open()}
        role="presentation"
      >
        <div
          className={cx('reading max-w-reading whitespace-pre-wrap', long && 'max-h-80 overflow-hidden')}
          data-testid="post-content"
        >
          {post.content}
        </div>
        {long && (
          <div className="pointer-events-none absolute inset-x-0 bottom-0 h-20 bg-linear-to-t from-surface to-transparent" />
        )}
      </div>
      {long && (
        <button
          type="button"
          onClick={open}
          className="touch w-fit text-sm font-medium text-lamp hover:underline"
        >
          Continue reading
        </button>
      )}
      <PostActions post={post} onComment={open} />
    </Card>
  )
}

/** Who marks a passage to copy it does not want to leave. */
const hasSelectedText = () => getSelection()?.isCollapsed === false

const actionClass =
  'touch inline-flex items-center gap-1.5 rounded-md px-2 py-1 text-sm text-ink-soft hover:bg-sunk hover:text-ink'

export function PostActions({ post, onComment }: { post: Post; onComment?: () => void }) {
  const [isLiked, setIsLiked] = useState(false)
  const toast = useToast()
  const share = async () => {
    const address = `${location.origin}/posts/${post.id}`
    try {
      await navigator.clipboard.writeText(address)
      toast({ title: 'Address copied', description: address })
    } catch {
      // Plain http has no clipboard: the address can be copied by hand.
      toast({ title: 'The address of this post', description: address })
    }
  }
  return (
    <footer className="-mx-2 flex flex-wrap items-center gap-1">
      <button
        type="button"
        aria-pressed={isLiked}
        aria-label={`Like, ${shortCount(post.likeCount + Number(isLiked))}`}
        className={cx(actionClass, isLiked && 'text-lamp')}
        onClick={() => setIsLiked(!isLiked)}
      >
        <Heart aria-hidden className={cx('size-4', isLiked && 'fill-current')} />
        {shortCount(post.likeCount + Number(isLiked))}
      </button>
      <button
        type="button"
        aria-label={`Comments, ${shortCount(post.commentCount)}`}
        className={actionClass}
        onClick={onComment}
        disabled={onComment === undefined}
      >
        <MessageCircle aria-hidden className="size-4" />
        {shortCount(post.commentCount)}
      </button>
      <button
        type="button"
        aria-label={`Share, ${shortCount(post.shareCount)}`}
        className={actionClass}
        onClick={() => void share()}
      >
        <Share2 aria-hidden className="size-4" />
        {shortCount(post.shareCount)}
      </button>
    </footer>
  )
}
