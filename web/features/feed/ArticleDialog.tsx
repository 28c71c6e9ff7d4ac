import { titleOf } from '#contract/feed/post.ts'
import { leaveArticle } from '#web/features/posts/index.ts'
import { useTitleOverPage } from '#web/lib/page-title.ts'
import { NotReady } from '#web/ui/NotReady.tsx'
import { PageDialog } from '#web/ui/PageDialog.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ArticleBody, ArticleByline, ArticleTitle } from './Article.tsx'
import { usePost } from './api.ts'

/** A post that was opened from the feed, over it. */
export function ArticleDialog({ postId }: { postId: string }) {
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
      onClose={leaveArticle}
    >
      <ArticleBody post={post.data} />
    </PageDialog>
  )
}
