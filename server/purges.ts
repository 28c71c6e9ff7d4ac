import type { FastifyInstance } from 'fastify'
import { purgeGuests, purgeSessions } from './features/account/index.ts'
import { purgeAuditLog } from './platform/audit.ts'
import type { PersonalData } from './platform/personal-data.ts'
import type { Database } from './platform/database/pool.ts'
import { purgeIdempotencyKeys } from './platform/http/idempotency.ts'
import { schedule } from './platform/schedule.ts'

const hourMs = 60 * 60 * 1000

/** Deletes expired rows every hour. Each purge runs on its own, so that a failing one does not stop the others. */
export function addPurges(
  app: FastifyInstance,
  { database, personalData }: { database: Database; personalData: readonly PersonalData[] },
  everyMs = hourMs,
) {
  const purges = {
    sessions: (signal: AbortSignal) => purgeSessions(database, signal),
    guests: (signal: AbortSignal) => purgeGuests(database, personalData, signal),
    'idempotency keys': (signal: AbortSignal) => purgeIdempotencyKeys(database, signal),
    'the audit log': (signal: AbortSignal) => purgeAuditLog(database, signal),
  }
  for (const [name, purge] of Object.entries(purges)) schedule(app, `purge of ${name}`, everyMs, purge)
}
