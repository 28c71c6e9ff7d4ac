import { useState } from 'react'
import { listAbuseReports } from '#contract/abuse-reports/endpoints.ts'
import type { AbuseReport } from '#contract/abuse-reports/report.ts'
import { usePages } from '#web/lib/pages.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { CloseReportDialog } from './CloseReportDialog.tsx'
import { ReportRow } from './ReportRow.tsx'

/** What readers have reported, open reports first, then the newest. */
export function ReportList() {
  const reports = usePages(listAbuseReports, { limit: '50' })
  const [closing, setClosing] = useState<AbuseReport | null>(null)
  if (reports.status !== 'ready')
    return <ListNotReady of={reports} what="The reports" count={3} each="h-56" />
  const { items, readMore, isReadingMore } = reports.data
  return (
    <div className="flex flex-col gap-3">
      <Outdated of={reports} what="The reports" />
      {items.length === 0 && <EmptyState text="Nobody has reported anything" drawing="lamp" />}
      <ul aria-label="Reports" className="flex flex-col gap-3 empty:hidden">
        {items.map((report) => (
          <ReportRow key={report.id} report={report} onClose={() => setClosing(report)} />
        ))}
      </ul>
      {readMore !== null && (
        <Button variant="quiet" className="self-center" busy={isReadingMore} onClick={readMore}>
          Show more
        </Button>
      )}
      {closing && (
        <CloseReportDialog
          key={closing.id}
          report={items.find(({ id }) => id === closing.id) ?? closing}
          onOutdated={reports.refetch}
          onDone={() => setClosing(null)}
        />
      )}
    </div>
  )
}
