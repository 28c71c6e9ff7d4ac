import { useRef } from 'react'
import { Link } from 'wouter'
import { listOwnPosts, type OwnPost } from '#contract/feed/review/endpoints.ts'
import { cut } from '#contract/text.ts'
import { useSession } from '#web/features/account/index.ts'
import { OwnPostMenu } from '#web/features/own-posts/index.ts'
import { usePages } from '#web/lib/pages.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { NotReady, Outdated } from '#web/ui/NotReady.tsx'
import { PostState } from '#web/features/posts/index.ts'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Time } from '#web/lib/Time.tsx'

/** The posts of this person, with their state and the reasons of the admins. */
export function YourPosts() {
  const posts = usePages(listOwnPosts, { limit: '20' })
  const list = useRef<HTMLUListElement>(null)
  return (
    <Card
      as="section"
      id="your-posts"
      aria-labelledby="your-posts-title"
      className="flex scroll-mt-20 flex-col gap-4 p-6"
    >
      <div>
        <h2 id="your-posts-title" className="text-xl">
          Your posts
        </h2>
        <p className="mt-2 text-sm text-ink-soft">
          Only you and the admins see this list and the reasons in it.
        </p>
        <Link href="/writing" className={buttonClass('link', 'mt-2')}>
          All your writing, to continue, change and take back
        </Link>
      </div>
      <NotReady of={posts} what="Your posts" waiting={<Skeleton className="h-24 w-full" />} />
      {posts.status === 'ready' && (
        <>
          <Outdated of={posts} what="Your posts" />
          {posts.data.items.length === 0 && <p className="text-sm">You have not sent a post yet.</p>}
          <ul ref={list} aria-label="Your posts" className="flex flex-col divide-y divide-line empty:hidden">
            {posts.data.items.map((post) => (
              <OwnRow key={post.id} post={post} />
            ))}
          </ul>
          <ShowMore of={posts.data} list={list} />
        </>
      )}
    </Card>
  )
}

const titleLength = 80

function OwnRow({ post }: { post: OwnPost }) {
  const { id, beginning, createdAt, publishedAt, editedAt, isVisible, hasWaitingVersion, reason } = post
  const { state } = useSession()
  const title = cut(beginning.trim().split('\n', 1)[0]!, titleLength)
  const isPublic = publishedAt !== null && isVisible
  return (
    <li className="flex flex-col gap-1 py-3">
      <div className="flex items-start justify-between gap-3">
        <p dir="auto" className="min-w-0 font-serif wrap-anywhere">
          {isPublic ? (
            <Link href={`/posts/${id}`} className="touch hover:underline">
              {title}
            </Link>
          ) : (
            title
          )}
        </p>
        <div className="flex shrink-0 items-center gap-2">
          <PostState post={post} />
          {state === 'registered' && (
            <OwnPostMenu postId={id} isPublished={publishedAt !== null} className="-my-1.5" />
          )}
        </div>
      </div>
      <p className="text-xs text-ink-soft">
        {publishedAt === null ? 'Sent' : 'Published'} <Time at={publishedAt ?? createdAt} />
        {publishedAt === null && isVisible && ', reviewed within a week'}
        {editedAt !== null && (
          <>
            , edited <Time at={editedAt} />
          </>
        )}
        {hasWaitingVersion && ', a new version waits for review'}
      </p>
      {reason !== null && (
        <p dir="auto" className="mt-1 border-s-2 border-edge ps-3 text-sm whitespace-pre-wrap wrap-anywhere">
          {reason}
        </p>
      )}
    </li>
  )
}
