import { sql } from 'drizzle-orm'
import type { AuditActionName } from '#contract/admin/audit.ts'
import { deleteBefore } from './database/delete-before.ts'
import type { Db } from './database/pool.ts'
import { type IdSources, newId } from './ids.ts'
import { auditLog } from './schema.ts'
import type { Counted } from './entry-counter.ts'

export interface AuditEntry {
  action: AuditActionName
  actorId?: string | undefined
  /** At least one, where it is a list. */
  subjectId?: string | string[] | undefined
  requestId?: string | undefined
  /** What an admin decided. */
  details?: Record<string, string>
}

/** An entry for a refused call. It has a count, because one caller may be refused any number of times. */
export type Refusal = Omit<AuditEntry, 'subjectId'> & { subjectId?: string | undefined }

/** Adds a row for each subject, in one statement. It never holds what people wrote to each other (S49). */
export async function addAuditEntry(db: Db, sources: IdSources, { subjectId, ...entry }: AuditEntry) {
  const subjects = Array.isArray(subjectId) ? subjectId : [subjectId]
  await db
    .insert(auditLog)
    .values(subjects.map((each) => ({ id: newId(sources), at: sql`app_now()`, subjectId: each, ...entry })))
}

/** Adds refusals that were counted together: one row for each, with its count. */
export async function addCountedRefusals(db: Db, sources: IdSources, refusals: Counted<Refusal>[]) {
  await db
    .insert(auditLog)
    .values(refusals.map((refusal) => ({ ...refusal, id: newId(sources), at: sql`app_now()` })))
}

/** The log is kept for 180 days. */
export const purgeAuditLog = (db: Db, signal?: AbortSignal): Promise<void> =>
  deleteBefore(db, auditLog.at, sql`app_now() - interval '180 days'`, signal)
