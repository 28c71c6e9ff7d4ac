import { Flag } from 'lucide-react'
import type { Post } from '#contract/feed/post.ts'
import { useReport } from '#web/features/abuse-reports/index.ts'

interface ReportPostProps {
  post: Pick<Post, 'id'>
  className: string
}

/** The button that reports a post. */
export function ReportPost({ post: { id }, className }: ReportPostProps) {
  const { report, dialog } = useReport()
  return (
    <>
      <button
        type="button"
        aria-label="Report this post"
        className={className}
        onClick={() => report({ kind: 'post', id })}
      >
        <Flag aria-hidden className="size-4" />
      </button>
      {dialog}
    </>
  )
}
