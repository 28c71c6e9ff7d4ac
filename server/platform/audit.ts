import { sql } from 'drizzle-orm'
import type { Clock } from './clock.ts'
import { deleteBefore } from './database/delete-before.ts'
import type { Db } from './database/pool.ts'
import { newId, type Random } from './ids.ts'
import { auditLog } from './schema.ts'
import type { Counted } from './tally.ts'

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

/** An entry that says that a caller was refused: counted, for one caller may be refused without end. */
export type Refusal = Omit<AuditEntry, 'subjectId'> & { subjectId?: string | undefined }

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

/** Refusals that were counted together; one row stands for as many as its count says. */
export async function addCountedRefusals(
  db: Db,
  sources: { clock: Clock; random: Random },
  refusals: Counted<Refusal>[],
) {
  await db
    .insert(auditLog)
    .values(refusals.map((refusal) => ({ ...refusal, id: newId(sources), at: sql`app_now()` })))
}

/** The log is kept for 180 days. */
export const purgeAuditLog = (db: Db, signal?: AbortSignal): Promise<void> =>
  deleteBefore(db, auditLog.at, sql`app_now() - interval '180 days'`, signal)
