import { useRef } from 'react'
import { Link } from 'wouter'
import { listOwnPosts } from '#contract/feed/review/endpoints.ts'
import { OwnPostRow } from '#web/features/own-posts/index.ts'
import { usePages } from '#web/lib/pages.ts'
import { Card } from '#web/ui/Card.tsx'
import { NotReady, Outdated } from '#web/ui/NotReady.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

/** The posts of this person, with their state and the reasons of the admins. */
export function YourPosts() {
  const posts = usePages(listOwnPosts, { limit: '20' })
  const list = useRef<HTMLUListElement>(null)
  return (
    <Card
      as="section"
      id="your-posts"
      aria-labelledby="your-posts-title"
      tabIndex={-1}
      className="flex scroll-mt-20 flex-col gap-4 p-6 outline-none"
    >
      <div>
        <h2 id="your-posts-title" className="text-xl">
          Your posts
        </h2>
        <p className="mt-2 text-sm text-ink-soft">
          Only you and the admins see this list and the reasons in it.
        </p>
        <Link
          href="/writing"
          className="touch mt-2 inline-block font-medium text-lamp underline underline-offset-4"
        >
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
              <OwnPostRow key={post.id} post={post} />
            ))}
          </ul>
          <ShowMore of={posts.data} list={list} />
        </>
      )}
    </Card>
  )
}
