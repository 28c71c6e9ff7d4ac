import { Heart, MessageCircle, Share2 } from 'lucide-react'
import { memo, useState } from 'react'
import { foundCategoryOf } from '#contract/feed/categories.ts'
import { shortCount } from './counts.ts'
import type { Post, PublicPost } from '#contract/feed/post.ts'
import { useSession } from '#web/features/account/index.ts'
import { openArticle } from '#web/features/posts/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { beginningOf } from '#contract/beginning.ts'
import { useClockFormat } from '#web/lib/locale.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Card } from '#web/ui/Card.tsx'
import { cx } from '#web/ui/cx.ts'
import { part } from '#web/ui/part.tsx'
import { pressed } from '#web/ui/pressed.ts'
import { useToast } from '#web/ui/toasts.tsx'
import { WrittenText } from '#web/ui/WrittenText.tsx'
import { AuthorName } from './AuthorName.tsx'
import { pictureSize } from './picture-size.ts'
import { editedText, postTime } from './post-time.ts'

const longFrom = { characters: 700, lines: 14 }
export const isLong = (content: string) =>
  content.length > longFrom.characters || content.split('\n').length > longFrom.lines

/** A post in the list. A long text fades out. The page is drawn again for each address, and the posts are not. */
export const PostCard = memo(function PostCard({ post }: { post: PublicPost }) {
  const { timeZone } = useAppConfig()
  const clock = useClockFormat()
  const long = isLong(post.content)
  const category = post.category ?? foundCategoryOf(post.content)
  const open = () => openArticle(post.id)
  return (
    <Card
      as="article"
      data-post
      aria-label={`Post by ${post.authorName}`}
      className="flex flex-col gap-4 p-5 sm:p-7"
      onKeyDown={(event) => event.key === 'Enter' && event.target === event.currentTarget && open()}
    >
      <header className="flex items-center gap-3">
        <Avatar name={post.authorName} />
        <div className="min-w-0 flex-1 pointer-coarse:-my-4">
          <AuthorName post={post} />
          <a
            href={`/posts/${post.id}`}
            className="touch flex w-fit items-center text-xs leading-6 text-ink-soft pointer-coarse:pb-5 hover:underline"
            onClick={pressed(open)}
            suppressHydrationWarning
          >
            <span>
              <time dateTime={post.publishedAt ?? post.createdAt} suppressHydrationWarning>
                {postTime(post, timeZone, clock)}
              </time>
              {editedText(post, timeZone, clock)}
            </span>
          </a>
        </div>
        {category && <Badge>{category}</Badge>}
      </header>
      {post.imageUrl !== null && (
        <img
          src={post.imageUrl}
          {...pictureSize(post.imageUrl)}
          alt=""
          loading="lazy"
          className="max-h-96 w-full rounded-md bg-sunk object-contain"
        />
      )}
      {/* A click on the text opens the article. A keyboard uses the time above or the button below. */}
      <div
        className="relative cursor-pointer"
        onClick={() => hasSelectedText() || open()}
        role="presentation"
      >
        <div
          className={cx('reading max-w-reading whitespace-pre-wrap', long && 'max-h-80 overflow-hidden')}
          data-testid="post-content"
        >
          <WrittenText text={long ? beginningOf(post.content) : post.content} form={post.form} />
        </div>
        {long && (
          <div className="pointer-events-none absolute inset-x-0 bottom-0 h-20 bg-linear-to-t from-surface to-transparent" />
        )}
      </div>
      {long && (
        <a
          href={`/posts/${post.id}`}
          onClick={pressed(open)}
          className="touch w-fit text-sm font-medium text-lamp hover:underline"
        >
          Continue reading
        </a>
      )}
      <PostActions post={post} onComment={open} />
    </Card>
  )
})

/** Selecting text to copy it ends in a click, which must not open the article. */
const hasSelectedText = () => getSelection()?.isCollapsed === false

const actionClass =
  'touch inline-flex items-center gap-1 rounded-md px-1 py-1 text-xs text-ink-soft hover:bg-sunk hover:text-ink sm:gap-1.5 sm:px-2 sm:text-sm'

/** A count of nothing is not drawn. The name of the button says it. */
const shownCount = (count: number) => count > 0 && shortCount(count)

export function PostActions({ post, onComment }: { post: Post; onComment?: () => void }) {
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
        disabled={onComment === undefined}
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
  (tryAgain, kept, { className }) => (
    <>
      <button type="button" className={className} onClick={tryAgain}>
        Try again
      </button>
      {kept}
    </>
  ),
)
