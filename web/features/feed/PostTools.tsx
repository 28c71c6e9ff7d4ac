import type { Post } from '#contract/feed/post.ts'
import { ReadLaterButton } from '#web/features/bookmarks/index.ts'
import { OwnPostMenu, useIsOwnPost } from '#web/features/own-posts/index.ts'
import { part } from '#web/ui/part.tsx'

/** What a reader with an account can do with a post: keep it to read later, change the own one, or report another one. */
export function PostTools({ post, className }: { post: Post; className: string }) {
  const isOwn = useIsOwnPost(post)
  return (
    <>
      <ReadLaterButton postId={post.id} className={className} />
      {isOwn === true && <OwnPostMenu postId={post.id} isPublished className="ms-auto" />}
      {isOwn === false && (
        <span className="ms-auto inline-flex gap-1">
          <ReportPost postId={post.id} className={className} />
        </span>
      )}
    </>
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
