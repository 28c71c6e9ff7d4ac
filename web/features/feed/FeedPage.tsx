import { ArrowLeft } from 'lucide-react'
import { useEffect, useLayoutEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { addDays, dateLabel, dayLabel } from '#contract/days.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { feedTitle } from '#contract/feed/title.ts'
import { loadCreatePostDialog } from '#web/features/posts/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { onKeys } from '#web/lib/keys.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { AdPlaceholder } from '#web/ui/AdPlaceholder.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { pressed } from '#web/ui/pressed.ts'
import { useToast } from '#web/ui/toasts.tsx'
import { useFeedDay } from './api.ts'
import { ArticleDialog } from './article-part.tsx'
import { feedDayPath, feedTitleId } from './day-names.ts'
import { DayNavigator } from './DayNavigator.tsx'
import { isLong, PostCard } from './PostCard.tsx'
import { FeedSections } from './sections/FeedSections.tsx'

/** A day of the feed. An article that is opened from it covers it. */
export function FeedPage({ articleId }: { articleId?: string | undefined }) {
  const { today } = useAppConfig()
  const [offset, setOffset] = useOffset()
  const [isWriting, setIsWriting] = useState(false)
  const feed = useFeedDay(offset)
  const day = addDays(today, -offset)
  const label = dayLabel(day, today)
  usePageTitle('Feed', feedTitle(day, today))
  const write = () => setIsWriting(true)
  const failure = feed.status === 'failed' ? feed.error : null

  useEffect(() => {
    if (failure) console.error('Failed to fetch day-specific posts', failure)
  }, [failure])
  useLayoutEffect(() => onKeys('n', () => setIsWriting(true)), [])

  return (
    <>
      <div className={cx('flex flex-col gap-4 sm:gap-8', articleId !== undefined && 'print:hidden')}>
        <DayNavigator today={today} offset={offset} onChange={setOffset} onWrite={write} />
        <div className="flex w-full max-w-3xl flex-col gap-5">
          {feed.status === 'loading' && <FeedSkeleton />}
          {feed.status === 'failed' && <FeedFailed />}
          {feed.status === 'ready' && (
            <>
              <PostList posts={feed.data} label={label} onWrite={write} />
              <OlderDay today={today} offset={offset + 1} onOpen={setOffset} />
            </>
          )}
        </div>
        {feed.status === 'ready' && <FeedSections posts={feed.data} dayLabel={label} />}
        {isWriting && <CreatePostDialog onClose={() => setIsWriting(false)} />}
      </div>
      {articleId !== undefined && <ArticleDialog key={articleId} postId={articleId} />}
    </>
  )
}

const CreatePostDialog = part(loadCreatePostDialog, failedDialog)

const adAfterEvery = 3
/** The first posts get their true height at once, so that nothing below them moves. */
const drawnAtOnce = 10

function PostList({ posts, label, onWrite }: { posts: PublicPost[]; label: string; onWrite: () => void }) {
  if (posts.length === 0) {
    return (
      <EmptyState
        text={
          <>
            <span className="block text-xl text-ink">No posts for {label}</span>
            <span className="block text-base">Check another day or create the first post!</span>
          </>
        }
        action={<Button onClick={onWrite}>Write the first post</Button>}
      />
    )
  }
  return (
    <ol className="flex flex-col gap-5" aria-label={`Posts of ${label}`}>
      {posts.map((post, i) => (
        <li
          key={post.id}
          className={cx(
            'flex flex-col gap-5',
            i >= drawnAtOnce && '[content-visibility:auto]',
            // About the height of the card, which is reserved until the card is drawn.
            isLong(post.content)
              ? '[contain-intrinsic-size:auto_34rem]'
              : '[contain-intrinsic-size:auto_15rem]',
          )}
        >
          <PostCard post={post} />
          {(i + 1) % adAfterEvery === 0 && <AdPlaceholder />}
        </li>
      ))}
    </ol>
  )
}

interface OlderDayProps {
  today: string
  offset: number
  onOpen: (offset: number) => void
}

/** The link below the last post. It opens the day before, and moves the focus to the title of the page. */
function OlderDay({ today, offset, onOpen }: OlderDayProps) {
  const open = () => {
    onOpen(offset)
    scrollTo(0, 0)
    document.getElementById(feedTitleId)?.focus()
  }
  return (
    <a href={feedDayPath(offset)} className={buttonClass('quiet', 'self-center')} onClick={pressed(open)}>
      <ArrowLeft aria-hidden className="size-4" />
      {dateLabel(addDays(today, -offset), today)}
    </a>
  )
}

function FeedSkeleton() {
  return (
    <div role="status" aria-label="Loading the feed" className="flex flex-col gap-5">
      {[1, 2, 3].map((i) => (
        <Skeleton key={i} className="h-64 w-full rounded-lg" />
      ))}
    </div>
  )
}

function FeedFailed() {
  return (
    <div role="alert" className="flex min-h-64 flex-col items-center justify-center gap-3 text-center">
      <h2 className="text-xl">Error Loading Feed</h2>
      <p className="text-ink-soft">Unable to load the content feed. Please try again.</p>
      <Button onClick={() => location.reload()}>Refresh Page</Button>
    </div>
  )
}

/** The address holds the day, as days before today. A day in the future becomes today, and a toast says why. */
function useOffset(): [number, (offset: number) => void] {
  const [path, navigate] = useLocation()
  const asked = new URLSearchParams(useSearch()).get('day') ?? '0'
  const toast = useToast()
  const wanted = /^-?\d{1,5}$/.test(asked) ? Number(asked) : 0

  const setOffset = (offset: number) => {
    if (offset < 0) return toast({ title: futureDay })
    const search = offset > 0 ? `?day=${offset}` : ''
    navigate(`${path.startsWith('/posts/') ? '/dashboard' : path}${search}`)
  }
  useEffect(() => {
    if (wanted >= 0) return
    toast({ title: futureDay })
    navigate(path, { replace: true })
  }, [wanted, path, navigate, toast])
  return [Math.max(0, wanted), setOffset]
}

const futureDay = 'Future dates are not available'
