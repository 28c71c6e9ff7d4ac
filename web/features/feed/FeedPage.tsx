import { ArrowLeft } from 'lucide-react'
import { useEffect, useLayoutEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { addDays, dateLabel, dayLabel, isDay } from '#contract/days.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { feedTitle } from '#contract/feed/title.ts'
import { loadCreatePostDialog, useIsOverFeed } from '#web/features/posts/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { useDrawnHeight } from '#web/lib/drawn-height.ts'
import { onKeys } from '#web/lib/keys.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { AdPlaceholder } from '#web/ui/AdPlaceholder.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useFeedDay } from './api.ts'
import { ArticleDialog } from './article-part.tsx'
import { feedTitleId, isInFeed, pathInFeed } from './day-names.ts'
import { DayLink } from './DayLink.tsx'
import { DayNavigator } from './DayNavigator.tsx'
import { EmptyDay } from './EmptyDay.tsx'
import { isLong, PostCard } from './PostCard.tsx'
import { FeedSections } from './sections/FeedSections.tsx'

/** A day of the feed. An article that is opened from it covers it. */
export function FeedPage({ articleId }: { articleId?: string | undefined }) {
  const { today } = useAppConfig()
  const [day, setDay] = useDay(today)
  // The page to write on leads back to the dialog in this way.
  const [isWriting, setIsWriting] = useState(useIsOverFeed() && articleId === undefined)
  const feed = useFeedDay(day)
  const label = dayLabel(day, today)
  usePageTitle('Feed', feedTitle(day, today))
  const write = () => setIsWriting(true)
  const older = addDays(day, -1)
  /** Opens another day, and moves the focus to the title of the page. */
  const openFromBelow = (other: string) => {
    setDay(other)
    scrollTo(0, 0)
    document.getElementById(feedTitleId)?.focus()
  }
  const failure = feed.status === 'failed' ? feed.error : null

  useEffect(() => {
    if (failure) console.error('Failed to fetch day-specific posts', failure)
  }, [failure])
  useLayoutEffect(() => onKeys('n', () => setIsWriting(true)), [])

  return (
    <>
      <div className={cx('flex flex-col gap-4 sm:gap-8', articleId !== undefined && 'print:hidden')}>
        <DayNavigator today={today} day={day} onChange={setDay} onWrite={write} />
        <div className="mx-auto flex w-full max-w-3xl flex-col gap-5">
          {feed.status === 'loading' && <FeedSkeleton />}
          {feed.status === 'failed' && <FeedFailed />}
          {feed.status === 'ready' && (
            <>
              {feed.data.length === 0 ? (
                <EmptyDay day={day} today={today} onOpen={openFromBelow} onWrite={write} />
              ) : (
                <PostList key={day} posts={feed.data} label={label} />
              )}
              <DayLink
                today={today}
                day={older}
                className={buttonClass('quiet', 'self-center')}
                onOpen={openFromBelow}
              >
                <ArrowLeft aria-hidden className="size-4" />
                {dateLabel(older, today)}
              </DayLink>
            </>
          )}
        </div>
        {feed.status === 'ready' && <FeedSections posts={feed.data} dayLabel={label} />}
        {isWriting && <CreatePostDialog onClose={() => setIsWriting(false)} />}
      </div>
      {articleId !== undefined && <ArticleDialog postId={articleId} />}
    </>
  )
}

const CreatePostDialog = part(loadCreatePostDialog, failedDialog)
const adAfterEvery = 3
/** These posts have no reserved height once they are rendered, so that nothing below them moves while a reader scrolls. */
const renderedFully = 10
/** How many posts fill the height. A card with a long text is more than twice as high as any other one. */
function countIn(posts: PublicPost[], height: number): number {
  let left = height
  const last = posts.findIndex(({ content }) => (left -= isLong(content) ? 560 : 220) <= 0)
  return last + 1 || posts.length
}

function PostList({ posts, label }: { posts: PublicPost[]; label: string }) {
  const rendered = countIn(posts, useDrawnHeight())
  return (
    <ol className="flex flex-col gap-5" aria-label={`Posts of ${label}`}>
      {posts.map((post, i) => (
        <li
          key={post.id}
          className={cx(
            'flex flex-col gap-5',
            i >= rendered ? '[content-visibility:hidden]' : i >= renderedFully && '[content-visibility:auto]',
            // About the height of the card, which is reserved until the card is rendered and near the window.
            isLong(post.content)
              ? '[contain-intrinsic-size:auto_34rem]'
              : '[contain-intrinsic-size:auto_15rem]',
          )}
        >
          {i < rendered && (
            <>
              <PostCard post={post} />
              {(i + 1) % adAfterEvery === 0 && <AdPlaceholder />}
            </>
          )}
        </li>
      ))}
    </ol>
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

/** The day in the address. Where the feed has no such day it is today, a toast says why, and the address is corrected. */
function useDay(today: string): [string, (day: string) => void] {
  const [path, navigate] = useLocation()
  const search = new URLSearchParams(useSearch())
  const toast = useToast()
  // Older links have the number of days before today instead of a date.
  const days = /^-?\d{1,5}$/.exec(search.get('day') ?? '')?.[0]
  const wanted = search.get('date') ?? (days === undefined ? today : addDays(today, -Number(days)))
  const refusal = refusalOf(wanted, today)
  const day = refusal === undefined ? wanted : today
  const isCorrected = refusal !== undefined || days !== undefined

  useEffect(() => {
    if (refusal !== undefined) toast({ title: refusal })
    if (isCorrected) navigate(pathInFeed(day, today, path), { replace: true })
  }, [refusal, isCorrected, day, today, path, navigate, toast])
  const setDay = (other: string) => {
    if (other > today) return toast({ title: futureDay })
    navigate(pathInFeed(other, today, path.startsWith('/posts/') ? undefined : path))
  }
  return [day, setDay]
}

function refusalOf(day: string, today: string) {
  if (isInFeed(day, today)) return undefined
  return isDay(day) && day > today ? futureDay : 'The feed has no such day.'
}

const futureDay = 'Future dates are not available'
