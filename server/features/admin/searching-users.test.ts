import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { countAdminUsers, listAdminUsers } from '#contract/admin/endpoints.ts'
import { countPeople, listPeople } from '#server/features/account/index.ts'
import { contentOf } from '#server/testing/content.ts'
import { planOf } from '#server/testing/plan.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'

async function search(boss: Client, q: string) {
  const listed = await boss.does(listAdminUsers, { query: { q } })
  expect(await boss.does(countAdminUsers, { query: { q } })).toEqual({ count: listed.length })
  return listed.map(({ username }) => username)
}

test('an admin finds users by any part of username, email address, first or last name, in any case [AUSR-01 AUSR-09 API-36]', async () => {
  const { admin, person } = await startTestApp()
  const boss = await admin({ firstName: 'Vera', lastName: 'Boss', email: 'v@example.org', username: 'boss' })
  await person({
    firstName: 'Élodie',
    lastName: 'Marchand',
    email: 'pen@ink.example',
    username: 'moonwriter',
  })
  await person({ firstName: 'Жанна', lastName: 'Ильина', email: 'zh@ink.example', username: 'zhanna' })
  for (const q of [
    'moon',
    'NWRI',
    'PEN@',
    'n@ink',
    'élod',
    'ÉLO',
    'RCHAN',
    'odie march',
    ' moon ',
    'e\u0301lod',
  ])
    expect([q, await search(boss, q)]).toEqual([q, ['moonwriter']])
  for (const q of ['анн', 'ЖАН', 'ильин']) expect([q, await search(boss, q)]).toEqual([q, ['zhanna']])
  expect((await search(boss, 'INK.')).toSorted()).toEqual(['moonwriter', 'zhanna'])
  expect(await search(boss, 'x'.repeat(100))).toEqual([])
  for (const q of ['', '  ']) expect(await search(boss, q)).toHaveLength(3)
})

test('an admin searches for % and _ literally, not as patterns [AUSR-09]', async () => {
  const { admin, person } = await startTestApp()
  const boss = await admin({ username: 'boss' })
  await person({ firstName: 'Ana_Lima', username: 'one', email: 'a100@example.org' })
  await person({ firstName: '50% Ana', username: 'two' })
  await person({ firstName: String.raw`A\B`, username: 'three' })
  expect(await search(boss, '_')).toEqual(['one'])
  expect(await search(boss, '%')).toEqual(['two'])
  expect(await search(boss, String.raw`\ `.trim())).toEqual(['three'])
  for (const q of ['a%a', 'a__l', "' or true --", String.raw`\%`]) expect(await search(boss, q)).toEqual([])
})

test('guests are in no list and no count, and neither is somebody without a name, an email address and a username [AUSR-03 AUSR-07 AUSR-08 AUSR-11]', async () => {
  const { db, admin, person, guest } = await startTestApp()
  const boss = await admin({ username: 'boss' })
  await guest()
  const [nameless, named, addressed] = [await person(), await person({ username: 'named' }), await person()]
  const strip = (id: string, columns: string) =>
    db.execute(sql`update users set ${sql.raw(columns)} where id = ${id}`)
  await strip(nameless.me.id, 'username = null, first_name = null, last_name = null')
  await strip(addressed.me.id, 'username = null, first_name = null, last_name = null')
  await strip(named.me.id, 'first_name = null, last_name = null')
  await db.execute(sql`delete from emails where user_id in (${nameless.me.id}, ${named.me.id})`)
  const listed = await boss.does(listAdminUsers)
  expect(listed.map(({ id }) => id).toSorted()).toEqual([boss.me.id, named.me.id, addressed.me.id].toSorted())
  expect(await boss.does(countAdminUsers)).toEqual({ count: 3 })
})

test('the pages of a search follow each other, and the count is that of all pages [AUSR-09 AUSR-11 S30]', async () => {
  const { admin, person, clock } = await startTestApp()
  const boss = await admin({ username: 'boss' })
  for (let n = 0; n < 5; n++) {
    clock.advance(1000)
    await person({ firstName: n === 2 ? 'Zoe' : 'Marlene', username: `writer${n}` })
  }
  const seen: string[] = []
  let before: string | undefined
  do {
    const query = { q: 'marlene', limit: '3', ...(before !== undefined && { before }) }
    const answer = await boss.tries(listAdminUsers, { query })
    seen.push(...(answer.body as { username: string }[]).map(({ username }) => username))
    before = answer.headers['next-before'] as string | undefined
  } while (before !== undefined)
  expect(seen).toEqual(['writer4', 'writer3', 'writer1', 'writer0'])
  expect(await boss.does(countAdminUsers, { query: { q: 'marlene' } })).toEqual({ count: 4 })
})

test('a text of more than 100 characters is refused, and so is the 121st search of a minute; the list is not [S31 S47]', async () => {
  const { db, admin } = await startTestApp()
  const boss = await admin()
  const before = await contentOf(db)
  expect(await boss.tries(listAdminUsers, { query: { q: 'x'.repeat(101) } })).toMatchObject({ status: 400 })
  for (let n = 0; n < 120; n++) await boss.does(countAdminUsers, { query: { q: 'a' } })
  expect(await boss.tries(listAdminUsers, { query: { q: 'a' } })).toMatchObject({ status: 429 })
  expect(await boss.does(listAdminUsers)).toHaveLength(1)
  expect(await contentOf(db)).toEqual(before)
})

test('a search among 20,000 users reads the indexes of parts, and a page without a search the index of the list [AUSR-09 R16]', async () => {
  const { db } = await startTestApp()
  await db.execute(sql`
    insert into users (id, first_name, last_name, username, created_at)
    select lpad(to_hex(n), 10, '0'), 'Person', md5(n::text), 'user' || n, app_now() + n * interval '1 second'
    from generate_series(1, 20000) n`)
  await db.execute(sql`insert into emails select username || '@example.org', id from users`)
  await db.execute(sql`vacuum analyze users, emails`)
  const page = { limit: 51, before: { createdAt: '2030-01-01T00:00:00.000Z', id: '0000000001' } }
  const searched = await planOf(db, listPeople(db, { ...page, text: 'user17777' }))
  expect(searched).toMatch(/Bitmap Index Scan on users_by_part_of_name/)
  expect(searched).toMatch(/Bitmap Index Scan on emails_by_part/)
  expect(searched).not.toMatch(/Seq Scan/)
  expect(await planOf(db, listPeople(db, page))).toMatch(/Index Scan (Backward )?using users_registered/)
  expect(await countPeople(db, { text: 'user17777' })).toBe(1)
  expect(await listPeople(db, { ...page, text: 'USER1777' })).toHaveLength(11)
})
