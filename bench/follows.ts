import { sql } from 'drizzle-orm'
import { pathOf } from '#contract/endpoint.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import {
  followedPostsMax,
  listFollowedIds,
  listFollowedPosts,
  listFollows,
} from '#contract/follows/endpoints.ts'
import { followsMax } from '#contract/follows/follow.ts'
import { followedPostsQuery } from '#server/features/follows/queries.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { loadFromOtherCore, withInstance } from './instance.ts'
import { addPeople, markPostsIndexed, type Person, withDatabase } from './rows.ts'
import { atMost, fact, type Figure, planOf, printTable, quantile, timesOf } from './table.ts'

const postsOfEach = 200
/** People whom the reader does not follow. Each of them follows somebody. */
const strangers = 200_000
/** Posts that our page requests at once. */
const pageSize = 10
const times = { warmUps: 20, calls: 200 }

loadFromOtherCore()
await withInstance(async ({ url, dataDir }) => {
  const [reader, ...others] = await withDatabase(dataDir, async (db) => {
    const people = await addPeople(db, 1 + followsMax)
    await fill(db, people)
    return people
  })
  const figures: Figure[] = []
  const measure = async (name: string, path: string, expected: number) => {
    const measured = await timesOf(times, async () => {
      const found = await read(url, reader!, path)
      if (found.length !== expected) throw new Error(`${path} answered ${found.length} rows.`)
    })
    figures.push(
      fact(`${name}: lower quartile`, `${quantile(measured, 0.25).toFixed(1)} ms`),
      atMost(`${name}: p95`, quantile(measured, 0.95), 50, 'ms'),
    )
  }
  const postsPath = (limit: number, before?: string) =>
    pathOf(listFollowedPosts, { query: { limit: String(limit), ...(before !== undefined && { before }) } })
  await measure(`a page of ${pageSize} posts`, postsPath(pageSize), pageSize)
  await measure(`a page of ${followedPostsMax} posts`, postsPath(followedPostsMax), followedPostsMax)
  const middle = await withDatabase(dataDir, middlePost)
  await measure('a page from the middle of the list', postsPath(pageSize, middle), pageSize)
  await measure('the ids of all whom the reader follows', pathOf(listFollowedIds), others.length)
  await measure('a page of 100 of them', pathOf(listFollows), 100)
  await withDatabase(dataDir, async (db) => {
    const plan = await planOf(db, followedPostsQuery(reader!.id, { limit: pageSize + 1, before: undefined }))
    figures.push({ name: 'plan of a page of posts', ...plan })
  })
  printTable(
    `Posts of ${others.length.toLocaleString('en')} followed people with ${postsOfEach} posts each`,
    figures,
  )
})

/** The posts of all people take turns. Every tenth is signed with another name. */
async function fill(db: Database, [reader, ...others]: Person[]) {
  const ids = sql`${sql.param(others.map(({ id }) => id))}::text[]`
  await db.execute(sql`
    insert into posts (id, content, author_name, author_id, post_type, created_at, published_at, published_on, content_digest)
    select uuidv7(), repeat('A line of a poem. ', 30), case when n % 10 = 0 then 'Night Owl' else 'Ana' end, person,
      'standard', at, at, at::date, md5(person || n)
    from unnest(${ids}) with ordinality as followed (person, place), generate_series(1, ${postsOfEach}::int) n,
      lateral (select app_now() - interval '1 minute' * (n * ${others.length}::int + place) as at) as times`)
  await db.execute(sql`
    insert into users (id, username, first_name, created_at)
    select 'zz' || lpad(n::text, 8, '0'), 'writer' || n, 'Ana', app_now() from generate_series(1, ${strangers}::int) n`)
  await db.execute(sql`
    insert into follows (follower_id, followed_id, created_at)
    select ${reader!.id}, person, app_now() from unnest(${ids}) person
    union all select id, ${others[0]!.id}, app_now() from users where starts_with(id, 'zz')`)
  await markPostsIndexed(db)
  await db.execute(sql`vacuum analyze posts, post_words, post_trigrams, follows, users`)
}

async function middlePost(db: Database): Promise<string> {
  const { rows } = await db.execute<{ at: string; id: string }>(sql`
    select published_at as at, id from posts order by published_at desc offset ${(followsMax * postsOfEach) / 2}::int limit 1`)
  return `${rows[0]!.at}_${rows[0]!.id}`
}

async function read(url: string, { cookie }: Person, path: string): Promise<PublicPost[]> {
  const answer = await fetch(url + path, { headers: { cookie } })
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}.`)
  return (await answer.json()) as PublicPost[]
}
