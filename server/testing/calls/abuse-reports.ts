import { closeAbuseReport, listAbuseReports, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { type CallRow, moderators, peopleAdd, row, someTime, statuses } from './row.ts'

export const abuseReportsCalls: readonly CallRow[] = [
  row(reportAbuse, { ...peopleAdd, user: 400 }, ({ known }) => ({
    input: { kind: 'person', targetId: known.id, category: 'spam', reason: 'Sends the same to everybody.' },
  })),
  row(
    reportAbuse,
    { ...statuses(401, 403, 404), user: 400, member: 201 },
    ({ aside }) => ({ input: { kind: 'aside', targetId: aside, category: 'hate', reason: 'Unkind.' } }),
    'of an aside',
  ),
  row(listAbuseReports, moderators, () => ({ query: { limit: '50', status: 'open' } })),
  row(closeAbuseReport, moderators, ({ report }) => ({
    params: { id: report },
    input: {
      outcome: 'removed',
      note: 'Told the author.',
      removal: 'hide',
      warning: 'Please be kind.',
      suspension: { reason: 'Unkind.', until: someTime, hidesTexts: true },
    },
  })),
]
