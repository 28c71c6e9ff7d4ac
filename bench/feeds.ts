import { sql } from 'drizzle-orm'
import { addDays } from '#contract/days.ts'
import { feedFormats, type FeedOf } from '#contract/syndication/paths.ts'
import { readConfig } from '#server/config.ts'
import type { FeedCursor } from '#server/features/feed/index.ts'
import { defaultInstance } from '#server/features/instance/index.ts'
import { createFeeds } from '#server/features/syndication/feeds.ts'
import { areMoreThan, listPostsInOrder } from '#server/features/syndication/sitemap-queries.ts'
import { systemClock } from '#server/platform/clock.ts'
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { type Database, openDatabase } from '#server/platform/database/pool.ts'
import { AnswerCache } from '#server/platform/http/answers/answer-cache.ts'
import { createLocalBus } from '#server/platform/live/bus.ts'
import { makeDataFolder, removeDataFolder } from '../scripts/testing/running-server.ts'
import { atMost, type Figure, printTable, quantile } from './table.ts'

const timeZone = 'UTC'
const lastDay = '2025-06-10'
const postsOfADay = 100
const days = 10_000
const busyDay = addDays(lastDay, -days)
const postsOfBusyDay = 100_000
const longDay = addDays(lastDay, -days - 1)
const longPosts = 100
const author = 'k7q2m4xp3d'
const postsOfAuthor = 20_000
const reads = 200
const partMax = 10_000

const dataDir = await makeDataFolder()
const postgres = await startEmbeddedPostgres({ dataDir })
try {
  const { connection } = postgres
  await migrate(connection, 'migrations')
  const db = openDatabase({ connection, clock: systemClock, max: 4, statementTimeoutMs: 600_000 })
  await fill(db)
  const answers = new AnswerCache({ memory: 1024 * 1024 * 1024, bus: createLocalBus(), clock: systemClock })
  const feeds = createFeeds({
    config: { ...readConfig({ PUBLIC_ORIGIN: 'https://zimmer.example' }), timeZone },
    database: db,
    clock: systemClock,
    answers,
    secret: 'bench',
    instance: defaultInstance,
  })
  const posts: FeedOf = { kind: 'posts' }
  const pageOf = async (of: FeedOf, n: number, createdAt: string) => {
    const before = { createdAt, id: 'ffffffff-ffff-4fff-bfff-ffffffffffff' }
    await feeds.get(of, feedFormats[n % 3]!, { before, owner: 'bench' })
  }
  // Steps of a prime number, so that no read follows its neighbour, whose pages are cached.
  const noonOf = (n: number) => `${addDays(lastDay, -((n * 7919) % days))}T12:00:00.000Z`
  const minuteOf = (n: number) => new Date(Date.parse(`${busyDay}T00:00:00Z`) + ((n * 7919) % 1440) * 60_000)
  const million = `${(days * postsOfADay + postsOfBusyDay + longPosts).toLocaleString('en')} posts`
  printTable(`Feeds and the sitemap of an instance with ${million}`, [
    await timed('first page, not cached', 30, async (n) => {
      answers.noteChange('posts')
      await feeds.get(posts, feedFormats[n % 3]!, { before: undefined, owner: 'bench' })
    }),
    await timed('older page', 30, (n) => pageOf(posts, n, noonOf(n))),
    await timed(`older page in a day of ${postsOfBusyDay.toLocaleString('en')} posts`, 100, (n) =>
      pageOf(posts, n, minuteOf(n).toISOString()),
    ),
    await timed('page of 1 MiB of text', 100, (n) => pageOf(posts, n, `${longDay}T23:59:59.000Z`)),
    await timed(`older page of a person with ${postsOfAuthor.toLocaleString('en')} posts`, 30, (n) =>
      pageOf({ kind: 'person', id: author }, n, noonOf(n)),
    ),
    ...(await sitemap(db)),
  ])
  await db.close()
} finally {
  await postgres.stop()
  await removeDataFolder(dataDir)
}

async function timed(name: string, limit: number, work: (n: number) => Promise<void>): Promise<Figure> {
  const times = []
  for (let n = 0; n < reads; n++) {
    const start = performance.now()
    await work(n)
    times.push(performance.now() - start)
  }
  return atMost(`${name}, p95`, quantile(times, 0.95), limit, 'ms')
}

/** The queries of the index and of a part, without the sending. */
async function sitemap(db: Database): Promise<Figure[]> {
  let start = performance.now()
  await areMoreThan(db, partMax)
  const counting = performance.now() - start
  const starts: (FeedCursor | undefined)[] = []
  let after: FeedCursor | undefined
  let longest = 0
  start = performance.now()
  for (;;) {
    starts.push(after)
    const began = performance.now()
    const [last, next] = await listPostsInOrder(db, timeZone, after, { offset: partMax - 1, limit: 2 })
    longest = Math.max(longest, performance.now() - began)
    if (next === undefined) break
    after = last
  }
  const all = performance.now() - start
  start = performance.now()
  let place = starts.at(-2)
  for (let n = 0; n < 10; n++) place = (await listPostsInOrder(db, timeZone, place, { limit: 1000 })).at(-1)
  const part = performance.now() - start
  return [
    atMost('whether the sitemap needs parts', counting, 100, 'ms'),
    atMost(`starts of the ${starts.length} parts of posts`, all, 2000, 'ms'),
    atMost('the longest query among them', longest, 100, 'ms'),
    atMost('the rows of the last full part', part, 500, 'ms'),
  ]
}

/** A hundred posts a day, a busy day, a day of long posts, and a person who wrote every fiftieth post. */
async function fill(db: Database) {
  await db.execute(sql`
    insert into users (id, username, first_name, created_at) values (${author}, ${author}, 'Ana', app_now())`)
  const add = (from: string, count: number, at: string, content: string, every: number) =>
    db.execute(sql`
      insert into posts (id, content, author_name, author_id, post_type, created_at, published_at, published_on, content_digest)
      select gen_random_uuid(), ${content}::text, 'Ana', case when i % ${every}::int = 0 then ${author} end, 'standard', at, at, at::date, ''
      from generate_series(0, ${count - 1}::int) i, lateral (select ${`${from}T23:00:00Z`}::timestamptz - ${sql.raw(at)} as at) t`)
  const line = 'A line of a story that goes on for a while. '.repeat(14)
  const perDay = `(i / ${postsOfADay}) * interval '1 day' - (i % ${postsOfADay}) * interval '1 minute'`
  await add(lastDay, days * postsOfADay, perDay, line, (days * postsOfADay) / postsOfAuthor)
  await add(busyDay, postsOfBusyDay, `i * interval '0.8 second'`, line, postsOfBusyDay + 1)
  // 20,000 bytes each.
  await add(longDay, longPosts, `i * interval '1 minute'`, 'A <line> & more.\n\n'.repeat(1112), longPosts + 1)
  await db.execute(sql`vacuum analyze posts`)
  await db.execute(sql`vacuum analyze users`)
}
