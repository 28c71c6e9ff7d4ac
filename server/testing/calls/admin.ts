import {
  countAdminUsers,
  countWaiting,
  deleteUser,
  getStats,
  listAdminComments,
  listAdminUsers,
  listAuditEntries,
} from '#contract/admin/endpoints.ts'
import { type CallRow, admins, moderators, row } from './row.ts'

export const adminCalls: readonly CallRow[] = [
  row(getStats, admins),
  row(countWaiting, moderators),
  row(listAdminUsers, admins, () => ({ query: { limit: '50', q: 'known', isSuspended: 'true' } })),
  row(countAdminUsers, admins, () => ({ query: { q: 'known', isSuspended: 'true' } })),
  row(deleteUser, admins, ({ follower }) => ({ params: { id: follower } })),
  row(listAuditEntries, admins, ({ known }) => ({
    query: { limit: '50', action: 'sign-in', about: known.id, from: '2025-06-01', to: '2025-06-30' },
  })),
  row(listAdminComments, admins, () => ({})),
]
