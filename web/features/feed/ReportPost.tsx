import { Eraser, Flag } from 'lucide-react'
import { useLocation } from 'wouter'
import { postPath } from '#contract/feed/post.ts'
import { useReport } from '#web/features/abuse-reports/index.ts'
import { useSession } from '#web/features/account/index.ts'
import { useErase } from '#web/features/erasing/index.ts'
import { leaveArticle, useIsOverFeed } from '#web/features/posts/index.ts'

interface ReportPostProps {
  postId: string
  className: string
}

/** The button that reports a post, and for an admin the one that erases it. */
export function ReportPost({ postId, className }: ReportPostProps) {
  const { isAdmin } = useSession()
  const { report, dialog } = useReport()
  return (
    <>
      <button
        type="button"
        aria-label="Report this post"
        className={className}
        onClick={() => report({ kind: 'post', id: postId })}
      >
        <Flag aria-hidden className="size-4" />
      </button>
      {isAdmin && <ErasePost postId={postId} className={className} />}
      {dialog}
    </>
  )
}

function ErasePost({ postId, className }: ReportPostProps) {
  const [path, navigate] = useLocation()
  const isOverFeed = useIsOverFeed()
  const { erase, dialog } = useErase(() => {
    if (path !== postPath(postId)) return
    if (isOverFeed) leaveArticle()
    else navigate('/dashboard')
  })
  return (
    <>
      <button
        type="button"
        aria-label="Erase this post"
        className={className}
        onClick={() => erase({ kind: 'post', id: postId })}
      >
        <Eraser aria-hidden className="size-4" />
      </button>
      {dialog}
    </>
  )
}
