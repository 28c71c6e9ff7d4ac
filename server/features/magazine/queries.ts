import { desc, eq, notInArray, sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/pool.ts'
import { magazineIssues } from './schema.ts'

const keptIssues = 24

const newestFirst = [desc(magazineIssues.uploadedAt), desc(magazineIssues.id)]

/** Adds the newest issue and deletes the rows of those beyond 24. Returns the deleted ids. */
export async function addIssue(db: Db, id: string): Promise<string[]> {
  // Two uploads at once would not see each other's row.
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended('magazine', 0))`)
  await db.insert(magazineIssues).values({ id, uploadedAt: sql`app_now()` })
  const kept = db
    .select({ id: magazineIssues.id })
    .from(magazineIssues)
    .orderBy(...newestFirst)
    .limit(keptIssues)
  const removed = await db
    .delete(magazineIssues)
    .where(notInArray(magazineIssues.id, kept))
    .returning({ id: magazineIssues.id })
  return removed.map((issue) => issue.id)
}

export async function findCurrentIssue(db: Db): Promise<string | undefined> {
  const [newest] = await db
    .select({ id: magazineIssues.id })
    .from(magazineIssues)
    .orderBy(...newestFirst)
    .limit(1)
  return newest?.id
}

export const isIssue = async (db: Db, id: string): Promise<boolean> =>
  (await db.$count(magazineIssues, eq(magazineIssues.id, id))) > 0
