import * as z from 'zod/mini'
import { NewSuspension } from '#contract/account/suspensions/endpoints.ts'
import { endpoint } from '#contract/endpoint.ts'
import { AnyText, Id, Page, PersonId, Text } from '#contract/schemas.ts'
import {
  AbuseReport,
  noteMaxLength,
  reasonMaxLength,
  removals,
  reportCategories,
  reportKinds,
  reportOutcomes,
  warningMaxLength,
} from './report.ts'

export const reportAbuse = endpoint({
  summary: 'Reports a message, a passage, an aside, a post or a person to the admins.',
  description:
    'The admins and moderators get a copy and the name of the caller. While a report of the caller about the same thing is open, the answer is that report with `isNew: false`, and nothing is stored.',
  method: 'POST',
  path: '/api/reports',
  input: z.object({
    kind: z.enum(reportKinds, 'Please choose what to report.'),
    targetId: z.union([Id, PersonId]),
    /** `other` when left out. */
    category: z.optional(z.enum(reportCategories, 'Please choose what is wrong.')),
    reason: Text(reasonMaxLength, 'Please say what is wrong.'),
  }),
  output: z.object({ id: Id, isNew: z.boolean() }),
  status: 201,
  errors: ['NothingToReport', 'OwnReport', 'DiaryLocked'],
})

export const adminReportsMax = 200

export const listAbuseReports = endpoint({
  summary: 'Lists the reports, open ones first, then the newest.',
  description: 'A page of long texts holds fewer.',
  method: 'GET',
  path: '/api/admin/reports',
  query: z.extend(Page(adminReportsMax), { status: z.optional(z.enum(['open', 'closed'])) }),
  output: z.array(AbuseReport),
  errors: ['DiaryLocked'],
})

export const closeAbuseReport = endpoint({
  summary: 'Closes an open report, and acts on what was reported and on its author.',
  description:
    'All of it happens, or nothing. A post can be hidden or erased, a passage or an aside erased, and the author warned and suspended. The outcome says what was done: `removed` when the thing was hidden or erased, `warned` when the author alone was warned or suspended. Outcome, note and the names of the actions are written to the audit log, and the reporter is notified of outcome and actions. A moderator erases nothing, and neither reads nor closes reports about themself.',
  method: 'POST',
  path: '/api/admin/reports/:id/close',
  params: z.object({ id: Id }),
  input: z.object({
    outcome: z.enum(reportOutcomes, 'Please choose an outcome.'),
    note: AnyText(noteMaxLength),
    removal: z.optional(z.enum(removals)),
    /** The author reads it in a notification. */
    warning: z.optional(Text(warningMaxLength, 'Please write what the person should read.')),
    suspension: z.optional(NewSuspension),
  }),
  output: AbuseReport,
  errors: [
    'ReportNotFound',
    'ReportClosed',
    'ReportedThingGone',
    'AuthorWithoutAccount',
    'PostDecided',
    'AdminCannotBeSuspended',
    'ModeratorCannotBeSuspended',
    'DemoAccountStays',
    'DiaryLocked',
  ],
})
