import type { FastifyBaseLogger, FastifyContextConfig, RouteOptions as FastifyRouteOptions } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Refusal } from '../audit.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/pool.ts'
import type { Random } from '../ids.ts'
import type { PlatformSettings } from '../settings.ts'
import type { SharedCounters } from '../shared-counters.ts'
import type { EntryCounter } from '../entry-counter.ts'
import type { FactorAllowances } from './bounds/factor-allowances.ts'
import type { LimitRule } from './bounds/limits.ts'
import type { RouteOptions } from './endpoints/handle.ts'
import type { Policy, SignedIn, Viewer } from './endpoints/policy.ts'

declare module 'fastify' {
  interface FastifyContextConfig extends RouteOptions {
    policy?: Policy
    endpoint?: Endpoint
    /** The code that answers an impossible id in the path. */
    codeOfImpossibleId?: ErrorCode
    /** The limit by address of its reads, in place of the limit of all reads (S52). */
    reads?: LimitRule
    /** Takes requests of foreign pages, and other media types than JSON. */
    takesForeignRequests?: true
    /** Stores its answer for an `Idempotency-Key`. */
    takesIdempotencyKey?: true
    hasETag?: true
    described?: DescribedRoute
    /** Its answer is a stream without an end. */
    isStream?: true
  }
  interface FastifyInstance {
    /** Every route with its policy, for the tests of all calls. */
    mounted: readonly Mounted[]
  }
  interface FastifyRequest {
    viewer: Viewer
    /** The path of a request whose method that path does not take. */
    pathOfOtherMethod: string | undefined
  }
}

/** A route that is no endpoint of the contract, for the description of the API. */
export interface DescribedRoute {
  operationId: string
  tag: string
  summary: string
  description?: string
  parameters?: readonly object[]
  /** The media type of the answer. */
  type: string
}

export type Mounted = Pick<FastifyRouteOptions, 'method' | 'url' | 'bodyLimit'> & {
  config: FastifyContextConfig
}

export interface Platform {
  config: PlatformSettings
  database: Database
  clock: Clock
  random: Random
  /** The counters of all processes; undefined when this process counts by itself. */
  shared?: SharedCounters | undefined
  /** What admins allow some addresses, or all, beyond the usual limits. */
  allowances: FactorAllowances
  /** The key of digests of client addresses: a secret of this installation. */
  addressKey: string
  /** The key of digests of what callers sent. */
  inputKey: string
  logger: FastifyBaseLogger | undefined
  /** The mean delay of the event loop above which the server is overloaded (R14). */
  maxLoopDelayMs?: number | undefined
  /** Finds the person of a session token, in the database at each request (S4). */
  findViewer: (token: string) => Promise<Viewer>
  /** Finds the person of an API token, in the database at each request; undefined for a token that is no good. */
  findTokenViewer: (token: string) => Promise<SignedIn | undefined>
  /** Counts refusals and writes them to the audit log. */
  refusals: EntryCounter<Refusal>
}
