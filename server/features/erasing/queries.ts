import { and, eq, sql } from 'drizzle-orm'
import { lockPeople, users } from '#server/features/account/index.ts'
import type { ErasableKind } from '#server/features/abuse-reports/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { auditLog } from '#server/platform/schema.ts'

interface Involved {
  kind: ErasableKind
  id: string
  adminId: string
  authorId: string | null
}

/**
 * Locks the admin, the author, and the people whom reports about the text name: no account of theirs is deleted while the
 * reports and the inbox of the author change.
 */
export async function lockInvolved(db: Db, { kind, id, adminId, authorId }: Involved): Promise<void> {
  const { rows } = await db.execute<{ personId: string }>(sql`
    select person_id as "personId" from abuse_reports, unnest(array[reporter_id, closed_by_id]) as person_id
    where kind = ${kind} and target_id = ${id} and person_id is not null`)
  const ofReports = rows.map(({ personId }) => personId)
  await lockPeople(db, [adminId, ...(authorId === null ? [] : [authorId]), ...ofReports])
}

/** Whether an admin has erased a post or a waiting version of this id, as far as the audit log goes back. */
export const wasPostErased = async (db: Db, id: string): Promise<boolean> =>
  (await db.$count(auditLog, and(eq(auditLog.action, 'post-erased'), eq(auditLog.subjectId, id)))) > 0

/** Whether this person has an account and therefore a bell. A guest has none. */
export const hasAccount = async (db: Db, personId: string): Promise<boolean> =>
  (await db.$count(users, and(eq(users.id, personId), eq(users.isAnonymous, false)))) > 0
