import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/pool.ts'
import { emails } from './schema.ts'

export interface EmailOfPerson {
  userId: string
  address: string
  isConfirmed: boolean
}

const fields = {
  userId: emails.userId,
  address: emails.address,
  isConfirmed: sql<boolean>`confirmed_at is not null`,
}

export async function findEmail(db: Db, userId: string): Promise<EmailOfPerson | undefined> {
  const [found] = await db.select(fields).from(emails).where(eq(emails.userId, userId))
  return found
}

/** The person whose confirmed address this is. */
export async function findConfirmedEmail(db: Db, address: string): Promise<EmailOfPerson | undefined> {
  const [found] = await db
    .select(fields)
    .from(emails)
    .where(and(eq(emails.address, address), isNotNull(emails.confirmedAt)))
  return found
}

export async function setEmailConfirmed(db: Db, { userId, address }: EmailOfPerson): Promise<void> {
  await db
    .update(emails)
    .set({ confirmedAt: sql`app_now()` })
    .where(and(eq(emails.userId, userId), eq(emails.address, address), isNull(emails.confirmedAt)))
}
