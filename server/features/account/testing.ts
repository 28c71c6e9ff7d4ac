import { eq } from 'drizzle-orm'
import type { Db } from '#server/platform/database/pool.ts'
import { auditLog } from '#server/platform/schema.ts'
import { credentials, emails, sessions, users } from './schema.ts'

/** All rows of accounts, so that a test can expect that a refusal changed nothing. */
export const stored = async (db: Db) => ({
  users: await db.select().from(users).orderBy(users.id),
  emails: await db.select().from(emails).orderBy(emails.address),
  credentials: await db.select().from(credentials).orderBy(credentials.userId),
})

export const actions = async (db: Db) =>
  (await db.select().from(auditLog).orderBy(auditLog.id)).map(({ action }) => action)

export const countSessions = async (db: Db, userId: string) =>
  (await db.select().from(sessions).where(eq(sessions.userId, userId))).length
