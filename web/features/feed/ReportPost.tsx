import { Flag } from 'lucide-react'
import { useReport } from '#web/features/abuse-reports/index.ts'

interface ReportPostProps {
  postId: string
  className: string
}

/** The button that reports a post. */
export function ReportPost({ postId, className }: ReportPostProps) {
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
      {dialog}
    </>
  )
}
