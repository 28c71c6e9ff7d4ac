import { type SQL, sql } from 'drizzle-orm'
import { auditMax } from '#contract/admin/audit.ts'
import {
  countAdminUsers,
  deleteUser,
  getStats,
  listAdminUsers,
  listAuditEntries,
} from '#contract/admin/endpoints.ts'
import { approvePosts, listPendingPosts } from '#contract/feed/endpoints.ts'
import { bulkMax, listAdminPosts, listTodaysPosts } from '#contract/feed/review/endpoints.ts'
import { listPeople } from '#server/features/account/index.ts'
import { auditQuery } from '#server/features/admin/audit.ts'
import { countNewUsers, countRegistered } from '#server/features/admin/stats.ts'
import { addMissingTrigrams, publishedPerDay } from '#server/features/feed/index.ts'
import { peopleToLock } from '#server/features/feed/decisions.ts'
import { pendingPosts, reviewQueue } from '#server/features/feed/queries.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { inMegabytes, loadFromOtherCore, withInstance } from './instance.ts'
import { markPostsIndexed, withDatabase } from './rows.ts'
import { atMost, fact, type Figure, planOf, printTable, quantile, timesOf } from './table.ts'

const people = 100_000
const posts = 100_000
const entries = 1_000_000
const waiting = 5000
/** People who are deleted, each with this many posts. */
const leaving = 20
const postsOfLeaving = 1000
const callsEach = 100
const warmUps = 10
const listMs = 50
const searchMs = 100
const limit = '50'

loadFromOtherCore()
await withInstance(async ({ admin, dataDir, memory }) => {
  const cursors = await withDatabase(dataDir, async (db) => {
    await fill(db)
    return findCursors(db)
  })
  const figures: Figure[] = []
  const measure = async (name: string, ms: number, call: () => Promise<unknown>, count = callsEach) => {
    const times = await timesOf({ warmUps: count === callsEach ? warmUps : 0, calls: count }, call)
    const p50 = quantile(times, 0.5).toFixed(1)
    figures.push(atMost(`${name}: p95 (p50 ${p50} ms)`, quantile(times, 0.95), ms, 'ms'))
  }
  const users = (query: object) => () => admin.does(listAdminUsers, { query: { limit, ...query } })
  const listed = (query: object) => () => admin.does(listAdminPosts, { query: { limit, ...query } })
  const queue = (query: object) => () => admin.does(listPendingPosts, { query: { limit, ...query } })
  const audit = (query: object) => () => admin.does(listAuditEntries, { query: { limit, ...query } })

  await measure('users, first page', listMs, users({}))
  await measure('users, deep page', listMs, users({ before: cursors.user }))
  await measure('users, search for a name', searchMs, users({ q: 'writer7777' }))
  await measure('users, search for what every tenth has', searchMs, users({ q: 'Marlene' }))
  await measure('users, count of that search', searchMs, () =>
    admin.does(countAdminUsers, { query: { q: 'Marlene' } }),
  )
  await measure('posts, first page', listMs, listed({}))
  await measure('posts, deep page', listMs, listed({ before: cursors.post }))
  await measure('posts, hidden', listMs, listed({ isVisible: 'false' }))
  await measure('posts, pending', listMs, listed({ status: 'pending' }))
  await measure('posts of today', listMs, () => admin.does(listTodaysPosts, { query: { limit } }))
  await measure('posts, search for a frequent word', searchMs, listed({ q: 'lantern' }))
  await measure('posts, search for a text of one post', searchMs, listed({ q: 'post number 77 ' }))
  await measure('posts, search for a text of no post', searchMs, listed({ q: 'zebra crossing' }))
  await measure('queue, newest first', listMs, queue({}))
  await measure('queue, oldest first, overdue', listMs, queue({ order: 'oldest', due: 'overdue' }))
  await measure('statistics and charts', listMs, () => admin.does(getStats))
  await measure('audit log, first page', listMs, audit({}))
  await measure('audit log, longest page', listMs, audit({ limit: String(auditMax) }))
  await measure('audit log, of a person', listMs, audit({ about: cursors.actor }))
  await measure('audit log, of a rare action', listMs, audit({ action: 'magazine-uploaded' }))
  await measure('audit log, deep page', listMs, audit({ before: cursors.entry }))

  const batches = await withDatabase(dataDir, listBatches)
  await measure(
    `approval of ${bulkMax} posts`,
    1000,
    () => admin.does(approvePosts, { input: { postIds: batches.pop()! } }),
    batches.length,
  )
  const left = Array.from({ length: leaving }, (_, n) => personId(n + 1))
  await measure(
    `deletion of a person with ${postsOfLeaving.toLocaleString('en')} posts`,
    1000,
    () => admin.does(deleteUser, { params: { id: left.pop()! } }),
    leaving,
  )
  figures.push(fact('memory of the server', inMegabytes(memory())))
  await withDatabase(dataDir, async (db) => figures.push(...(await plans(db, cursors))))
  printTable(
    `The back office with ${people.toLocaleString('en')} people, ${posts.toLocaleString('en')} posts, of which ${waiting.toLocaleString('en')} wait, and ${entries.toLocaleString('en')} entries of the audit log`,
    figures,
  )
})

function personId(n: number) {
  return `zz${String(n).padStart(8, '0')}`
}

async function fill(db: Database) {
  await db.execute(sql`
    insert into users (id, username, first_name, last_name, created_at)
    select 'zz' || lpad(n::text, 8, '0'), 'writer' || n, case when n % 10 = 0 then 'Marlene' else 'Ana' end, md5(n::text),
      app_now() - n * interval '1 minute'
    from generate_series(1, ${people}::int) n`)
  await db.execute(sql`
    insert into emails (address, user_id)
    select 'writer' || n || '@mail.example', 'zz' || lpad(n::text, 8, '0') from generate_series(1, ${people}::int) n`)
  // The first of them wait, and one in a hundred of the others is hidden.
  await db.execute(sql`
    insert into posts (id, content, author_name, author_id, post_type, is_visible, created_at, published_at, published_on, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
      'Here is post number ' || n || ' ' || repeat(case when n % 20 = 0 then 'A lantern in the hall. ' else 'A line of a story. ' end, 10 + n % 60),
      'Ana Lima', case when n <= ${leaving * postsOfLeaving}::int
        then 'zz' || lpad(((n - 1) / ${postsOfLeaving}::int + 1)::text, 8, '0')
        else 'zz' || lpad((n * 7 % ${people}::int + 1)::text, 8, '0') end,
      'standard', n <= ${waiting}::int or n % 100 <> 0, at,
      case when n > ${waiting}::int then at end, case when n > ${waiting}::int then at::date end, md5(n::text)
    from generate_series(1, ${posts}::int) n, lateral (select app_now() - n * interval '5 minutes' as at) t`)
  await db.execute(sql`
    insert into audit_log (id, at, action, actor_id, subject_id)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, app_now() - n * interval '20 seconds',
      case when n % 100000 = 0 then 'magazine-uploaded' when n % 5 = 0 then 'post-approval' else 'sign-in' end,
      'zz' || lpad((n % 20000 + 1)::text, 8, '0'), 'zz' || lpad((n * 13 % 20000 + 1)::text, 8, '0')
    from generate_series(1, ${entries}::int) n`)
  await addMissingTrigrams(db, new AbortController().signal)
  await markPostsIndexed(db)
  await db.execute(sql`vacuum analyze`)
}

/** A person of the audit log, and the cursors of deep pages. */
async function findCursors(db: Database) {
  const cursorIn = async (table: SQL, time: SQL, skipped: number) => {
    const { rows } = await db.execute<{ at: string; id: string }>(
      sql`select ${time} as at, id from ${table} order by ${time} desc, id desc offset ${skipped} limit 1`,
    )
    return `${new Date(rows[0]!.at).toISOString()}_${rows[0]!.id}`
  }
  return {
    user: await cursorIn(sql`users`, sql`created_at`, people * 0.9),
    post: await cursorIn(sql`posts`, sql`created_at`, posts * 0.9),
    entry: await cursorIn(sql`audit_log`, sql`at`, entries * 0.9),
    actor: personId(777),
  }
}

/** Ids of waiting posts, as many as one call may approve. */
async function listBatches(db: Database): Promise<string[][]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from posts where published_at is null and is_visible order by id`,
  )
  const ids = rows.map(({ id }) => id)
  return Array.from({ length: Math.floor(ids.length / bulkMax) }, (_, n) =>
    ids.slice(n * bulkMax, (n + 1) * bulkMax),
  )
}

/** The indexes that the queries read. */
async function plans(db: Database, cursors: Awaited<ReturnType<typeof findCursors>>): Promise<Figure[]> {
  const [createdAt = '', id = ''] = cursors.entry.split('_')
  const audit = { limit: 51, timeZone: 'UTC' }
  const queries: Record<string, { getSQL(): SQL }> = {
    'users, search': listPeople(db, { limit: 51, text: 'writer7777' }),
    queue: pendingPosts(db, { isOldestFirst: true, longerThanDays: 7 }).limit(51),
    'count of the queue': reviewQueue(db),
    'posts per day': publishedPerDay(db),
    registrations: countRegistered(db, [new Date()]),
    'new registrations': countNewUsers(db),
    'people of a decision': peopleToLock(db, [id], personId(1)),
    'audit log, deep page': auditQuery(db, { ...audit, before: { createdAt, id } }),
    'audit log, of a person': auditQuery(db, { ...audit, about: cursors.actor }),
  }
  const figures: Figure[] = []
  for (const [name, query] of Object.entries(queries))
    figures.push({ name: `plan: ${name}`, ...(await planOf(db, query.getSQL())) })
  return figures
}
