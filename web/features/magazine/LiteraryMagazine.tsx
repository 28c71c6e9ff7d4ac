import { Download } from 'lucide-react'
import { getCurrentIssue } from '#contract/magazine/endpoints.ts'
import { useSession } from '#web/features/account/index.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { failedLine, part } from '#web/ui/part.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

const IssueUpload = part(
  async () => (await import('./IssueUpload.tsx')).IssueUpload,
  failedLine,
  () => <Skeleton className="h-32 w-full" />,
)

/** The current issue for everybody, and the upload of the next one for admins. */
export function LiteraryMagazine() {
  const { isAdmin } = useSession()
  return (
    <Card as="section" aria-labelledby="literary-magazine" className="flex flex-col gap-5 p-6">
      <div className="flex flex-col items-start gap-3">
        <h2 id="literary-magazine" className="text-xl">
          Literary Magazine
        </h2>
        <CurrentIssue />
      </div>
      {isAdmin && <IssueUpload />}
    </Card>
  )
}

function CurrentIssue() {
  const issue = useEndpoint(getCurrentIssue)
  if (issue.status === 'loading') return <Skeleton className="h-9 w-56" />
  if (issue.status === 'failed')
    return <QuietLine text="The current issue could not be loaded." onTryAgain={issue.refetch} />
  const { url } = issue.data
  if (url === null) return <p className="text-sm text-ink-soft">No issue yet</p>
  return (
    <a href={url} className={buttonClass('quiet')}>
      <Download aria-hidden className="size-4" />
      Download the current issue (PDF)
    </a>
  )
}
