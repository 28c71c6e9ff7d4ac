import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import { deleteBefore } from '#server/platform/database/delete-before.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { digestOf } from '#server/platform/tokens.ts'
import { openidAttempts, openidLinks } from './schema.ts'

export const attemptSeconds = 10 * 60

/** An account at the provider. */
export interface Subject {
  issuer: string
  subject: string
}

interface NewAttempt {
  token: string
  userId?: string
  identified?: Subject & { email: string }
}

export async function addAttempt(db: Db, { token, userId, identified }: NewAttempt): Promise<void> {
  await db.insert(openidAttempts).values({
    tokenHash: digestOf(token),
    userId,
    ...identified,
    expiresAt: sql`app_now() + make_interval(secs => ${attemptSeconds})`,
  })
}

const isGood = (token: string) =>
  and(eq(openidAttempts.tokenHash, digestOf(token)), gt(openidAttempts.expiresAt, sql`app_now()`))

/** Uses up an attempt that waits for the answer of the provider. Undefined when it has ended. */
export async function takeAttempt(db: Db, token: string): Promise<{ userId: string | null } | undefined> {
  const [taken] = await db
    .delete(openidAttempts)
    .where(and(isGood(token), isNull(openidAttempts.subject)))
    .returning({ userId: openidAttempts.userId })
  return taken
}

/** Whom the provider has identified in an attempt, and who may sign up now. */
export async function findIdentifiedSubject(
  db: Db,
  token: string,
): Promise<(Subject & { email: string }) | undefined> {
  const { issuer, subject, email } = openidAttempts
  const [found] = await db
    .select({
      issuer: sql<string>`${issuer}`,
      subject: sql<string>`${subject}`,
      email: sql<string>`${email}`,
    })
    .from(openidAttempts)
    .where(and(isGood(token), isNotNull(subject)))
  return found
}

/** Uses up an attempt that the provider has answered, by a person who signs up. Returns false when it has ended. */
export async function removeAttempt(db: Db, token: string): Promise<boolean> {
  const { rowCount } = await db.delete(openidAttempts).where(isGood(token))
  return rowCount === 1
}

export const purgeAttempts = (db: Db, signal?: AbortSignal): Promise<void> =>
  deleteBefore(db, openidAttempts.expiresAt, sql`app_now()`, signal)

export async function findAccountLink(db: Db, userId: string): Promise<{ linkedAt: string } | undefined> {
  const [link] = await db
    .select({ linkedAt: openidLinks.linkedAt })
    .from(openidLinks)
    .where(eq(openidLinks.userId, userId))
  return link
}

export async function findLinkedPerson(db: Db, { issuer, subject }: Subject): Promise<string | undefined> {
  const [link] = await db
    .select({ userId: openidLinks.userId })
    .from(openidLinks)
    .where(and(eq(openidLinks.issuer, issuer), eq(openidLinks.subject, subject)))
  return link?.userId
}

/** Links an account, unless it or the one at the provider is linked already. */
export async function linkAccount(
  db: Db,
  userId: string,
  { issuer, subject }: Subject,
): Promise<'OpenidAlreadyLinked' | 'OpenidLinkTaken' | undefined> {
  const { rowCount } = await db
    .insert(openidLinks)
    .values({ userId, issuer, subject, linkedAt: sql`app_now()` })
    .onConflictDoNothing()
  if (rowCount === 1) return undefined
  return (await findAccountLink(db, userId)) === undefined ? 'OpenidLinkTaken' : 'OpenidAlreadyLinked'
}

/** Returns false when the account was not linked. */
export async function unlinkAccount(db: Db, userId: string): Promise<boolean> {
  const { rowCount } = await db.delete(openidLinks).where(eq(openidLinks.userId, userId))
  return rowCount === 1
}
