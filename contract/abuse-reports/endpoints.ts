import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { AnyText, Id, Page, PersonId, Text } from '#contract/schemas.ts'
import {
  AbuseReport,
  noteMaxLength,
  reasonMaxLength,
  reportCategories,
  reportKinds,
  reportOutcomes,
} from './report.ts'

/**
 * Reports something to the admins, who get a copy of it and the name of the caller. While a report of the caller about the
 * same thing is open, the answer is that report with `isNew: false`, and nothing is stored.
 */
export const reportAbuse = endpoint({
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

/** Open reports first, then the newest. A page of long texts holds fewer. */
export const listAbuseReports = endpoint({
  method: 'GET',
  path: '/api/admin/reports',
  query: z.extend(Page(adminReportsMax), { status: z.optional(z.enum(['open', 'closed'])) }),
  output: z.array(AbuseReport),
  errors: ['DiaryLocked'],
})

/** Closes an open report. Outcome and note are written to the audit log. */
export const closeAbuseReport = endpoint({
  method: 'POST',
  path: '/api/admin/reports/:id/close',
  params: z.object({ id: Id }),
  input: z.object({
    outcome: z.enum(reportOutcomes, 'Please choose an outcome.'),
    note: AnyText(noteMaxLength),
  }),
  output: AbuseReport,
  errors: ['ReportNotFound', 'ReportClosed', 'DiaryLocked'],
})
