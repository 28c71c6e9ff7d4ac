import { lt, sql } from 'drizzle-orm'
import type { Clock } from './clock.ts'
import type { Db } from './database/pool.ts'
import { newId, type Random } from './ids.ts'
import { auditLog } from './schema.ts'

export type AuditAction =
  | 'sign-in'
  | 'sign-in-refused'
  | 'password-change'
  | 'account-deletion'
  | 'post-approval'
  | 'post-creation'
  | 'post-visibility'
  | 'room-deletion'
  | 'upload'
  | 'admin-granted'
  | 'admin-revoked'
  | 'admin-call-refused'

export interface AuditEntry {
  action: AuditAction
  actorId?: string | undefined
  /** At least one, where it is a list. */
  subjectId?: string | string[] | undefined
  requestId?: string | undefined
}

/** Writes who did what, never with content (S49); of many subjects a line for each, in one statement. */
export async function addAuditEntry(
  db: Db,
  sources: { clock: Clock; random: Random },
  { subjectId, ...entry }: AuditEntry,
) {
  const subjects = Array.isArray(subjectId) ? subjectId : [subjectId]
  await db
    .insert(auditLog)
    .values(subjects.map((each) => ({ id: newId(sources), at: sql`app_now()`, subjectId: each, ...entry })))
}

/** The log is kept for 180 days. */
export async function purgeAuditLog(db: Db): Promise<void> {
  await db.delete(auditLog).where(lt(auditLog.at, sql`app_now() - interval '180 days'`))
}
