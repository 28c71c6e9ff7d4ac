import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { blockPerson, searchPeople } from '#contract/friends/endpoints.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { searchQuery } from './search.ts'

const search = async (who: Client, q: string) =>
  (await who.does(searchPeople, { query: { q } })).map(({ id }) => id)

test('people are found by the beginning of first name, full name, last name or username, in any case and without marks [S39 SHELL-21]', async () => {
  const { person } = await startTestApp({ config: { limitsRates: false } })
  const ana = await person()
  const jose = await person({ firstName: 'José', lastName: 'Álvarez', username: 'moonwriter' })
  const zhanna = await person({ firstName: 'Жанна', lastName: 'Ильина', username: 'zhanna' })
  for (const q of ['jo', 'JOSÉ', 'jose alv', 'álv', 'alva', 'Moon', ' moonwriter '])
    expect([q, await search(ana, q)]).toEqual([q, [jose.me.id]])
  expect(await search(ana, 'жан')).toEqual([zhanna.me.id])
  for (const q of ['ose', 'writer', 'varez', '', ' ', 'j', 'j%', 'jos_', '%%', '\\', "jo'"])
    expect([q, await search(ana, q)]).toEqual([q, []])
})

test('a text that has less than two letters without its marks finds nobody [S39]', async () => {
  const { person } = await startTestApp({ config: { limitsRates: false } })
  const ana = await person()
  await person({ firstName: 'José', lastName: 'Álvarez' })
  for (const q of ['\u0301\u0301', 'j\u0301', '\u0301 j', '\u0301\u0301\u200b'.repeat(10)])
    expect([q, await search(ana, q)]).toEqual([q, []])
  expect(await search(ana, 'j\u0301o')).toHaveLength(1)
})

test('an email address finds its person only as a whole, and only then the answer shows it [S39 API-22]', async () => {
  const { person } = await startTestApp({ config: { limitsRates: false } })
  const ana = await person()
  const ben = await person({ firstName: 'Ben', lastName: 'Okri', email: 'moon@example.org' })
  const [exact] = await ana.does(searchPeople, { query: { q: 'Moon@Example.org' } })
  const { id, username } = ben.me
  expect(exact).toEqual({ id, username, firstName: 'Ben', lastName: 'Okri', email: 'moon@example.org' })
  for (const q of ['moon@', 'moon@example.or', 'example.org']) expect(await search(ana, q)).toEqual([])
  expect(await ana.does(searchPeople, { query: { q: 'Ben Ok' } })).toMatchObject([{ email: null }])
})

test('the searcher, guests, and people on either side of a block are never found [S39 PPL-04]', async () => {
  const { person, guest } = await startTestApp({ config: { limitsRates: false } })
  const name = { firstName: 'Marlene', lastName: 'Test' }
  const [ana, ben, cem] = [await person(name), await person(name), await person(name)]
  await guest()
  expect((await search(ana, 'marl')).toSorted()).toEqual([ben.me.id, cem.me.id].toSorted())
  await ben.does(blockPerson, { input: { userId: ana.me.id } })
  expect(await search(ana, 'marl')).toEqual([cem.me.id])
  expect(await search(ben, 'marl')).toEqual([cem.me.id])
  expect(await search(ana, ben.me.email!)).toEqual([])
  expect(await search(ana, ana.me.email!)).toEqual([])
})

test('at most 20 people are found, and a text of more than 64 characters is refused [S30 S31]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  await db.execute(sql`
    insert into users (id, first_name, username, created_at)
    select 'zzzzz' || lpad(n::text, 5, '0'), 'Marlene', 'many' || n, app_now() from generate_series(1, 50) n`)
  expect(await search(ana, 'marlene')).toHaveLength(20)
  expect(await ana.tries(searchPeople, { query: { q: 'x'.repeat(65) } })).toMatchObject({ status: 400 })
})

test('a person who searches more than 30 times in a minute is refused with 429, and can search again after it [S47]', async () => {
  const { person, clock } = await startTestApp()
  const [ana, ben] = [await person(), await person({ firstName: 'Marlene' })]
  for (let i = 0; i < 30; i++) expect(await search(ana, 'marlene')).toEqual([ben.me.id])
  const refused = await ana.tries(searchPeople, { query: { q: 'marlene' } })
  expect(refused).toMatchObject({ status: 429, code: 'TooManyRequests' })
  expect(JSON.stringify(refused.body)).not.toContain(ben.me.id)
  clock.advance(60_000)
  expect(await search(ana, 'marlene')).toEqual([ben.me.id])
})

test('a search among 200,000 people reads its three indexes and no table as a whole [S39 R16]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  for (let first = 0; first < 200_000; first += 20_000)
    await db.execute(sql`
      insert into users (id, first_name, last_name, username, created_at)
      select lpad(to_hex(n), 10, '0'), 'Marlene', 'Weiss' || n, 'marlene' || n, app_now()
      from generate_series(${first + 1}::int, ${first + 20_000}::int) n`)
  await db.execute(sql`analyze users`)
  const { rows } = await db.execute<{ 'QUERY PLAN': string }>(
    sql`explain ${searchQuery(ana.me.id, 'marlene')}`,
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).not.toMatch(/Seq Scan on users|Sort Key: \(?folded_name\(username/)
  for (const index of ['users_by_username', 'users_by_full_name', 'users_by_last_name'])
    expect(plan).toMatch(new RegExp(`${index}[^\\n]*\\n\\s*Index Cond`))
})
