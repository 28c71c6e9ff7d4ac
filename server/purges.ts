import type { FastifyInstance } from 'fastify'
import { purgeAbuseReports } from './features/abuse-reports/index.ts'
import { purgeGuests, purgeSessions } from './features/account/index.ts'
import { purgeNotifications } from './features/inbox/index.ts'
import { purgeInvitations } from './features/invitations/index.ts'
import { purgeAuditLog } from './platform/audit.ts'
import type { PersonalData } from './platform/personal-data.ts'
import type { Database } from './platform/database/pool.ts'
import { purgeIdempotencyKeys } from './platform/http/endpoints/idempotency.ts'
import { purgeArriving } from './platform/http/request/uploads.ts'
import { schedule } from './platform/schedule.ts'

const hourMs = 60 * 60 * 1000

type Purge = (signal: AbortSignal) => Promise<void>

interface Purged {
  database: Database
  personalData: readonly PersonalData[]
  dataDir: string
  /** The purge of each kind of uploaded files, by its name. */
  uploads: Record<string, Purge>
}

/** Deletes expired rows and unused files every hour. Each purge runs on its own, so that a failing one does not stop the others. */
export function addPurges(
  app: FastifyInstance,
  { database, personalData, dataDir, uploads }: Purged,
  everyMs = hourMs,
) {
  const purges: Record<string, Purge> = {
    sessions: (signal) => purgeSessions(database, signal),
    guests: (signal) => purgeGuests(database, personalData, signal),
    invitations: (signal) => purgeInvitations(database, signal),
    notifications: (signal) => purgeNotifications(database, signal),
    'idempotency keys': (signal) => purgeIdempotencyKeys(database, signal),
    'abuse reports': (signal) => purgeAbuseReports(database, signal),
    ...uploads,
    'unfinished uploads': () => purgeArriving(dataDir),
    'the audit log': (signal) => purgeAuditLog(database, signal),
  }
  for (const [name, purge] of Object.entries(purges)) schedule(app, `purge of ${name}`, everyMs, purge)
}
