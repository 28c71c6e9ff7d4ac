import type { FastifyInstance } from 'fastify'
import type { Purge, PurgePlace } from './feature.ts'
import { features } from './features.ts'
import { purgeAuditLog } from './platform/audit.ts'
import { ifAvailable } from './platform/database/unavailable.ts'
import { purgeIdempotencyKeys } from './platform/http/endpoints/idempotency.ts'
import { purgeArriving } from './platform/http/request/uploads.ts'
import { schedule } from './platform/schedule.ts'

const hourMs = 60 * 60 * 1000

const purgesOfPlatform: Record<string, Purge> = {
  'idempotency keys': ({ database }, signal) => purgeIdempotencyKeys(database, signal),
  'unfinished uploads': ({ dataDir }) => purgeArriving(dataDir),
  'the audit log': ({ database }, signal) => purgeAuditLog(database, signal),
}

/**
 * Deletes expired rows and unused files every hour. Each purge runs on its own, so that a failing one does not stop the others.
 * While the database is unavailable all of them fail: the log has one line about it from `followDatabase`.
 */
export function addPurges(app: FastifyInstance, place: PurgePlace, everyMs = hourMs) {
  const purges: Record<string, Purge>[] = [
    ...features.flatMap((feature) => ('purges' in feature ? feature.purges : [])),
    purgesOfPlatform,
  ]
  for (const [name, purge] of purges.flatMap(Object.entries<Purge>))
    schedule(app, `purge of ${name}`, everyMs, (signal) => ifAvailable(() => purge(place, signal)))
}
