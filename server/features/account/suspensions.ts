import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Suspension } from '#contract/account/suspensions/endpoints.ts'
import { pickColumns } from '#server/platform/database/columns.ts'
import { deleteBefore } from '#server/platform/database/delete-before.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { suspensions } from './schema.ts'

/**
 * A condition on a row of `suspensions`: it has not ended. `(select app_now())` and not `app_now()`, because Postgres then
 * computes it once and not for each row.
 */
export const isInForce = sql`(suspensions.until is null or suspensions.until > (select app_now()))`

/** A condition: the person of this id is suspended. */
export const isSuspended = (personId: SQLWrapper): SQL<boolean> =>
  sql<boolean>`(${personId} in (select user_id from suspensions where ${isInForce}))`

export const peopleWithHiddenTexts = sql`(select user_id from suspensions where hides_texts and ${isInForce})`

/**
 * A condition: the texts of the person of this id are hidden. True or false, also for a text without an author. Postgres reads
 * the suspensions once for each query, so a list stays in the order of its index.
 */
export const hasHiddenTexts = (personId: SQLWrapper): SQL<boolean> =>
  sql<boolean>`((${personId} in ${peopleWithHiddenTexts}) is true)`

export const suspensionFields = pickColumns(suspensions, 'reason', 'until', 'hidesTexts')

const isCurrentOf = (userId: string) => and(eq(suspensions.userId, userId), isInForce)

export async function findSuspension(db: Db, userId: string): Promise<Suspension | undefined> {
  const [found] = await db.select(suspensionFields).from(suspensions).where(isCurrentOf(userId))
  return found
}

/** Returns false when the person has exactly this suspension already. Call `lockPeople` first. */
export async function saveSuspension(db: Db, userId: string, suspension: Suspension): Promise<boolean> {
  const { reason, until, hidesTexts } = suspension
  const { rowCount } = await db.execute(sql`
    insert into suspensions (user_id, reason, until, hides_texts)
    values (${userId}, ${reason}, ${until}::timestamptz, ${hidesTexts})
    on conflict (user_id) do update
      set reason = excluded.reason, until = excluded.until, hides_texts = excluded.hides_texts
      where (suspensions.reason, suspensions.hides_texts, suspensions.until)
        is distinct from (excluded.reason, excluded.hides_texts, excluded.until)`)
  return rowCount === 1
}

/** Returns false when the person is not suspended, or no more. */
export async function removeSuspension(db: Db, userId: string): Promise<boolean> {
  const { rowCount } = await db.delete(suspensions).where(isCurrentOf(userId))
  return rowCount === 1
}

export const purgeSuspensions = (db: Db, signal?: AbortSignal): Promise<void> =>
  deleteBefore(db, suspensions.until, sql`app_now()`, signal)
