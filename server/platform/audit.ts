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
  | 'upload'
  | 'admin-granted'
  | 'admin-revoked'
  | 'admin-call-refused'

export interface AuditEntry {
  action: AuditAction
  actorId?: string | undefined
  subjectId?: string | undefined
  requestId?: string | undefined
}

/** Writes who did what, never with content (S49). */
export async function addAuditEntry(db: Db, sources: { clock: Clock; random: Random }, entry: AuditEntry) {
  await db.insert(auditLog).values({ id: newId(sources), at: sql`app_now()`, ...entry })
}

/** The log is kept for 180 days. */
export async function purgeAuditLog(db: Db): Promise<void> {
  await db.delete(auditLog).where(lt(auditLog.at, sql`app_now() - interval '180 days'`))
}
