import { and, eq } from 'drizzle-orm'
import { users } from '#server/features/account/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { auditLog } from '#server/platform/schema.ts'

/** Whether an admin has erased a post or a waiting version of this id, as far as the audit log goes back. */
export const wasPostErased = async (db: Db, id: string): Promise<boolean> =>
  (await db.$count(auditLog, and(eq(auditLog.action, 'post-erased'), eq(auditLog.subjectId, id)))) > 0

/** Whether this person has an account and therefore a bell. A guest has none. */
export const hasAccount = async (db: Db, personId: string): Promise<boolean> =>
  (await db.$count(users, and(eq(users.id, personId), eq(users.isAnonymous, false)))) > 0
