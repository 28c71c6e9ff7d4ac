import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { Db } from '#server/platform/database/pool.ts'

/** The two people of a friendship in the order of its row. */
export function pairOf(oneId: string, otherId: string): { lowId: string; highId: string } {
  return oneId < otherId ? { lowId: oneId, highId: otherId } : { lowId: otherId, highId: oneId }
}

/** Whether one of two people has blocked the other. */
export const isBlockBetween = (one: SQLWrapper, other: SQLWrapper): SQL<boolean> => sql<boolean>`exists (
  select 1 from blocks where (blocker_id = ${one} and blocked_id = ${other}) or (blocker_id = ${other} and blocked_id = ${one}))`

/** A condition on a row of `friendships`: neither of its two people has blocked the other. */
export const isUnblocked = sql`not ${isBlockBetween(sql`friendships.low_id`, sql`friendships.high_id`)}`

/** A condition on a row of `friendships`: it is that of these two people, and neither has blocked the other. */
export function isUnblockedPair(oneId: string, otherId: string): SQL {
  const { lowId, highId } = pairOf(oneId, otherId)
  return sql`friendships.low_id = ${lowId} and friendships.high_id = ${highId} and ${isUnblocked}`
}

/**
 * Locks two registered people until the end of the transaction, so that neither account is deleted, and no friendship
 * or block between them is added or removed. New messages do not wait for this lock. Locks the people in the order of their
 * ids, which prevents deadlocks. Returns false when one of them does not exist or is a guest, or when both are the same
 * person.
 */
export async function lockPair(db: Db, oneId: string, otherId: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    select id from users where id in (${oneId}, ${otherId}) and not is_anonymous order by id for no key update`)
  return rowCount === 2
}
