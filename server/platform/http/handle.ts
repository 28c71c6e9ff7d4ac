import type { Endpoint, InputOf, OutputOf, ParamsOf, QueryOf } from '#contract/endpoint.ts'
import type { CommonErrorCode } from '#contract/errors.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { AuditAction } from '../audit.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/pool.ts'
import type { Random } from '../ids.ts'
import type { Download } from './download.ts'
import type { LimitRule } from './limits.ts'
import type { Policy, Viewer } from './policy.ts'
import type { Prepared } from './prepared.ts'
import type { RefusalDetail } from './refusal.ts'
import type { Streamed } from './streamed.ts'

/** All that a handler works with. */
export interface Call<E extends Endpoint = Endpoint, V extends Viewer = Viewer> {
  params: ParamsOf<E>
  query: QueryOf<E>
  input: InputOf<E>
  viewer: V
  /** For a call with an Idempotency-Key the transaction that also keeps the key. */
  db: Db
  now: Date
  clock: Clock
  random: Random
  /** Of the client, an IPv6 one cut to its /64. */
  address: string
  /** Whether the client is this machine, without a proxy between. */
  isLocal: boolean
  log: FastifyBaseLogger
  /** Ends the call with a refusal that its endpoint declares. */
  fail: (code: E['errors'][number] | CommonErrorCode, detail?: RefusalDetail) => never
  /** Counts one, or what it weighs, towards a limit; over it the call ends with 429. */
  limit: (rule: LimitRule, weight?: number) => void
  /** The same for a key of the caller's own instead of an address or a person. */
  limitOf: (key: string, rule: LimitRule) => void
  /** Work to do once the change is on disk; a failure of it is logged, the answer stands. */
  afterCommit: (work: () => void | Promise<void>) => void
  /** A line in the audit log, in the given transaction where the handler opens one itself. */
  audit: (
    action: AuditAction,
    who?: { actorId?: string; subjectId?: string | string[] },
    tx?: Db,
  ) => Promise<void>
  /** A line in the audit log for a call that is refused; those of one address and minute are counted together. */
  auditRefusal: (action: AuditAction, who?: { subjectId?: string | undefined }) => Promise<void>
  setSession: (token: string, maxAgeSeconds: number) => void
  clearSession: () => void
  /** What the browser keeps from earlier sign-ins, as it came. */
  device: string | undefined
  setDevice: (value: string, maxAgeSeconds: number) => void
  setHeader: (name: string, value: string) => void
}

export interface RouteOptions {
  /** Checked before the body is read. */
  limits?: readonly LimitRule[]
  /** Such a call ignores an Idempotency-Key: its answer holds a session. */
  opensSession?: boolean
  /**
   * Made twice such a call changes no more than once, so that it ignores an Idempotency-Key: its answer may name other
   * people, and is not kept.
   */
  isRepeatable?: true
  /** Bytes; 64 KiB when left out. */
  bodyLimit?: number
  cacheControl?: string
  /** Fields of the answer that say again what a field of the input said: private texts are not kept with a key. */
  repeats?: Readonly<Record<string, string>>
  /** The answer is a list that is sent while it is read; so many of them may be open at the same time. */
  isStreamed?: true
  /** The whole call is one transaction, its line in the audit log included. */
  isAtomic?: true
}

/** One call with who may make it and what it does: plain data, mounted by `buildApp`. */
export interface Route {
  endpoint: Endpoint
  policy: Policy
  options: RouteOptions
  run: (call: Call) => Promise<unknown>
}

type Handler<E extends Endpoint, V extends Viewer> = (
  call: Call<E, V>,
) => Promise<OutputOf<E> | Prepared | Download | StreamedOf<OutputOf<E>>>

type StreamedOf<Output> = Output extends readonly (infer Row)[] ? Streamed<Row> : never

export function handle<const E extends Endpoint, V extends Viewer>(
  endpoint: E,
  policy: Policy<V>,
  run: Handler<E, V>,
): Route
export function handle<const E extends Endpoint, V extends Viewer>(
  endpoint: E,
  policy: Policy<V>,
  options: RouteOptions,
  run: Handler<E, V>,
): Route
export function handle(endpoint: Endpoint, policy: Policy, ...rest: unknown[]): Route {
  const [options, run] = rest.length === 1 ? [{}, rest[0]] : rest
  // The platform hands over what the endpoint's schemas and the policy let pass, which a list of routes cannot say.
  return { endpoint, policy, options: options as RouteOptions, run: run as Route['run'] }
}
