import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { systemClock } from '#server/platform/clock.ts'
import { type Database, openDatabase } from '#server/platform/database/pool.ts'
import { connectionOf, inMegabytes, loadFromOtherCore, withInstance } from './instance.ts'
import { markPostsIndexed } from './rows.ts'
import { atMost, fact, type Figure, printTable, quantile } from './table.ts'

const postsOfADay = 50
const days = 20_000
/** One text in so many is a story of 5,000 characters, and one a verse of 50,000. */
const storyEvery = 97
const verseEvery = 9973
const reads = 500
const warmUps = 500
const agent = new Agent({ keepAlive: true })

await withInstance(async ({ url, dataDir, memory }) => {
  const connection = await connectionOf(dataDir)
  const db = openDatabase({ connection, clock: systemClock, max: 1, statementTimeoutMs: 600_000 })
  await fill(db)
  const { rows: articles } = await db.execute<{ id: string }>(
    sql`select id from posts tablesample bernoulli (1) limit ${reads + warmUps}::int`,
  )
  const { rows: verses } = await db.execute<{ id: string }>(
    sql`select id from posts where length(content) > 20000 limit ${reads}::int`,
  )
  await db.close()
  loadFromOtherCore()
  // Steps of a prime number, so that no read follows its neighbour, whose rows are cached.
  const day = (n: number) => `/dashboard?day=${1 + ((n * 7919) % (days - 1))}`
  const article = (n: number) => `/posts/${articles[n % articles.length]!.id}`
  const million = (days * postsOfADay).toLocaleString('en')
  printTable(`Rendered pages that nobody has read yet, among ${million} posts`, [
    ...(await firstReads(`day of ${postsOfADay} posts`, 20, url, day)),
    ...(await firstReads('article', 20, url, article)),
    ...(await firstReads(
      'article of 50,000 characters of verse',
      undefined,
      url,
      (n) => `/posts/${verses[n % verses.length]!.id}`,
      { count: verses.length },
    )),
    ...(await readSitemap(url, memory)),
  ])
})

/** Each page once. The first ones are not counted: meanwhile code is compiled, and the heaps grow to their sizes. */
async function firstReads(
  name: string,
  limit: number | undefined,
  url: string,
  pathOf: (n: number) => string,
  { count = reads + warmUps } = {},
): Promise<Figure[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const start = performance.now()
    const bytes = await compressed(`${url}${pathOf(n)}`)
    if (n >= Math.min(warmUps, count / 2)) times.push(performance.now() - start)
    if (!gunzipSync(bytes).includes('data-rendered="true"')) throw new Error(`${pathOf(n)} is not rendered.`)
  }
  const [half, most] = [quantile(times, 0.5), quantile(times, 0.95)]
  return [
    fact(`${name}, median`, `${half.toFixed(1)} ms`),
    limit === undefined
      ? fact(`${name}, p95`, `${most.toFixed(1)} ms`)
      : atMost(`${name}, p95`, most, limit, 'ms'),
  ]
}

/** Reads the index and every part, twice. The memory of the server grows until its heap has its size, and no more after that. */
async function readSitemap(url: string, memory: () => number): Promise<Figure[]> {
  const index = await read(`${url}/sitemap.xml`)
  const parts = [...index.matchAll(/<loc>[^<]*(\/sitemap[^<]*)<\/loc>/g)].map(([, path]) =>
    path!.replaceAll('&amp;', '&'),
  )
  const readParts = async () => {
    let [addresses, most] = [0, 0]
    const start = performance.now()
    for (const path of parts) {
      addresses += (await read(`${url}${path}`)).split('<loc>').length - 1
      most = Math.max(most, memory())
    }
    return { addresses, most, seconds: (performance.now() - start) / 1000 }
  }
  const first = await readParts()
  const second = await readParts()
  return [
    fact('sitemap: parts and addresses', `${parts.length} and ${first.addresses.toLocaleString('en')}`),
    fact('sitemap: all parts', `${first.seconds.toFixed(1)} s`),
    fact('memory of the server while all parts are read', inMegabytes(first.most)),
    atMost('growth of it while they are read again', (second.most - first.most) / 2 ** 20, 32, 'MB'),
  ]
}

/** The bytes as they are sent: to decompress them is work of the reader. */
async function compressed(address: string): Promise<Buffer> {
  const request = get(address, { agent, headers: { 'accept-encoding': 'gzip' } })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`${address} answers ${answer.statusCode}.`)
  return buffer(answer)
}

async function read(address: string): Promise<string> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}.`)
  return answer.text()
}

/** Fifty posts a day from yesterday backwards: poems of 20 lines, some stories, few long verses. */
async function fill(db: Database) {
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, content_digest)
    select ('00000000-0000-7000-a000-' || lpad(to_hex(i), 12, '0'))::uuid,
      case
        when i % ${verseEvery}::int = 0 then repeat(E'A line of verse ' || i || E'\n', 2200)
        when i % ${storyEvery}::int = 0 then repeat('A sentence of a story that goes on for a while. ', 104)
        else repeat(E'A line of a poem\n', 20)
      end,
      'Ana Lima', 'standard', at, at, at::date, ''
    from generate_series(0, ${days * postsOfADay - 1}::int) i,
      lateral (select date_trunc('day', now()) - interval '2 hours' - (i / ${postsOfADay}) * interval '1 day'
        - (i % ${postsOfADay}) * interval '1 minute' as at) t`)
  await markPostsIndexed(db)
  await db.execute(sql`vacuum analyze posts, post_words, post_trigrams`)
}
