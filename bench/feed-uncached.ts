import { sql } from 'drizzle-orm'
import { feedDayMax } from '#contract/feed/reading/endpoints.ts'
import { addDays } from '#contract/days.ts'
import { listPostsOfDay } from '#server/features/feed/queries.ts'
import { Prepared } from '#server/platform/http/answers/prepared.ts'
import { systemClock } from '#server/platform/clock.ts'
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { type Database, openDatabase } from '#server/platform/database/pool.ts'
import { makeDataFolder, removeDataFolder } from '../scripts/testing/running-server.ts'
import { atMost, fact, printTable, quantile } from './table.ts'

const sizes = [10_000, 200_000, 1_000_000]
const postsOfADay = 50
const lastDay = '2025-06-10'
const readDays = 300

const dataDir = await makeDataFolder()
const postgres = await startEmbeddedPostgres({ dataDir })
try {
  const { connection } = postgres
  await migrate(connection, 'migrations')
  const db = openDatabase({ connection, clock: systemClock, max: 1, statementTimeoutMs: 600_000 })
  const buffers = new Map<number, number>()
  const figures = []
  let stored = 0
  for (const size of sizes) {
    await fill(db, stored, size)
    stored = size
    const times = await firstReads(db, size / postsOfADay)
    const plan = await planOf(db)
    buffers.set(size, plan.buffers)
    const p95 = quantile(times, 0.95)
    const name = `first read of a day at ${size.toLocaleString('en')} posts, p95`
    figures.push(
      size === 200_000 ? atMost(name, p95, 15, 'ms') : fact(name, `${p95.toFixed(1)} ms`),
      fact(`its plan at ${size.toLocaleString('en')} posts`, `${plan.node}, ${plan.buffers} buffers`),
    )
  }
  figures.push(
    atMost(
      'buffers at 1,000,000 to those at 10,000',
      buffers.get(1_000_000)! / buffers.get(10_000)!,
      1.3,
      '',
      2,
    ),
  )
  printTable(`A day of ${postsOfADay} posts that nobody has read yet`, figures)
  await db.close()
} finally {
  await postgres.stop()
  await removeDataFolder(dataDir)
}

/** Adds days of fifty posts each, from the last day backwards. */
async function fill(db: Database, from: number, to: number) {
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, content_digest)
    select gen_random_uuid(), repeat('A line of a story that goes on for a while. ', 14), 'Ana Lima', 'standard',
      at, at, at::date, ''
    from generate_series(${from}::int, ${to - 1}::int) i,
      lateral (select ${`${lastDay}T23:00:00Z`}::timestamptz - (i / ${postsOfADay}) * interval '1 day' - (i % ${postsOfADay}) * interval '1 minute' as at) t`)
  await db.execute(sql`vacuum analyze posts`)
}

/** Does what the server does at the first read of a day: the query, the JSON and its compressed forms. */
async function firstReads(db: Database, days: number): Promise<number[]> {
  const times = []
  for (let i = 0; i < Math.min(readDays, days); i++) {
    // Steps of a prime number read each day once, and not after its neighbour, whose pages are cached.
    const day = addDays(lastDay, -((i * 7919) % days))
    const start = performance.now()
    const posts = await listPostsOfDay(db, day, { limit: feedDayMax + 1 })
    await new Prepared(JSON.stringify(posts)).in('br')
    times.push(performance.now() - start)
    if (posts.length !== postsOfADay) throw new Error(`${day} has ${posts.length} posts`)
  }
  return times
}

interface Plan {
  'Node Type': string
  'Index Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

async function planOf(db: Database) {
  const query = listPostsOfDay(db, addDays(lastDay, -100), { limit: feedDayMax + 1 })
  const { rows } = await db.execute<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    sql`explain (analyze, buffers, format json) ${query.getSQL()}`,
  )
  const [{ Plan: plan }] = rows[0]!['QUERY PLAN']
  const scan = plan.Plans?.[0] ?? plan
  return {
    node: `${scan['Node Type']} ${scan['Index Name'] ?? ''}`.trim(),
    buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
  }
}
