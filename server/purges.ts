import type { FastifyInstance } from 'fastify'
import { purgeGuests, purgeSessions } from './features/account/index.ts'
import { purgeAuditLog } from './platform/audit.ts'
import type { Belongings } from './platform/belongings.ts'
import type { Database } from './platform/database/pool.ts'
import { purgeIdempotencyKeys } from './platform/http/idempotency.ts'
import { repeat } from './platform/repeat.ts'

const hourMs = 60 * 60 * 1000

/** Deletes expired rows every hour. Each purge runs on its own, so that a failing one does not stop the others. */
export function addPurges(
  app: FastifyInstance,
  { database, belongings }: { database: Database; belongings: readonly Belongings[] },
  everyMs = hourMs,
) {
  const purges = {
    sessions: (signal: AbortSignal) => purgeSessions(database, signal),
    guests: (signal: AbortSignal) => purgeGuests(database, belongings, signal),
    'idempotency keys': (signal: AbortSignal) => purgeIdempotencyKeys(database, signal),
    'the audit log': (signal: AbortSignal) => purgeAuditLog(database, signal),
  }
  for (const [name, purge] of Object.entries(purges)) repeat(app, `purge of ${name}`, everyMs, purge)
}
