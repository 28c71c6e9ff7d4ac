import { memo } from 'react'
import { foundCategoryOf } from '#contract/feed/categories.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { openArticle } from '#web/features/posts/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { beginningOf } from '#contract/beginning.ts'
import { useClockFormat } from '#web/lib/locale.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Card } from '#web/ui/Card.tsx'
import { cx } from '#web/ui/cx.ts'
import { pressed } from '#web/ui/pressed.ts'
import { WrittenText } from '#web/ui/WrittenText.tsx'
import { AuthorName } from './AuthorName.tsx'
import { pictureSize } from './picture-size.ts'
import { PostActions } from './PostActions.tsx'
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
