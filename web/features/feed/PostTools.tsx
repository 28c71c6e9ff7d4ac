import type { Post } from '#contract/feed/post.ts'
import { OwnPostMenu, useIsOwnPost } from '#web/features/own-posts/index.ts'
import { part } from '#web/ui/part.tsx'

/** What a reader with an account can do with a post: change the own one, or report another one. */
export function PostTools({ post, className }: { post: Post; className: string }) {
  const isOwn = useIsOwnPost(post)
  if (isOwn === undefined) return null
  return isOwn ? (
    <OwnPostMenu postId={post.id} isPublished className="ms-auto" />
  ) : (
    <ReportPost postId={post.id} className={className} />
  )
}

/** Authors of all posts on a page do not fetch it. */
const ReportPost = part<{ postId: string; className: string }>(
  async () => (await import('./ReportPost.tsx')).ReportPost,
  (tryAgain, kept, { className }) => (
    <>
      <button type="button" className={className} onClick={tryAgain}>
        Try again
      </button>
      {kept}
    </>
  ),
)
