import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { postPath, type PublicPost, titleOf } from '#contract/feed/post.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { leaveArticle } from '#web/features/posts/index.ts'
import { LeftOff } from '#web/features/reading-position/index.ts'
import { answersOf } from '#web/lib/api.ts'
import { useTitleOverPage } from '#web/lib/page-title.ts'
import { RequestError } from '#web/lib/request.ts'
import { NotReady } from '#web/ui/NotReady.tsx'
import { PageDialog } from '#web/ui/PageDialog.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ArticleBody, ArticleByline, ArticleTitle } from './Article.tsx'
import { usePost } from './api.ts'

/** A post that was opened from the feed, over it. Its links replace it by another one. */
export function ArticleDialog({ postId }: { postId: string }) {
  const [openedId] = useState(postId)
  const answer = usePost(postId)
  const inDay = usePostInDay(postId)
  // The day has the whole text: it can be read before the answer, and without a network.
  const post = answer.data ?? (answer.error instanceof RequestError ? undefined : inDay)
  useTitleOverPage(post && titleOf(post))
  if (post === undefined) {
    return (
      <PageDialog title="Article" onClose={leaveArticle}>
        <NotReady of={answer} what="This article" waiting={<Skeleton className="h-96 w-full" />} />
      </PageDialog>
    )
  }
  return (
    <PageDialog
      title={<ArticleTitle post={post} />}
      byline={<ArticleByline post={post} />}
      page={postId}
      belowTitle={<LeftOff key={postId} id={postId} />}
      onClose={leaveArticle}
      focusAfter={() => (postId === openedId ? null : inFeed(postId))}
    >
      <ArticleBody key={postId} post={post} />
    </PageDialog>
  )
}

/** The post as a day of the feed has it that this page has loaded. */
function usePostInDay(id: string): PublicPost | undefined {
  const days = useQueryClient().getQueriesData<PublicPost[]>(answersOf([getFeedDay]))
  return days.flatMap(([, posts]) => posts ?? []).find((post) => post.id === id)
}

/** The link in the card of a post, or the title of the feed where the post has no card. */
const inFeed = (postId: string) =>
  document.querySelector<HTMLElement>(`main a[href="${postPath(postId)}"]`) ??
  document.querySelector<HTMLElement>('main h1')
