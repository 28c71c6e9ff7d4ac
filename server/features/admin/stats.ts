import { and, sql } from 'drizzle-orm'
import { addDays, dayOf, startOfDay } from '#contract/days.ts'
import { countWaiting, getStats, type Stats, statsDays } from '#contract/admin/endpoints.ts'
import type { Config } from '#server/config.ts'
import { countOpenReports } from '#server/features/abuse-reports/index.ts'
import { countRequests, users } from '#server/features/account/index.ts'
import { countPosts, countWaitingPosts } from '#server/features/feed/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { admins, moderators } from '#server/platform/http/endpoints/policy.ts'

export const statsRoutes = ({ config }: { config: Config }): Route[] => [
  handle(getStats, admins, ({ db, now }) => readStats(db, now, config.timeZone)),

  handle(countWaiting, moderators, async ({ db, viewer }) => {
    const exceptOf = viewer.kind === 'moderator' ? viewer.id : undefined
    return {
      posts: await countWaitingPosts(db, exceptOf),
      reports: await countOpenReports(db, exceptOf),
      signUps: viewer.kind === 'admin' ? await countRequests(db) : 0,
    }
  }),
]

/** The numbers of the installation. Days are counted by calendar in the time zone. */
async function readStats(db: Db, now: Date, timeZone: string): Promise<Stats> {
  const today = dayOf(now, timeZone)
  const days = Array.from({ length: statsDays }, (_, i) => addDays(today, i + 1 - statsDays))
  const { perDay: postsPerDay, ...posts } = await countPosts(db, days[0]!)
  const registered = await countRegistered(
    db,
    days.map((day) => startOfDay(day, timeZone)),
  )
  const [recent] = await countNewUsers(db)
  return {
    ...posts,
    totalUsers: registered.reduce((sum, { count }) => sum + count, 0),
    newUsers: recent!.count,
    perDay: days.map((day, i) => ({
      day,
      posts: postsPerDay.get(day) ?? 0,
      // The first count is of the people who registered before all these days.
      users: registered[i + 1]!.count,
    })),
  }
}

/** Written exactly as the condition of the index `users_registered`, so that Postgres uses it. */
const isRegistered = sql`not ${users.isAnonymous}`

const count = sql<number>`count(*)::int`

/** How many people registered before the first of these instants, from each instant until the next one, and from the last one on. */
export function countRegistered(db: Db, instants: Date[]) {
  const bounds = ['-infinity', ...instants.map((instant) => instant.toISOString()), 'infinity']
  const [starts, ends] = [bounds.slice(0, -1), bounds.slice(1)]
  const isBetween = sql`${users.createdAt} >= period.since and ${users.createdAt} < period.until`
  // One range of the index for each period. A condition that is computed for each person takes much longer.
  const counted = db.select({ count }).from(users).where(and(isRegistered, isBetween))
  return db
    .select({ count: sql<number>`${counted}` })
    .from(
      sql`unnest(${sql.param(starts)}::timestamptz[], ${sql.param(ends)}::timestamptz[]) with ordinality period (since, until, number)`,
    )
    .orderBy(sql`period.number`)
}

/** How many people registered in the last 24 hours. */
export const countNewUsers = (db: Db) =>
  db
    .select({ count })
    .from(users)
    // In a subquery `app_now` runs once, otherwise for each person.
    .where(sql`${isRegistered} and ${users.createdAt} > (select app_now() - interval '24 hours')`)
