import type { InboxEventLoaders } from '#server/features/inbox/index.ts'
import { listClosedReportsOf } from './queries.ts'

export const abuseReportEventLoaders: Pick<InboxEventLoaders, 'report.closed'> = {
  'report.closed': async (db, personId, events) => {
    const ids = events.map(({ id }) => id!)
    const reports = new Map(
      (await listClosedReportsOf(db, personId, ids)).map((report) => [report.id, report]),
    )
    return ids.map((id) => reports.get(id))
  },
}
