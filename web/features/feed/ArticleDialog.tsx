import { useState } from 'react'
import { postPath, titleOf } from '#contract/feed/post.ts'
import { leaveArticle } from '#web/features/posts/index.ts'
import { LeftOff } from '#web/features/reading-position/index.ts'
import { useTitleOverPage } from '#web/lib/page-title.ts'
import { NotReady } from '#web/ui/NotReady.tsx'
import { PageDialog } from '#web/ui/PageDialog.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ArticleBody, ArticleByline, ArticleTitle } from './Article.tsx'
import { usePost } from './api.ts'

/** A post that was opened from the feed, over it. Its links replace it by another one. */
export function ArticleDialog({ postId }: { postId: string }) {
  const [openedId] = useState(postId)
  const post = usePost(postId)
  useTitleOverPage(post.status === 'ready' ? titleOf(post.data) : undefined)
  if (post.status !== 'ready') {
    return (
      <PageDialog title="Article" onClose={leaveArticle}>
        <NotReady of={post} what="This article" waiting={<Skeleton className="h-96 w-full" />} />
      </PageDialog>
    )
  }
  return (
    <PageDialog
      title={<ArticleTitle post={post.data} />}
      byline={<ArticleByline post={post.data} />}
      page={postId}
      belowTitle={<LeftOff key={postId} id={postId} />}
      onClose={leaveArticle}
      focusAfter={() => (postId === openedId ? null : inFeed(postId))}
    >
      <ArticleBody key={postId} post={post.data} />
    </PageDialog>
  )
}

/** The link in the card of a post, or the title of the feed where the post has no card. */
const inFeed = (postId: string) =>
  document.querySelector<HTMLElement>(`main a[href="${postPath(postId)}"]`) ??
  document.querySelector<HTMLElement>('main h1')
