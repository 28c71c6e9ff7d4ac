import type { ReportKind } from '#contract/abuse-reports/report.ts'
import type { InboxEventLoaders } from '#server/features/inbox/index.ts'

export const reportActionEventLoaders: Pick<InboxEventLoaders, 'person.warned'> = {
  'person.warned': async (_db, _personId, events) =>
    events.map(({ id, what, reason, warnedAt }) => ({
      id: id!,
      about: what as ReportKind,
      text: reason!,
      warnedAt: warnedAt!,
    })),
}
