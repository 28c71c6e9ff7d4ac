import { Link } from 'wouter'
import { titleOf } from '#contract/feed/post.ts'
import { openSignIn, useSession } from '#web/features/account/index.ts'
import { LeftOff, useIsPositionAwaited } from '#web/features/reading-position/index.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { NotReady } from '#web/ui/NotReady.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ArticleBody, ArticleByline, ArticleTitle } from './Article.tsx'
import { usePost } from './api.ts'

/** A post at its own address. The frame shows the 404 page when there is no such post. */
export function ArticlePage({ id }: { id: string }) {
  const post = usePost(id)
  usePageTitle(post.status === 'ready' ? titleOf(post.data) : 'Article')
  const isPositionAwaited = useIsPositionAwaited(id)
  if (post.status !== 'ready') return <NotReady of={post} what="This article" waiting={<Waiting />} />
  if (isPositionAwaited) return <Waiting />
  return (
    <article aria-labelledby="page-name" className="reading-column pb-8 sm:pt-4">
      <h1 id="page-name" dir="auto" className="text-3xl font-semibold">
        <ArticleTitle post={post.data} />
      </h1>
      <LeftOff id={id} />
      <p className="mt-3 mb-8 font-sans text-sm text-ink-soft">
        <ArticleByline post={post.data} />
      </p>
      <ArticleBody
        post={post.data}
        next={
          <>
            <ForNewcomer />
            <Link href="/dashboard" className={buttonClass('quiet', 'w-fit')}>
              Go to the feed
            </Link>
          </>
        }
      />
    </article>
  )
}

const Waiting = () => (
  <div role="status" aria-label="Loading the article" data-waiting>
    <Skeleton className="reading-column h-[70dvh]" />
  </div>
)

/** Says to a visitor, who came by a link, what this place is. */
function ForNewcomer() {
  const { state } = useSession()
  if (state !== 'none') return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-6">
      <p className="min-w-0 flex-1 basis-60">
        Z!mmer is a place for people who write: a feed by day, a diary, and rooms in which a group writes one
        story.
      </p>
      <Button onClick={openSignIn}>Sign Up</Button>
    </div>
  )
}
