import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addFact, startPlatform } from '#server/testing/test-platform.ts'
import { instanceFacts } from '../../schema.ts'
import { handle, oneStatement } from './handle.ts'
import { changeOnce } from './idempotency.ts'
import { everyone } from './policy.ts'

test('fifty equal actions with one key act once and all get the first answer [R7 R6]', async () => {
  const { post, stored } = await startPlatform()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => post({ name: 'once' }, { 'idempotency-key': 'k1' })),
  )
  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`))).toEqual(
    new Set(['201 {"name":"once"}']),
  )
  expect(await stored()).toEqual(['once'])
})

test('a key with other content is refused, and is free again for other people and after a day [R7]', async () => {
  const { post, stored, clock, database } = await startPlatform()
  await database.execute(sql`insert into users (id, created_at) values ('id-of-user', app_now())`)
  const headers = { 'idempotency-key': 'k1' }
  await post({ name: 'a' }, headers)
  const other = await post({ name: 'b' }, headers)
  expect([other.statusCode, other.json()]).toMatchObject([400, { code: 'IdempotencyKeyReused' }])
  expect(await stored()).toEqual(['a'])
  expect((await post({ name: 'b' }, { ...headers, cookie: 'sid=user' })).statusCode).toBe(201)
  clock.advance(25 * 60 * 60 * 1000)
  expect((await post({ name: 'c' }, headers)).statusCode).toBe(201)
})

test('of people without a session a key keeps no address, and is theirs alone all the same [R7 S5]', async () => {
  const { request, stored, database } = await startPlatform()
  const postFrom = (remoteAddress: string, name: string) =>
    request({
      method: 'POST',
      url: '/api/facts',
      payload: { name },
      remoteAddress,
      headers: { 'idempotency-key': 'k1' },
    })
  expect((await postFrom('203.0.113.9', 'a')).statusCode).toBe(201)
  expect((await postFrom('203.0.113.10', 'b')).statusCode).toBe(201)
  expect((await postFrom('203.0.113.9', 'a')).json()).toEqual({ name: 'a' })
  expect(await stored()).toEqual(['a', 'b'])
  const { rows } = await database.execute(sql`select * from idempotency_keys`)
  expect(rows).toHaveLength(2)
  expect(JSON.stringify(rows)).not.toContain('203.0.113')
})

test('a refused action does not use up its key [R7]', async () => {
  const { post, stored, database } = await startPlatform()
  const headers = { 'idempotency-key': 'k1' }
  await database.insert(instanceFacts).values({ name: 'a', value: '' })
  expect((await post({ name: 'a' }, headers)).statusCode).toBe(500)
  await database.execute(sql`delete from instance_facts`)
  expect((await post({ name: 'a' }, headers)).statusCode).toBe(201)
  expect(await stored()).toEqual(['a'])
})

test('a repeated call whose handler is refused after it planned work gets the first answer, and the work is not done [R7]', async () => {
  let done = 0
  const { post, stored } = await startPlatform([
    handle(addFact, everyone, { ...oneStatement, claimsKey: true }, ({ db, claim, input, afterCommit }) => {
      afterCommit(() => void done++)
      return changeOnce(db, claim, async (tx) => {
        await tx.insert(instanceFacts).values({ name: input.name, value: '' })
        return { name: input.name }
      })
    }),
  ])
  for (let call = 0; call < 3; call++)
    expect((await post({ name: 'a' }, { 'idempotency-key': 'k1' })).json()).toEqual({ name: 'a' })
  expect([await stored(), done]).toEqual([['a'], 1])
})

test('a call whose handler forgets to pass the claim to its statement gets an error, with a key and without [R7]', async () => {
  const { post } = await startPlatform([
    handle(addFact, everyone, { ...oneStatement, claimsKey: true }, async ({ db, input }) => {
      await db.insert(instanceFacts).values({ name: input.name, value: '' })
      return { name: input.name }
    }),
  ])
  expect((await post({ name: 'a' })).statusCode).toBe(500)
  expect((await post({ name: 'b' }, { 'idempotency-key': 'k1' })).statusCode).toBe(500)
  // @ts-expect-error Only a route with `claimsKey` has a claim.
  handle(addFact, everyone, oneStatement, async ({ db, claim }) =>
    changeOnce(db, claim, async () => ({ name: '' })),
  )
  // @ts-expect-error The route runs without a transaction around its handler.
  handle(addFact, everyone, { claimsKey: true }, async ({ db, claim }) =>
    changeOnce(db, claim, async () => ({ name: '' })),
  )
})

test('a repeated call, and one that sends another body with its key, count towards no limit that the handler takes; a refused one counts [R7 S47]', async () => {
  const rule = { name: 'facts', count: 3, seconds: 60, by: 'person' } as const
  const { post, stored } = await startPlatform([
    handle(
      addFact,
      everyone,
      { ...oneStatement, claimsKey: true },
      async ({ db, claim, input, limitOf, fail }) => {
        await limitOf('everybody', rule)
        return changeOnce(db, claim, async (tx) => {
          if (input.name === 'refused') fail('InvalidInput')
          await tx.insert(instanceFacts).values({ name: input.name, value: '' })
          return { name: input.name }
        })
      },
    ),
  ])
  const statusOf = async (name: string, key: string) =>
    (await post({ name }, { 'idempotency-key': key })).statusCode
  for (let call = 0; call < 4; call++) expect(await statusOf('a', 'k1')).toBe(201)
  for (let call = 0; call < 4; call++) expect(await statusOf('b', 'k1')).toBe(400)
  expect(await statusOf('refused', 'k2')).toBe(400)
  expect(await statusOf('c', 'k2')).toBe(201)
  expect(await statusOf('d', 'k3')).toBe(429)
  expect(await statusOf('a', 'k1')).toBe(201)
  expect(await stored()).toEqual(['a', 'c'])
})
