import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { AuditEntry } from '#contract/admin/audit.ts'
import { listNames } from '#server/features/account/index.ts'
import { isAfter } from '#server/platform/database/keyset.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { TimeSlice } from '#server/platform/http/answers/paging.ts'
import { auditLog } from '#server/platform/schema.ts'

interface Wanted extends TimeSlice {
  action?: string | undefined
  /** The id of the actor or the subject. */
  about?: string | undefined
  /** The first and the last day, in the time zone. */
  from?: string | undefined
  to?: string | undefined
  timeZone: string
}

/** Entries of the audit log, newest first, with the names of the people who still exist. */
export async function listAudit(db: Db, wanted: Wanted): Promise<AuditEntry[]> {
  const found = await auditQuery(db, wanted)
  const names = await listNames(
    db,
    found.flatMap(({ actorId, subjectId }) => [actorId, subjectId]).filter((id) => id !== null),
  )
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null))
  return found.map((entry) => ({
    ...entry,
    actorName: nameOf(entry.actorId),
    subjectName: nameOf(entry.subjectId),
  }))
}

/** Entries about an id are read from two indexes: as the actor, and as the subject of others. */
export function auditQuery(db: Db, { limit, before, action, about, from, to, timeZone }: Wanted) {
  const { requestId: _requestId, ...fields } = getTableColumns(auditLog)
  const startOf = (day: SQL) => sql`(${day})::timestamp at time zone ${timeZone}`
  const entries = (who?: SQL) =>
    db
      .select(fields)
      .from(auditLog)
      .where(
        and(
          who,
          action === undefined ? undefined : eq(auditLog.action, action),
          from === undefined ? undefined : sql`${auditLog.at} >= ${startOf(sql`${from}::date`)}`,
          to === undefined ? undefined : sql`${auditLog.at} < ${startOf(sql`${to}::date + 1`)}`,
          isAfter(before, auditLog.at, auditLog.id),
        ),
      )
      .orderBy(desc(auditLog.at), desc(auditLog.id))
      .limit(limit)
  if (about === undefined) return entries()
  return unionAll(
    entries(eq(auditLog.actorId, about)),
    entries(sql`${auditLog.subjectId} = ${about} and ${auditLog.actorId} is distinct from ${about}`),
  )
    .orderBy(sql`at desc, id desc`)
    .limit(limit)
}
