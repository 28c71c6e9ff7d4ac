import type { TokenScope } from '#contract/account/tokens/scopes.ts'
import type { AuditActionName } from '#contract/admin/audit.ts'
import type { Endpoint, ErrorsOf, InputOf, OutputOf, ParamsOf, QueryOf } from '#contract/endpoint.ts'
import type { CommonErrorCode, ErrorCode } from '#contract/errors.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/pool.ts'
import type { Random } from '../../ids.ts'
import type { Download } from '../answers/download.ts'
import type { Finished } from '../answers/finished.ts'
import type { LimitRule, WeighedRule } from '../bounds/limits.ts'
import type { Slice } from '../answers/paging.ts'
import type { KeyClaim } from './idempotency.ts'
import type { Policy, Viewer } from './policy.ts'
import type { RefusalDetail } from '../refusal.ts'
import type { Streamed } from '../answers/streamed.ts'
import type { UploadedFile } from '../request/uploads.ts'

/** Ends the call with a refusal that its endpoint declares, or a common one. */
export type Fail<Code extends ErrorCode> = (code: Code | CommonErrorCode, detail?: RefusalDetail) => never

/** The argument of a handler. */
export interface Call<E extends Endpoint = Endpoint, V extends Viewer = Viewer> {
  params: ParamsOf<E>
  query: QueryOf<E>
  input: InputOf<E>
  /** The file of a call that takes one. */
  file: E extends { file: object } ? UploadedFile : undefined
  viewer: V
  /**
   * For a change the transaction that also stores its Idempotency-Key. The database itself for a read, for every change of a route
   * with `claimsKey`, and for a change without a key of a route with `withoutTransaction`.
   */
  db: Db
  now: Date
  clock: Clock
  random: Random
  /** The address of the client; an IPv6 address is cut to its /64. */
  address: string
  /** Whether the client is this machine, without a proxy between. */
  isLocal: boolean
  /** The header of that name, which may be any text. */
  userAgent: string | undefined
  log: FastifyBaseLogger
  fail: Fail<ErrorsOf<E>>
  /** Refuses the call of an API token without this scope, where the input needs one more than the call itself. */
  requireScope: (scope: TokenScope) => void
  /** Counts one, or the weight, towards each limit. Over one of the limits the call ends with 429. */
  limit: (...rules: WeighedRule[]) => Promise<void>
  /** Like `limit`, for a key of the handler instead of an address or a person. */
  limitOf: (key: string, rule: LimitRule) => Promise<void>
  /** Runs work after the commit. A failure of this work is logged and does not change the answer. */
  afterCommit: (work: () => void | Promise<void>) => void
  /** Adds a row to the audit log, in `tx` where the handler has opened a transaction itself. */
  audit: (
    action: AuditActionName,
    who?: { actorId?: string; subjectId?: string | string[]; details?: Record<string, string> },
    tx?: Db,
  ) => Promise<void>
  /** Counts a refused call for the audit log, by action, address of the caller and subject. */
  auditRefusal: (action: AuditActionName, who?: { subjectId?: string | undefined }) => Promise<void>
  /** Only for a header that the endpoint declares. */
  setHeader: (name: keyof NonNullable<E['headers']> & string, value: string) => void
  setSession: (token: string, maxAgeSeconds: number) => void
  clearSession: () => void
  /** The cookie of a known device, unchecked. */
  device: string | undefined
  setDevice: (value: string, maxAgeSeconds: number) => void
  /** The cookie of an attempt to sign in by OpenID Connect, unchecked. */
  openidAttempt: string | undefined
  setOpenidAttempt: (token: string, maxAgeSeconds: number) => void
}

/** The argument of the handler of a route with `claimsKey`. */
export interface ClaimingCall<E extends Endpoint = Endpoint, V extends Viewer = Viewer> extends Call<E, V> {
  claim: KeyClaim
}

export interface RouteOptions {
  /** Checked before the body is read. */
  limits?: readonly LimitRule[]
  /** The answer contains a secret, such as a session, which is not stored: the call ignores an Idempotency-Key. */
  answersSecret?: boolean
  /**
   * A retry changes nothing more, so the call ignores an Idempotency-Key. Its answer may name other people and is not
   * stored.
   */
  isRepeatable?: true
  /** Bytes; 64 KiB when left out. */
  bodyLimit?: number
  cacheControl?: string
  /** Answers even when the server is overloaded or its disk is full. */
  alwaysAnswers?: true
  /** Answers a request without a query string from memory, so the queue for the database does not refuse it. */
  answersFromMemory?: true
  /** Private fields of the answer, each with the field of the input that it equals. They are not stored with a key. */
  echoes?: Readonly<Record<string, string>>
  /** The answer is a list that is sent while it is read. How many of them are open at a time is limited. */
  isStreamed?: true
  /**
   * Why this change runs without a transaction around its handler. A change without a reason is one transaction, its
   * line in the audit log included; so is every change with an Idempotency-Key, unless the route has `claimsKey`.
   */
  withoutTransaction?: string
  /**
   * The handler stores its change, the Idempotency-Key of the call (`claim`) and the answer by one statement (`keyClaimCtes`)
   * or by `changeOnce`. A repeated call runs the handler too, and gets the stored answer when the handler refuses it. What
   * the handler has counted towards limits is then given back.
   */
  claimsKey?: true
}

/** For a change that is a single SQL statement. */
export const oneStatement = { withoutTransaction: 'the change is one statement' } as const

/** An endpoint with its policy and its handler: plain data, mounted by `buildApp`. */
export interface Route {
  endpoint: Endpoint
  policy: Policy
  options: RouteOptions
  run: (call: ClaimingCall) => Promise<unknown>
}

/** Only the handler of such a route gets the `claim`. */
type ClaimingOptions = RouteOptions & Required<Pick<RouteOptions, 'claimsKey' | 'withoutTransaction'>>

type Handler<E extends Endpoint, V extends Viewer, C = Call<E, V>> = (
  call: C,
) => Promise<OutputOf<E> | (E extends { method: 'GET' } ? ReadAnswer<OutputOf<E>> : never)>

/** What only a read may answer. The answer of a change is stored with its Idempotency-Key, so it is plain. */
type ReadAnswer<Output> = Finished | Download | ListOf<Output>

type ListOf<Output> = Output extends readonly (infer Row)[] ? Slice<Row> | Streamed<Row> : never

export function handle<const E extends Endpoint, V extends Viewer>(
  endpoint: E,
  policy: Policy<V>,
  run: Handler<E, V>,
): Route
export function handle<const E extends Endpoint, V extends Viewer>(
  endpoint: E,
  policy: Policy<V>,
  options: RouteOptions & { claimsKey?: never },
  run: Handler<E, V>,
): Route
export function handle<const E extends Endpoint, V extends Viewer>(
  endpoint: E,
  policy: Policy<V>,
  options: ClaimingOptions,
  run: Handler<E, V, ClaimingCall<E, V>>,
): Route
export function handle(endpoint: Endpoint, policy: Policy, ...rest: unknown[]): Route {
  const [options, run] = rest.length === 1 ? [{}, rest[0]] : rest
  // The schemas and the policy let only the right types pass. The type of a list of routes cannot express this.
  return { endpoint, policy, options: options as RouteOptions, run: run as Route['run'] }
}
