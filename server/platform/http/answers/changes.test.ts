import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { until } from '#server/testing/stream-client.ts'
import { addFact, facts, startPlatform } from '#server/testing/test-platform.ts'
import { handle } from '../endpoints/handle.ts'
import { everyone } from '../endpoints/policy.ts'

/** A server whose change waits in its transaction until the test opens the gate. Its pool has 20 connections. */
async function startWithGate() {
  const gate = Promise.withResolvers<void>()
  const begun: string[] = []
  const { app, database, request } = await startPlatform([
    handle(addFact, everyone, async ({ db, input }) => {
      await db.execute(sql`select`)
      begun.push(input.name)
      if (input.name !== 'other') await gate.promise
      return { name: input.name }
    }),
    facts[1]!,
  ])
  const change = (name: string, sender: object) =>
    request({ method: 'POST', url: '/api/facts', payload: { name }, ...sender })
  return { app, database, request, change, begun, gate }
}

test.each([
  ['person', { cookies: { sid: 'user' } }, { cookies: { sid: 'admin' } }],
  ['visitor', { remoteAddress: '203.0.113.1' }, { remoteAddress: '203.0.113.2' }],
])(
  'of 90 changes at once of one %s four hold a connection, others are served meanwhile, and all 90 are answered afterwards [R14]',
  async (_, sender, other) => {
    const { database, request, change, begun, gate } = await startWithGate()
    const names = Array.from({ length: 90 }, (__, n) => `${n}`)
    const flood = Promise.all(names.map((name) => change(name, sender)))
    await until(() => begun.length >= 4 || undefined)
    expect((await change('other', other)).statusCode).toBe(201)
    expect((await request({ url: '/api/facts', ...sender })).statusCode).toBe(200)
    expect(database.pool.totalCount - database.pool.idleCount).toBe(4)
    gate.resolve()
    expect((await flood).every(({ statusCode }) => statusCode === 201)).toBe(true)
    expect(begun.toSorted()).toEqual([...names, 'other'].toSorted())
  },
)
