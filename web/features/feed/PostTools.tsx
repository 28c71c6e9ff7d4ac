import type { Post } from '#contract/feed/post.ts'
import { useSession } from '#web/features/account/index.ts'
import { ReadLaterButton } from '#web/features/bookmarks/index.ts'
import { OwnPostMenu, useIsOwnPost } from '#web/features/own-posts/index.ts'
import { failedButton, part } from '#web/ui/part.tsx'

/** What a reader with an account can do with a post: keep it to read later, change the own one, report another one, or as an admin erase it. */
export function PostTools({ post, className }: { post: Post; className: string }) {
  const isOwn = useIsOwnPost(post)
  const { isAdmin } = useSession()
  return (
    <>
      <ReadLaterButton postId={post.id} className={className} />
      {isOwn === true && <OwnPostMenu postId={post.id} isPublished className="ms-auto" />}
      {isOwn === false && (
        <span className="ms-auto inline-flex sm:gap-1">
          <ReportPost post={post} className={className} />
          {isAdmin && <ErasePost post={post} className={className} />}
        </span>
      )}
    </>
  )
}

interface ToolProps {
  post: Post
  className: string
}

/** Authors of all posts on a page do not fetch it. */
const ReportPost = part<ToolProps>(async () => (await import('./ReportPost.tsx')).ReportPost, failedButton)
const ErasePost = part<ToolProps>(async () => (await import('./ErasePost.tsx')).ErasePost, failedButton)
