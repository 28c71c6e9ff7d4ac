import { timingSafeEqual } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { LimitRule } from './bounds/limits.ts'
import { isLocal } from './request/origin.ts'
import { sameForAll } from './endpoints/policy.ts'
import { Refused } from './refusal.ts'
import type { Platform } from './platform.ts'
import type { Server } from './server.ts'

// Ten a second for each load balancer or collector.
export const checks: LimitRule = { name: 'checks', count: 600, seconds: 60, by: 'address' }

/** `/health/*` and `/metrics` (R21). */
export function addHealth({ app, metrics }: Server, { config, database }: Platform) {
  const options = {
    config: { policy: sameForAll, alwaysAnswers: true, reads: checks },
  } as const
  app.get('/health/live', options, async () => ({ ok: true }))
  let asking: Promise<unknown> | undefined
  app.get('/health/ready', options, async () => {
    // One query answers all who ask meanwhile, so that they do not fill the queue for the database.
    asking ??= database.execute(sql`select 1`).finally(() => (asking = undefined))
    await asking
    return { ok: true }
  })
  app.get('/metrics', options, async (request, reply) => {
    const mayRead =
      config.metricsToken === undefined
        ? isLocal(request)
        : isToken(request.headers.authorization, config.metricsToken)
    if (!mayRead) throw new Refused('NotFound')
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}

function isToken(authorization: string | undefined, token: string) {
  const given = Buffer.from(authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
