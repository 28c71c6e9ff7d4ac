import { listNotifications, markNotificationsSeen } from '#contract/inbox/endpoints.ts'
import { type CallRow, people, row } from './row.ts'

export const inboxCalls: readonly CallRow[] = [
  row(listNotifications, people, () => ({ query: { limit: '50' } })),
  row(markNotificationsSeen, people, () => ({ input: { ids: ['1'] } })),
]
