import type { FastifyBaseLogger, InjectOptions } from 'fastify'
import { onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Text } from '#contract/schemas.ts'
import { readConfig } from '#server/config.ts'
import type { PlatformSettings } from '#server/platform/settings.ts'
import { createTestDatabase } from '#server/testing/test-database.ts'
import { testClock } from '#server/platform/clock.ts'
import { openDatabase } from '#server/platform/database/pool.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { instanceFacts } from '#server/platform/schema.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { addDescription } from '#server/platform/http/endpoints/description.ts'
import { addHealth } from '#server/platform/http/health.ts'
import { mount } from '#server/platform/http/endpoints/mount.ts'
import { everyone } from '#server/platform/http/endpoints/policy.ts'
import { type Counted, createEntryCounter } from '#server/platform/entry-counter.ts'
import type { Refusal } from '#server/platform/audit.ts'
import { FactorAllowances } from '#server/platform/http/bounds/factor-allowances.ts'
import type { Platform } from '#server/platform/http/platform.ts'
import { createServer } from '#server/platform/http/server.ts'

export const addFact = endpoint({
  summary: 'Adds a fact.',
  method: 'POST',
  path: '/api/facts',
  input: z.object({ name: Text(20), count: z.optional(z.number()) }),
  output: z.object({ name: z.string() }),
  status: 201,
  errors: [],
})
export const listFacts = endpoint({
  summary: 'Lists the facts.',
  method: 'GET',
  path: '/api/facts',
  query: z.object({ limit: z.optional(z.string()) }),
  output: z.array(z.object({ name: z.string() })),
  errors: [],
})
export const facts: Route[] = [
  handle(addFact, everyone, async ({ db, input }) => {
    await db.insert(instanceFacts).values({ name: input.name, value: '' })
    return { name: input.name, secret: 'never sent' } as { name: string }
  }),
  handle(listFacts, everyone, async ({ db }) => db.select().from(instanceFacts)),
]

/** A server of the platform alone, with calls of its own. The session token names the kind of viewer. */
export async function startPlatform(
  routes: Route[] = facts,
  config: Partial<PlatformSettings> = {},
  logger?: FastifyBaseLogger,
) {
  const place = await createTestDatabase()
  const clock = testClock('2025-06-10T12:00:00Z')
  const database = openDatabase({ connection: place.connection, clock })
  const refused: Counted<Refusal>[] = []
  const platform: Platform = {
    config: { ...readConfig({ NODE_ENV: 'test' }), timeZone: 'UTC', ...config },
    database,
    clock,
    random: systemRandom,
    allowances: new FactorAllowances(clock),
    addressKey: 'a secret of this installation',
    inputKey: '',
    logger,
    findViewer: async (token) =>
      token === 'nobody'
        ? { kind: 'visitor' }
        : { kind: token as 'user', id: `id-of-${token}`, session: { tokenHash: token, isFresh: true } },
    findTokenViewer: async () => undefined,
    maxLoopDelayMs: Infinity,
    refusals: createEntryCounter<Refusal>(async (entries) => void refused.push(...entries)),
  }
  const server = await createServer(platform)
  mount(server, platform, routes)
  addHealth(server, platform)
  addDescription(server, platform, { tags: [], schemaNames: z.registry(), nameOf: () => undefined })
  onTestFinished(async () => {
    await server.app.close()
    if (!database.pool.ended) await database.close()
    await place.drop()
  })
  const request = (options: InjectOptions) => server.app.inject(options)
  const post = (payload: object | string, headers: Record<string, string> = {}) =>
    request({
      method: 'POST',
      url: '/api/facts',
      payload,
      headers: { 'content-type': 'application/json', ...headers },
    })
  const stored = async () => (await database.select().from(instanceFacts)).map(({ name }) => name).toSorted()
  return { ...server, database, clock, request, post, stored, refused }
}
