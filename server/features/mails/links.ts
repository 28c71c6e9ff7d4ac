import { and, eq, gt, sql } from 'drizzle-orm'
import { deleteBefore } from '#server/platform/database/delete-before.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { Random } from '#server/platform/ids.ts'
import { digestOf, newToken } from '#server/platform/tokens.ts'
import { mailLinks } from './schema.ts'

type LinkPurpose = typeof mailLinks.$inferSelect.purpose

const minutesOf: Record<LinkPurpose, number> = {
  reset: 30,
  confirmation: 7 * 24 * 60,
  choices: 60 * 24 * 60,
  unsubscribe: 60 * 24 * 60,
}

interface NewLink {
  userId: string
  purpose: LinkPurpose
  /** `redeemMailLink` refuses the link when this has changed since. */
  boundTo: string
}

/** Adds a link that a mail will contain, and returns its token, which is stored nowhere. */
export async function addMailLink(
  db: Db,
  random: Random,
  { userId, purpose, boundTo }: NewLink,
): Promise<string> {
  const token = newToken(random)
  await db.insert(mailLinks).values({
    tokenHash: digestOf(token),
    userId,
    purpose,
    boundTo: digestOf(boundTo),
    expiresAt: sql`app_now() + make_interval(mins => ${minutesOf[purpose]})`,
  })
  return token
}

const isGood = (token: string, purpose: LinkPurpose) =>
  and(
    eq(mailLinks.tokenHash, digestOf(token)),
    eq(mailLinks.purpose, purpose),
    gt(mailLinks.expiresAt, sql`app_now()`),
  )

/** The person whom a link is for; undefined for a link that is unknown, expired or for another purpose. */
export async function findPersonOfMailLink(
  db: Db,
  token: string,
  purpose: LinkPurpose,
): Promise<string | undefined> {
  const [found] = await db.select({ userId: mailLinks.userId }).from(mailLinks).where(isGood(token, purpose))
  return found?.userId
}

/** Uses a link up by deleting it. Returns false when it is used, expired, unknown or bound to something else. */
export async function redeemMailLink(
  db: Db,
  token: string,
  { purpose, boundTo }: Pick<NewLink, 'purpose' | 'boundTo'>,
): Promise<boolean> {
  const { rowCount } = await db
    .delete(mailLinks)
    .where(and(isGood(token, purpose), eq(mailLinks.boundTo, digestOf(boundTo))))
  return rowCount === 1
}

export const purgeMailLinks = (db: Db, signal?: AbortSignal): Promise<void> =>
  deleteBefore(db, mailLinks.expiresAt, sql`app_now()`, signal)
