import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod/mini'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/pool.ts'
import type { Random } from '../../ids.ts'
import { Download } from '../answers/download.ts'
import { Slice } from '../answers/paging.ts'
import { Streamed } from '../answers/streamed.ts'
import { Refused } from '../refusal.ts'
import type { ClaimingCall, Route } from './handle.ts'
import type { SignedIn } from './policy.ts'

export interface ReadContext {
  viewer: SignedIn
  database: Database
  clock: Clock
  random: Random
  log: FastifyBaseLogger
}

interface Sent {
  params?: object
  query?: object
}

/**
 * Runs the handler of a read as a person, without a request and without a session: a command reads by it what the person can
 * read. The policy of the route and its schemas hold. Rate limits do not apply, because they protect a server under load.
 */
export async function runRead(
  { endpoint, policy, run }: Route,
  { viewer, database, clock, random, log }: ReadContext,
  { params, query }: Sent,
): Promise<{ output: unknown; nextBefore: string | undefined }> {
  if (endpoint.method !== 'GET') throw new Error(`${endpoint.path} is no read.`)
  if (policy[viewer.kind] !== true) throw new Refused('NotAllowed')
  const call: Partial<ClaimingCall> = {
    params: endpoint.params && z.parse(endpoint.params, params),
    query: endpoint.query && z.parse(endpoint.query, query ?? {}),
    viewer,
    db: database,
    now: clock.now(),
    clock,
    random,
    isLocal: true,
    log,
    fail: (code, detail) => {
      throw new Refused(code, detail)
    },
    limit: async () => {},
    requireScope: () => {},
    limitOf: async () => {},
  }
  // No handler of a read uses the rest of a call, which belongs to a request and its answer.
  const result = await run(call as ClaimingCall)
  if (result instanceof Download) return { output: result.content, nextBefore: undefined }
  if (result instanceof Streamed) return { output: await rowsOf(result), nextBefore: result.nextBefore }
  const [body, nextBefore] = result instanceof Slice ? [result.rows, result.nextBefore] : [result, undefined]
  return { output: z.encode(endpoint.output, body), nextBefore }
}

async function rowsOf({ batches }: Streamed): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}
