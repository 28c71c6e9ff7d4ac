import {
  type Endpoint,
  type OutputOf,
  pathOf,
  type SentInput,
  type SentParams,
  type SentQuery,
} from '#contract/endpoint.ts'
import type { ErrorCode, Refusal } from '#contract/errors.ts'
import { storeServerTime } from './server-clock.ts'

export interface Sent<E extends Endpoint> {
  params?: SentParams<E>
  query?: SentQuery<E>
  input?: SentInput<E>
  idempotencyKey?: string
  /** The server refuses the call with `OtherPerson` when somebody else is signed in. */
  personId?: string
  signal?: AbortSignal
  /** The call outlives the page. */
  keepalive?: boolean
}

/** An answer that is not OK; its message is the status, a colon and the answer's text. */
export class RequestError extends Error {
  readonly status: number
  readonly code: ErrorCode | null
  /** The server's sentence for people. */
  readonly error: string | null
  readonly fields: Record<string, string>
  /** The row that is stored now, if the refusal is a conflict. */
  readonly current: unknown
  /** How long the server asks to wait; 0 when it does not. */
  readonly retryAfterSeconds: number

  constructor(
    status: number,
    text: string,
    refusal: Partial<Refusal> | null,
    retryAfter: string | null = null,
  ) {
    super(`${status}: ${text}`)
    this.status = status
    this.code = refusal?.code ?? null
    this.error = refusal?.error ?? null
    this.fields = refusal?.fields ?? {}
    this.current = refusal?.current
    this.retryAfterSeconds = Number(retryAfter)
  }
}

/**
 * What the console gets of a failure. The `current` of a refusal or of a `ConflictError` may contain a private text or, for a
 * suspended person, a token. The console then gets only the code of the refusal.
 */
export function loggable(error: unknown): unknown {
  if (!(error instanceof Error && 'current' in error) || error.current === undefined) return error
  return error instanceof RequestError ? error.code : loggable(error.cause)
}

/** Calls our own server; throws `RequestError` when it refuses, and fetch's `TypeError` when it cannot be reached. */
export async function send<E extends Endpoint>(endpoint: E, sent: Sent<E> = {}): Promise<OutputOf<E>> {
  return outputOf(await ask(endpoint, sent))
}

/** Like `send`, with the headers of the answer. */
export async function sendForHeaders<E extends Endpoint>(
  endpoint: E,
  sent: Sent<E>,
): Promise<{ output: OutputOf<E>; headers: Headers }> {
  const answer = await ask(endpoint, sent)
  return { output: await outputOf(answer), headers: answer.headers }
}

/** Like `send`, for a page of a list: also returns the cursor of the next page. */
export async function sendForPage<E extends Endpoint>(
  endpoint: E,
  sent: Sent<E>,
): Promise<{ items: OutputOf<E>; nextBefore: string | null }> {
  const { output, headers } = await sendForHeaders(endpoint, sent)
  return { items: output, nextBefore: headers.get('next-before') }
}

/** Like `send`, with the whole answer, whose body is not read yet. */
export async function ask<E extends Endpoint>(endpoint: E, sent: Sent<E>): Promise<Response> {
  const { params, query, input, idempotencyKey, personId, signal } = sent
  const answer = await fetch(pathOf(endpoint, { params: params as object, query: query as object }), {
    method: endpoint.method,
    credentials: 'same-origin',
    headers: {
      ...(input !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(personId !== undefined && { 'expected-person': personId }),
    },
    ...(input !== undefined && { body: JSON.stringify(input) }),
    ...(signal && { signal }),
    keepalive: sent.keepalive ?? false,
  })
  storeServerTime(answer.headers.get('date'))
  if (!answer.ok) throw await refusalOf(answer)
  return answer
}

export async function outputOf<Output>(answer: Response): Promise<Output> {
  const text = await answer.text()
  return (text === '' ? null : JSON.parse(text)) as Output
}

export async function refusalOf(answer: Response): Promise<RequestError> {
  const text = await answer.text().catch(() => '')
  const retryAfter = answer.headers.get('retry-after')
  return new RequestError(answer.status, text || answer.statusText, parsed(text), retryAfter)
}

function parsed(text: string): Partial<Refusal> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
