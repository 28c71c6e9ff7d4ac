import { sql } from 'drizzle-orm'
import { addDays, dayOf, startOfDay } from '#contract/days.ts'
import { getStats, type Stats, statsDays } from '#contract/admin/stats.ts'
import type { Config } from '#server/config.ts'
import { users } from '#server/features/account/index.ts'
import { countPosts } from '#server/features/feed/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { handle, type Route } from '#server/platform/http/handle.ts'
import { admins } from '#server/platform/http/policy.ts'

export const statsRoutes = ({ config }: { config: Config }): Route[] => [
  handle(getStats, admins, ({ db, now }) => readStats(db, now, config.timeZone)),
]

/** The numbers of the installation. Days are counted by calendar in the time zone. */
async function readStats(db: Db, now: Date, timeZone: string): Promise<Stats> {
  const today = dayOf(now, timeZone)
  const days = Array.from({ length: statsDays }, (_, i) => addDays(today, i + 1 - statsDays))
  const { perDay: postsPerDay, ...posts } = await countPosts(db, days[0]!)
  const [people] = await countRegistered(db)
  const usersPerDay = await countRegistrations(
    db,
    days.map((day) => startOfDay(day, timeZone)),
  )
  return {
    ...posts,
    ...people!,
    perDay: days.map((day, i) => ({
      day,
      posts: postsPerDay.get(day) ?? 0,
      users: usersPerDay.get(i + 1) ?? 0,
    })),
  }
}

/** Written exactly as the condition of the index `users_registered`, so that Postgres uses it. */
const isRegistered = sql`not ${users.isAnonymous}`

export const countRegistered = (db: Db) =>
  db
    .select({
      totalUsers: sql<number>`count(*)::int`,
      newUsers: sql<number>`count(*) filter (where ${users.createdAt} > app_now() - interval '24 hours')::int`,
    })
    .from(users)
    .where(isRegistered)

/** How many people registered on each of the days that begin at these instants: by the number of the day, starting with 1. */
async function countRegistrations(db: Db, starts: Date[]): Promise<Map<number, number>> {
  const instants = starts.map((start) => start.toISOString())
  const rows = await db
    .select({
      number: sql<number>`width_bucket(${users.createdAt}, ${sql.param(instants)}::timestamptz[])`,
      count: sql<number>`count(*)::int`,
    })
    .from(users)
    .where(sql`${isRegistered} and ${users.createdAt} >= ${instants[0]}::timestamptz`)
    .groupBy(sql`1`)
  return new Map(rows.map(({ number, count }) => [number, count]))
}
