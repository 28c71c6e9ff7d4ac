import { closeAbuseReport } from '#contract/abuse-reports/endpoints.ts'
import { type AbuseReport, actionsOf, outcomeOf, removalsOf } from '#contract/abuse-reports/report.ts'
import type { Needs } from '#server/feature.ts'
import {
  closeReport,
  findReport,
  isClosedAs,
  isErasable,
  lockErasable,
  lockPeopleOfReports,
  removeReportOfDeletedPeople,
} from '#server/features/abuse-reports/index.ts'
import { lockErasablePost } from '#server/features/feed/index.ts'
import { lockInboxesOf, notifyPeople } from '#server/features/inbox/index.ts'
import { lockRoom } from '#server/features/rooms/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { moderators } from '#server/platform/http/endpoints/policy.ts'
import { act } from './act.ts'

export type Deps = Pick<Needs, 'vault' | 'events' | 'config' | 'uploads'>

const closings: LimitRule = { name: 'report-closings', count: 300, seconds: 3600, by: 'person' }

/** The call that closes a report, and acts on what was reported and on its author in the same transaction. */
export function reportActionRoutes(deps: Deps): Route[] {
  const { vault, events } = deps
  return [
    // The answer has the copy, which an erasure could not reach among the stored answers of keys.
    handle(closeAbuseReport, moderators, { limits: [closings], isRepeatable: true }, async (call) => {
      const { db, viewer, params, input, fail, audit } = call
      const { id } = params
      const { outcome, note, removal } = input
      const actions = actionsOf(input)
      const seen = (await findReport(db, vault, id)) ?? fail('ReportNotFound')
      if (viewer.kind === 'moderator') {
        // For a moderator, reports about themself do not exist.
        if (seen.copy.authorId === viewer.id) fail('ReportNotFound')
        if (removal === 'erase') fail('NotAllowed', { error: 'Only an admin can erase a text.' })
      }
      if (removal !== undefined && !removalsOf[seen.kind].includes(removal))
        fail('InvalidInput', { fields: { removal: `This ${seen.kind} cannot be removed so.` } })
      const expected = outcomeOf(actions) ?? outcome
      if (outcome !== expected)
        fail('InvalidInput', { fields: { outcome: `The outcome of these actions is "${expected}".` } })

      // People first, then the text, then reports, then inboxes, as every change locks them.
      const { kind, targetId } = seen
      await lockPeopleOfReports(db, { kind, targetId, adminId: viewer.id, authorId: seen.copy.authorId })
      await lockText(db, seen)
      const closing = { id, adminId: viewer.id, outcome, note, actions }
      const closed = await closeReport(db, closing)
      if (closed === undefined) {
        const report = (await findReport(db, vault, id)) ?? fail('ReportNotFound')
        if (await isClosedAs(db, closing)) return report
        return fail('ReportClosed', {
          error: `${report.closedBy ?? 'Somebody else'} has closed this report.`,
        })
      }
      const { reporterId, authorId } = closed
      await lockInboxesOf(
        db,
        [reporterId, authorId].filter((personId) => personId !== null),
      )
      await act(call, deps, { ...seen, authorId }, input)
      const report = (await findReport(db, vault, id)) ?? fail('ReportNotFound')
      await audit('report-closed', {
        subjectId: id,
        details: { outcome, note, ...(actions.length > 0 && { actions: actions.join(', ') }) },
      })
      await removeReportOfDeletedPeople(db, id)
      if (reporterId !== null)
        await notifyPeople(call, events, 'report.closed', [
          { personId: reporterId, otherPersonId: null, details: { id } },
        ])
      return report
    }),
  ]
}

/** Locks a text and, before it, the room that it is in. A report about the text waits for this lock. */
async function lockText(db: Db, { kind, targetId, roomId }: AbuseReport): Promise<void> {
  if (roomId !== null) await lockRoom(db, roomId)
  if (kind === 'post') await lockErasablePost(db, targetId)
  else if (isErasable(kind)) await lockErasable(db, kind, targetId)
}
