import { sql } from 'drizzle-orm'
import { pathOf } from '#contract/endpoint.ts'
import { searchPeople } from '#contract/friends/endpoints.ts'
import type { Friend } from '#contract/friends/friend.ts'
import { searchQuery } from '#server/features/friends/search.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { inMegabytes, loadFromOtherCore, withInstance } from './instance.ts'
import { addPeople, type Person, withDatabase } from './rows.ts'
import { atMost, fact, type Figure, planOf, printTable, quantile, timesOf } from './table.ts'

const accounts = 1_000_000
const searchers = 200
/** Of each kind, after the first ones, which warm the server up. */
const searchesEach = 300
const warmUps = 20
const syllables = 'ba ce do fi gu ha je ko li mu na pe ro si tu va we xi yo za'.split(' ')

/** What people type. Every fourth person is called Anna; the n-th has a username and an address with this number. */
const kinds: { name: string; text: (n: number) => string; finds: 'many' | 'one' | 'nobody' }[] = [
  { name: 'one letter', text: (n) => syllable(n)[0]!, finds: 'nobody' },
  { name: 'two letters', text: syllable, finds: 'many' },
  { name: 'the name of every fourth person', text: () => 'Anna', finds: 'many' },
  { name: 'the beginning of a first name', text: (n) => firstName(n).slice(0, 3), finds: 'many' },
  {
    name: 'a first name and the beginning of a last name',
    text: (n) => `anna ${syllable(n)}`,
    finds: 'many',
  },
  { name: 'a last name', text: (n) => lastName(n), finds: 'many' },
  { name: 'a username', text: (n) => `writer${sample(n)}x`, finds: 'one' },
  { name: 'the beginning of a username', text: (n) => `writer${(n % 9) + 1}`, finds: 'many' },
  { name: 'a full email address', text: (n) => `Writer${sample(n)}@mail.example`, finds: 'one' },
  { name: 'the beginning of an email address', text: (n) => `writer${sample(n)}@mail`, finds: 'nobody' },
  { name: 'the domain of every address', text: () => 'mail.example', finds: 'nobody' },
  { name: 'the middle of a word', text: (n) => `nna ${syllable(n)}`, finds: 'nobody' },
  { name: 'a name of nobody', text: (n) => `qu${n}`, finds: 'nobody' },
]

loadFromOtherCore()
await withInstance(async ({ url, dataDir, memory }) => {
  const readers = await withDatabase(dataDir, async (db) => {
    await fill(db)
    return addPeople(db, searchers)
  })
  const figures: Figure[] = []
  const all: number[] = []
  for (const { name, text, finds } of kinds) {
    const times = await timesOf({ warmUps, calls: searchesEach }, async (n) =>
      expectRight(text(n), await search(url, readers[n % searchers]!, text(n)), finds),
    )
    all.push(...times)
    figures.push(atMost(`${name}: p95`, quantile(times, 0.95), 20, 'ms'))
  }
  figures.push(
    fact('all kinds: median', `${quantile(all, 0.5).toFixed(1)} ms`),
    fact('memory of the server', inMegabytes(memory())),
  )
  await withDatabase(dataDir, async (db) => {
    for (const text of ['anna', 'qu', 'writer7@mail.example'])
      figures.push({
        name: `plan for '${text}'`,
        ...(await planOf(db, searchQuery(readers[0]!.id, text))),
      })
  })
  printTable(
    `Search among ${accounts.toLocaleString('en')} accounts, each by another person; an address is answered to nobody who has not typed it`,
    figures,
  )
})

async function fill(db: Database) {
  const parts = sql`${sql.param(syllables)}::text[]`
  const part = (n: string) => sql`(${parts})[(${sql.raw(n)}) % 20 + 1]`
  // The indexes are made again afterwards, which takes half the time.
  const { rows: indexes } = await db.execute<{ name: string; definition: string }>(sql`
    select indexname as name, indexdef as definition from pg_indexes where indexname like 'users_by_%'`)
  for (const { name } of indexes) await db.execute(sql`drop index ${sql.identifier(name)}`)
  await db.execute(sql`
    insert into users (id, username, first_name, last_name, created_at)
    select 'zz' || lpad(n::text, 8, '0'), 'writer' || n || 'x',
      case when n % 4 = 0 then 'Anna' else initcap(${part('n')} || ${part('n / 20')}) end,
      initcap(${part('n / 4')} || ${part('n / 80')} || ${part('n / 1600')}), app_now()
    from generate_series(1, ${accounts}::int) n`)
  await db.execute(sql`
    insert into emails (address, user_id)
    select 'writer' || n || '@mail.example', 'zz' || lpad(n::text, 8, '0') from generate_series(1, ${accounts}::int) n`)
  for (const { definition } of indexes) await db.execute(sql.raw(definition))
  await db.execute(sql`vacuum analyze users, emails`)
}

/** Another syllable each time. */
function syllable(n: number) {
  return syllables[n % 20]!
}

function firstName(n: number) {
  return syllable(n) + syllable(Math.floor(n / 20))
}

function lastName(n: number) {
  return syllable(n) + syllable(n * 7) + syllable(n * 3)
}

/** The number of some account. */
function sample(n: number) {
  return ((n * 7919) % accounts) + 1
}

async function search(url: string, { cookie }: Person, q: string): Promise<Friend[]> {
  const answer = await fetch(url + pathOf(searchPeople, { query: { q } }), { headers: { cookie } })
  const found = await answer.json()
  if (!answer.ok) throw new Error(`A search for '${q}' was answered ${answer.status}.`)
  return found as Friend[]
}

/** An address is answered only for the whole address, and part of a word or an address finds nobody. */
function expectRight(text: string, found: Friend[], finds: 'many' | 'one' | 'nobody') {
  const leaked = found.find(({ email }) => email !== null && email !== text.toLowerCase())
  if (leaked !== undefined) throw new Error(`'${text}' was answered with the address ${leaked.email}.`)
  const isRight =
    finds === 'nobody' ? found.length === 0 : finds === 'one' ? found.length === 1 : found.length > 1
  if (!isRight) throw new Error(`'${text}' finds ${found.length} people.`)
}
