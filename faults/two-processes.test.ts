import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { getMe, logout, register } from '#contract/account/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { rounds, startSharedInstance, startSharedUsedDatabase, storedPosts } from './instance.ts'

type Server = Awaited<ReturnType<typeof startSharedInstance>>
let first: Server
let second: Server
beforeAll(async () => {
  const database = await startSharedUsedDatabase()
  const settings = { DATABASE_URL: database.url }
  ;[first, second] = await Promise.all([startSharedInstance(settings), startSharedInstance(settings)])
  return async () => {
    for (const { remove } of [first, second, database]) await remove()
  }
})

test('two servers that get the same submission at once store it once and give the same answer [R6 R7]', async () => {
  const writer = first.client()
  await writer.does(register, { input: { email: 'ana@example.org', password: 'secret1', firstName: 'Ana' } })
  const sameWriter = second.client(writer)
  const acknowledged = new Set<string>()
  for (let round = 0; round < rounds * 10; round++) {
    const sent = {
      input: { content: `Line ${round}`, authorName: 'Ana' },
      headers: { 'idempotency-key': randomUUID() },
    }
    const answers = await Promise.all([writer.does(submitPost, sent), sameWriter.does(submitPost, sent)])
    expect(answers[0]).toEqual(answers[1])
    acknowledged.add(answers[0].id)
  }
  const stored = await storedPosts(first.client())
  expect(new Set(stored.map(([, id]) => id))).toEqual(acknowledged)
  expect(stored).toHaveLength(acknowledged.size)
})

test('a person who logs out at one server has no session at the other [S23]', async () => {
  const ben = first.client()
  await ben.does(register, { input: { email: 'ben@example.org', password: 'secret1', firstName: 'Ben' } })
  const elsewhere = second.client(ben)
  expect((await elsewhere.tries(getMe)).status).toBe(200)
  await ben.does(logout)
  expect((await elsewhere.tries(getMe)).status).toBe(401)
})
