import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { sql } from 'drizzle-orm'
import { addPost } from '#server/features/feed/queries.ts'
import { listAdminPosts } from '#server/features/feed/admin-posts.ts'
import { addMissingTrigrams, addMissingWords, posts } from '#server/features/feed/index.ts'
import { findPosts, postsQuery, rankedMax } from '#server/features/search/post-search.ts'
import { systemClock } from '#server/platform/clock.ts'
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { type Database, openDatabase } from '#server/platform/database/pool.ts'
import { newId, systemRandom } from '#server/platform/ids.ts'
import { readTextQuery } from '#server/platform/search/query.ts'
import { makeDataFolder, removeDataFolder } from '../scripts/testing/running-server.ts'
import { authorName, letter, type PostsWithWords, repeated, text, word } from './search-texts.ts'
import { atMost, fact, type Figure, median, planOf, printTable, quantile, timesOf } from './table.ts'

const size = Number(process.env.BENCH_POSTS ?? 200_000)
const searchesEach = 60
const inserts = 300
const insertRounds = 10
/** As the server stores the words of posts that were published within one second. */
const postsAtOnce = 20

/** What people type. Another text in each search where a kind has several. */
const kinds: { name: string; typed: (n: number) => string }[] = [
  { name: 'a word of nearly every post', typed: (n) => `${word(n % 5)} ` },
  { name: 'a word of every tenth post', typed: (n) => `${word(60 + n)} ` },
  { name: 'a word of every fiftieth post', typed: (n) => `${word(330 + n)} ` },
  { name: 'a word of every hundredth post', typed: (n) => `${word(700 + n)} ` },
  { name: 'a rare word', typed: (n) => `${word(20_000 + n)} ` },
  { name: 'a word of no post', typed: (n) => `qq${n} ` },
  { name: 'a beginning of two letters', typed: (n) => word(n % 20) },
  { name: 'a beginning of three letters', typed: (n) => word(900 + n).slice(0, 3) },
  { name: 'a beginning of four letters', typed: (n) => word(900 + n).slice(0, 4) },
  { name: 'a beginning of five letters', typed: (n) => word(9000 + n).slice(0, 5) },
  { name: 'two frequent words', typed: (n) => `${word(n % 9)} ${word((n % 7) + 9)} ` },
  { name: 'a rare word and a frequent beginning', typed: (n) => `${word(15_000 + n)} ${word(n % 20)}` },
  { name: 'a phrase of frequent words', typed: (n) => `"${word(n % 9)} ${word(n % 7)}"` },
  { name: 'a phrase of rarer words', typed: (n) => `"${word(100 + n)} ${word(200 + n)}"` },
  { name: 'one frequent Chinese letter', typed: (n) => letter(n % 20) },
  { name: 'one rare Chinese letter', typed: (n) => letter(2000 + n) },
  { name: 'two Chinese letters', typed: (n) => letter(n % 30) + letter(n % 17) },
  { name: 'four Chinese letters', typed: (n) => repeated(4, () => letter(n % 11)).join('') },
]

const aPart = (of: string) => of.slice(1, -1)
/** What admins type: a part of a text, also within words. Null: no limit, since the search reads many posts. */
const adminKinds: { name: string; limitMs: number | null; typed: (n: number) => string }[] = [
  { name: 'a text of no post', limitMs: 100, typed: (n) => `zebra crossing ${n}` },
  {
    name: 'a text of no post, of frequent syllables',
    limitMs: 100,
    typed: (n) => word(n) + word(n + 400) + word(n + 8000),
  },
  // The words have so few syllables that thousands of posts have all of its trigrams.
  { name: 'a part of a rare word', limitMs: null, typed: (n) => aPart(word(20_000 + 97 * n)) },
  { name: 'a part of a word of every hundredth post', limitMs: 100, typed: (n) => aPart(word(700 + n)) },
  { name: 'a frequent text', limitMs: 100, typed: (n) => aPart(word(20 + n)) },
  { name: 'a name of each author', limitMs: 100, typed: () => 'na lim' },
  {
    name: 'three rare Chinese letters',
    limitMs: 100,
    typed: (n) => letter(2000 + n) + letter(1900 + n) + letter(50),
  },
  // Less than three letters have no trigram.
  { name: 'two rare Chinese letters', limitMs: null, typed: (n) => letter(2000 + n) + letter(1900 + n) },
  { name: 'two letters of no post', limitMs: null, typed: () => 'qq' },
]
const adminPage = { limit: 50, before: undefined }

const dataDir = await makeDataFolder()
const postgres = await startEmbeddedPostgres({ dataDir })
try {
  const { connection } = postgres
  await migrate(connection, 'migrations')
  const db = openDatabase({ connection, clock: systemClock, max: 1, statementTimeoutMs: 600_000 })
  await fill(db)
  await measureAdmins(db)
  const figures: Figure[] = []
  const everything = { filters: [] }
  for (const { name, typed } of kinds) {
    const times = await timesOf({ warmUps: 5, calls: searchesEach }, (n) =>
      findPosts(db, null, readTextQuery(typed(n))!, everything),
    )
    figures.push(
      atMost(`${name}: p95`, quantile(times, 0.95), 50, 'ms'),
      fact('its median', `${median(times).toFixed(1)} ms`),
    )
  }
  const ofAuthor = await timesOf({ warmUps: 5, calls: searchesEach }, (n) =>
    findPosts(db, null, readTextQuery(`${word(60 + n)} `)!, { filters: [], author: authorName }),
  )
  figures.push(
    atMost('a word of every tenth post, of the author of all posts: p95', quantile(ofAuthor, 0.95), 50, 'ms'),
  )
  // As `findPosts` sets it.
  await db.execute(sql`set enable_seqscan = off`)
  const wholePeriod = { since: '2020-01-01T00:00:00.000Z', until: null, newest: new Date().toISOString() }
  for (const typed of [`${word(0)} `, `${word(20_000)} `, word(0)])
    figures.push({
      name: `plan for '${typed.trim()}'`,
      ...(await planOf(db, postsQuery(null, readTextQuery(typed)!, everything, wholePeriod, rankedMax))),
    })
  const { rows } = await db.execute<{ texts: string; words: string; index: string }>(sql`
    select pg_size_pretty(pg_table_size('posts')) as texts, pg_size_pretty(pg_table_size('post_words')) as words,
      pg_size_pretty(pg_indexes_size('post_words')) as index`)
  await db.execute(sql`reset enable_seqscan`)
  const full = await insertTimes(db)
  figures.push(
    fact('texts, words, indexes of the words', Object.values(rows[0]!).join(', ')),
    fact('inserting a post', `${full.bare.toFixed(2)} ms`),
    fact('publishing a post', `${full.published.toFixed(2)} ms`),
    atMost('publishing divided by inserting', full.published / full.bare, 1.25, '', 2),
    fact('storing the words of a post later, by itself', `${full.wordsAlone.toFixed(2)} ms`),
    fact(`the same, of ${postsAtOnce} posts at once`, `${full.wordsTogether.toFixed(2)} ms`),
  )
  printTable(
    `Search in ${size.toLocaleString('en')} posts, every tenth of them in a script without spaces`,
    figures,
  )
  await db.close()
} finally {
  await postgres.stop()
  await removeDataFolder(dataDir)
}

/** Fills the tables without their larger indexes and triggers, which takes a fraction of the time. */
async function fill(db: Database) {
  const { rows: indexes } = await db.execute<{ name: string; definition: string }>(sql`
    select indexname as name, indexdef as definition from pg_indexes
    where indexname in ('post_words_words', 'post_trigrams_trigrams')`)
  for (const { name } of indexes) await db.execute(sql.raw(`drop index ${name}`))
  await db.execute(sql`alter table posts disable trigger user`)
  const workers = repeated(2, () => new Worker(new URL('search-texts.ts', import.meta.url)))
  const atOnce = 2000
  const starts = Array.from({ length: Math.ceil(size / atOnce) }, (_, n) => n * atOnce)
  const make = async (worker: Worker, from: number) => {
    worker.postMessage({ from, count: Math.min(atOnce, size - from) })
    const [made] = (await once(worker, 'message')) as [PostsWithWords]
    return made
  }
  // Each worker makes the next posts while those before them are stored.
  const waiting = starts.slice(0, workers.length).map((start, n) => make(workers[n]!, start))
  for (const n of starts.keys()) {
    const at = n % workers.length
    const made = await waiting[at]!
    const next = starts[n + workers.length]
    if (next !== undefined) waiting[at] = make(workers[at]!, next)
    await insertPosts(db, made)
  }
  await Promise.all(workers.map((worker) => worker.terminate()))
  await db.execute(sql`alter table posts enable trigger user`)
  await db.execute(sql`set maintenance_work_mem = '1GB'`)
  for (const { definition } of indexes) await db.execute(sql.raw(definition))
  await db.execute(sql`vacuum analyze posts, post_words, post_trigrams`)
}

async function insertPosts(db: Database, { ids, contents, times, words, trigrams }: PostsWithWords) {
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, content_digest)
      select id, content, ${authorName}, 'standard', at, at, at::date, ''
      from unnest(${sql.param(ids)}::uuid[], ${sql.param(contents)}::text[], ${sql.param(times)}::timestamptz[]) one (id, content, at)`)
    await tx.execute(sql`
      insert into post_words (post_id, published_at, words)
      select * from unnest(${sql.param(ids)}::uuid[], ${sql.param(times)}::timestamptz[], ${sql.param(words)}::tsvector[])`)
    await tx.execute(sql`
      insert into post_trigrams (post_id, trigrams)
      select id, trigrams::smallint[] from unnest(${sql.param(ids)}::uuid[], ${sql.param(trigrams)}::text[]) one (id, trigrams)`)
  })
}

function refuse(error: unknown): never {
  throw error
}

async function measureAdmins(db: Database) {
  const store = () => addMissingTrigrams(db, new AbortController().signal)
  const figures: Figure[] = []
  for (const { name, limitMs, typed } of adminKinds) {
    const times = await timesOf({ warmUps: 2, calls: limitMs === null ? 3 : searchesEach }, (n) =>
      listAdminPosts(db, { text: typed(n) }, adminPage, () => performance.now()),
    )
    const [title, value] = [`${name}: p95`, quantile(times, 0.95)]
    figures.push(
      limitMs === null ? fact(title, `${value.toFixed(1)} ms`) : atMost(title, value, limitMs, 'ms'),
      fact('its median', `${median(times).toFixed(1)} ms`),
    )
  }
  const { rows } = await db.execute<Record<'texts' | 'trigrams' | 'indexes', string>>(sql`
    select pg_size_pretty(pg_table_size('posts')) as texts, pg_size_pretty(pg_table_size('post_trigrams')) as trigrams,
      pg_size_pretty(pg_indexes_size('post_trigrams')) as indexes`)
  const { post, publication } = newPosts()
  const publish = () => db.transaction((tx) => addPost(tx, post(), publication))
  const times: Record<'with' | 'without', number[]> = { with: [], without: [] }
  // In turns, so that other work on the machine slows down both.
  for (let round = 0; round < 2 * insertRounds; round++) {
    const way = round % 2 === 0 ? 'with' : 'without'
    await db.execute(sql.raw(`alter table posts ${way === 'with' ? 'enable' : 'disable'} trigger user`))
    times[way].push(...(await timesOf({ warmUps: 5, calls: inserts / insertRounds }, publish)))
  }
  await db.execute(sql`alter table posts enable trigger user`)
  await store()
  for (let n = 0; n < 100; n++) await publish()
  const later = performance.now()
  await store()
  figures.push(
    fact('texts, trigrams, indexes of the trigrams', Object.values(rows[0]!).join(', ')),
    fact(
      'storing the trigrams of a post, of 100 new posts',
      `${((performance.now() - later) / 100).toFixed(2)} ms`,
    ),
    fact('publishing a post', `${median(times.with).toFixed(3)} ms`),
    fact('publishing a post without the trigger', `${median(times.without).toFixed(3)} ms`),
    atMost('the one divided by the other', median(times.with) / median(times.without), 1.25, '', 2),
  )
  printTable(`Search of admins in ${size.toLocaleString('en')} posts`, figures)
}

/** The median times, for one post, of publishing it in a transaction of its own, of a bare insert, and of its words. */
async function insertTimes(db: Database) {
  const { ids, post, publication } = newPosts()
  const times = (add: () => Promise<unknown>, calls = inserts) =>
    timesOf({ warmUps: 20, calls }, add).then(median)
  const published = await times(() => db.transaction((tx) => addPost(tx, post(), publication)))
  const bare = await times(() =>
    db.transaction((tx) =>
      tx
        .insert(posts)
        .values({ ...post(), ...publication, createdAt: publication.publishedAt, contentDigest: '' }),
    ),
  )
  const { signal } = new AbortController()
  const addWords = (count: number) =>
    addMissingWords(db, signal, { ids: ids.splice(0, count), onFailure: refuse })
  const wordsAlone = await times(() => addWords(1), 100)
  const wordsTogether = (await times(() => addWords(postsAtOnce), 5)) / postsAtOnce
  return { published, bare, wordsAlone, wordsTogether }
}

function newPosts() {
  const publication = { publishedAt: new Date().toISOString(), publishedOn: '2025-06-10' }
  const sources = { clock: systemClock, random: systemRandom }
  const ids: string[] = []
  const post = () => {
    const id = newId(sources)
    ids.push(id)
    return {
      id,
      content: text(false),
      authorName,
      authorId: null,
      postType: 'standard' as const,
      submittedFrom: null,
    }
  }
  return { ids, post, publication }
}
