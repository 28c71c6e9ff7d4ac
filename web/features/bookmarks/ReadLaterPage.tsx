import { useRef } from 'react'
import { Link } from 'wouter'
import { type Bookmark, listBookmarks } from '#contract/bookmarks/endpoints.ts'
import { postPath } from '#contract/feed/post.ts'
import { personPath } from '#contract/people/paths.ts'
import { SignInNotice, useSession } from '#web/features/account/index.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { usePages } from '#web/lib/pages.ts'
import { longDate } from '#web/lib/Time.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useFocusBeside } from '#web/ui/use-focus-beside.ts'
import { useReadBookmarks } from './use-bookmarks.ts'
import { useRemovals } from './use-removals.ts'

export function ReadLaterPage() {
  usePageTitle('Read later')
  const { state } = useSession()
  return (
    <section aria-labelledby="page-name" className="flex flex-col gap-4 sm:gap-6">
      <h1 id="page-name" tabIndex={-1} className="w-fit text-2xl">
        Read later
      </h1>
      {state === 'unknown' && <Skeleton className="h-64 w-full" />}
      {(state === 'none' || state === 'guest') && (
        <SignInNotice text="Sign in to keep posts to read later." />
      )}
      {state === 'registered' && <Bookmarks />}
    </section>
  )
}

function Bookmarks() {
  const bookmarks = usePages(listBookmarks, { limit: '50' })
  const { hiddenIds, remove } = useRemovals()
  useReadBookmarks()
  const list = useRef<HTMLUListElement>(null)
  if (bookmarks.status !== 'ready')
    return <ListNotReady of={bookmarks} what="The posts that you keep" count={3} each="h-16" />
  const { readMore } = bookmarks.data
  const items = bookmarks.data.items.filter(({ id }) => !hiddenIds.has(id))
  if (items.length === 0 && readMore === null)
    return (
      <EmptyState
        text="You keep no posts. Press the bookmark below a post, and you find the post here on all your devices."
        drawing="book"
        action={
          <Link href="/dashboard" className={buttonClass('quiet')}>
            Go to the feed
          </Link>
        }
      />
    )
  return (
    <div className="flex w-full max-w-3xl flex-col gap-4">
      <Outdated of={bookmarks} what="The posts that you keep" />
      <p className="text-sm text-ink-soft">Only you see what you keep.</p>
      <ul ref={list} aria-label="Posts to read later" className="flex flex-col divide-y divide-line">
        {items.map((bookmark) => (
          <BookmarkRow key={bookmark.id} bookmark={bookmark} onRemove={() => remove(bookmark)} />
        ))}
      </ul>
      <ShowMore of={bookmarks.data} list={list} />
    </div>
  )
}

function BookmarkRow({ bookmark, onRemove }: { bookmark: Bookmark; onRemove: () => void }) {
  const { id, title, authorName, authorId, readingMinutes, createdAt } = bookmark
  const row = useFocusBeside<HTMLLIElement>()
  return (
    <li ref={row} className="flex items-start gap-3 py-3">
      <div className="min-w-0 flex-1">
        <Link
          href={postPath(id)}
          dir="auto"
          className="touch flex items-center font-serif text-lg wrap-anywhere hover:underline"
        >
          {title}
        </Link>
        <p className="text-xs text-ink-soft">
          {authorId === null ? (
            <bdi className="wrap-anywhere">{authorName}</bdi>
          ) : (
            <Link href={personPath(authorId)} className="touch underline-offset-4 hover:underline">
              <bdi className="wrap-anywhere">{authorName}</bdi>
            </Link>
          )}{' '}
          · {minutesText(readingMinutes)} to read · kept{' '}
          <time dateTime={createdAt}>{longDate(createdAt)}</time>
        </p>
      </div>
      <Button variant="quiet" onClick={onRemove}>
        Remove<span className="sr-only"> {title}</span>
      </Button>
    </li>
  )
}

const minutesText = (minutes: number) => (minutes < 2 ? '1 minute' : `${minutes} minutes`)
