import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/pool.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { emails } from './schema.ts'

/**
 * For each email address, so that nobody fills the mailbox of a stranger by one account after the other: the address of a
 * deleted account can be registered again.
 */
export const confirmationsOfEmail: LimitRule = {
  name: 'mail-confirmations-of-email',
  count: 5,
  seconds: 86_400,
  by: 'person',
}

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
