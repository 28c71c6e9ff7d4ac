import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Allowance } from '#contract/allowances/endpoints.ts'
import { allowancesMax } from '#contract/allowances/rules.ts'
import { deleteBefore } from '#server/platform/database/delete-before.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { allowances } from './schema.ts'

const holds = gt(allowances.until, sql`app_now()`)

/** The allowances that have not ended, the first end first. */
export const listHolding = (db: Db): Promise<Allowance[]> =>
  db.select().from(allowances).where(holds).orderBy(asc(allowances.until), asc(allowances.id))

/** Adds an allowance, unless as many hold as may. Returns whether it was added. */
export async function add(db: Db, allowance: Allowance): Promise<boolean> {
  // Two calls at once must not exceed the maximum.
  await db.execute(sql`lock table allowances in share row exclusive mode`)
  if ((await db.$count(allowances, holds)) >= allowancesMax) return false
  await db.insert(allowances).values(allowance)
  return true
}

/** Removes an allowance. Returns undefined when it has ended or never was. */
export async function remove(db: Db, id: string): Promise<Allowance | undefined> {
  const [removed] = await db
    .delete(allowances)
    .where(and(eq(allowances.id, id), holds))
    .returning()
  return removed
}

export const purgeAllowances = (db: Db, signal?: AbortSignal): Promise<void> =>
  deleteBefore(db, allowances.until, sql`app_now()`, signal)
