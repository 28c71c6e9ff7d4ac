import { adminReportsMax, listAbuseReports, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import type { Needs } from '#server/feature.ts'
import { vaultLocked } from '#server/features/day-texts/index.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { badCursor, readTimeCursor, Slice } from '#server/platform/http/answers/paging.ts'
import { moderators, people } from '#server/platform/http/endpoints/policy.ts'
import { newId } from '#server/platform/ids.ts'
import { isPersonGone } from '#server/platform/person-gone.ts'
import {
  addReport,
  reportCursorOf,
  findReported,
  isErasable,
  listReports,
  lockReported,
  type ReportCursor,
} from './queries.ts'

export type Deps = Pick<Needs, 'vault'>

const newReports: LimitRule = { name: 'reports', count: 20, seconds: 3600, by: 'person' }
/** Each report keeps a copy, which may be long. */
const reportsOfDay: LimitRule = { name: 'reports-of-day', count: 100, seconds: 24 * 3600, by: 'person' }

export function abuseReportRoutes({ vault }: Deps): Route[] {
  return [
    handle(reportAbuse, people, { limits: [newReports, reportsOfDay] }, async (call) => {
      const { db, viewer, input, fail } = call
      const { kind, targetId, category = 'other', reason } = input
      const seen = (await findReported(db, vault, viewer.id, input)) ?? fail('NothingToReport')
      const { authorId } = seen
      if (authorId === viewer.id) fail('OwnReport')
      if (isErasable(kind)) await lockReported(db, kind, { targetId, reporterId: viewer.id, authorId })
      const copied = isErasable(kind)
        ? ((await findReported(db, vault, viewer.id, input)) ?? fail('NothingToReport'))
        : seen
      const report = { id: newId(call), kind, targetId, category, reporterId: viewer.id, reason, copied }
      const id = await addReport(db, vault, report).catch((error: unknown) => {
        if (isPersonGone(error)) return fail('NothingToReport')
        throw error
      })
      if (id === undefined) throw vaultLocked()
      return { id, isNew: id === report.id }
    }),

    handle(listAbuseReports, moderators, async ({ db, viewer, query }) => {
      const { reports, hasMore } = await listReports(db, vault, {
        limit: query.limit ?? adminReportsMax,
        before: readReportCursor(query.before),
        isOpen: query.status && query.status === 'open',
        // A moderator does not decide about themself, nor read who has reported them.
        notAboutId: viewer.kind === 'moderator' ? viewer.id : undefined,
      })
      return new Slice(reports, hasMore ? reportCursorOf(reports.at(-1)!) : undefined)
    }),
  ]
}

function readReportCursor(before: string | undefined): ReportCursor | undefined {
  if (before === undefined) return undefined
  const [, status, time] = /^(open|closed)_(.*)$/.exec(before) ?? []
  const cursor = readTimeCursor(time)
  if (cursor === undefined) throw badCursor()
  return { isOpen: status === 'open', ...cursor }
}
