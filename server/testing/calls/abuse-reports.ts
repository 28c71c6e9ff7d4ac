import { closeAbuseReport, listAbuseReports, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { type CallRow, moderators, peopleAdd, row, someTime } from './row.ts'

export const abuseReportsCalls: readonly CallRow[] = [
  row(reportAbuse, { ...peopleAdd, user: 400 }, ({ known }) => ({
    input: { kind: 'person', targetId: known.id, category: 'spam', reason: 'Sends the same to everybody.' },
  })),
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
