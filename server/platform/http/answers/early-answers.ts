import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { LimitRule } from '../bounds/limits.ts'
import { apiTokenOf } from '../request/api-token.ts'
import type { CachedAnswer } from './answer-cache.ts'
import { type AnswerHeaders, reservation } from '../headers.ts'
import { encodingFor, type Encoding, namesTag, type Prepared } from './prepared.ts'

declare module 'fastify' {
  interface FastifyInstance {
    earlyAnswers: EarlyAnswers
  }
}

/** Returns the cached answer without a query. After a change it returns another object, or undefined. */
export type FindCached = () => CachedAnswer | undefined

/** An address whose answer can be repeated. */
interface Repeatable {
  find: FindCached
  route: string
  reads: LimitRule | undefined
  variesByCookie: boolean
}

/** The forms of one answer: in an encoding, or without bytes for a caller who has them. */
export type Form = Encoding | 'unchanged'

interface SentAnswer {
  status: number
  /** Names and values in turn, without the id of the request. */
  headers: readonly string[]
  body: Buffer | undefined
}

interface Sending {
  request: FastifyRequest
  reply: FastifyReply
  prepared: Prepared
  form: Form
  body: Buffer | undefined
  find: FindCached
}

export interface Answered {
  route: string
  status: number
  ms: number
  requestId: string
}

interface Deps {
  newRequestId: () => string
  /** The headers that every answer starts with. */
  headers: Pick<AnswerHeaders, 'current'>
  /** Counts a request for its address. Returns its owner, or undefined when the framework must decide. */
  admit: (request: IncomingMessage, response: ServerResponse, reads?: LimitRule) => string | undefined
  /** Called when the socket has not sent all bytes at once. */
  onUnsent: (response: ServerResponse, body: Buffer | undefined, owner: string) => void
  onAnswered: (answered: Answered) => void
}

/** Beside its own characters an address takes some hundred bytes. */
const maxAddresses = 10_000
const maxCharacters = 2_000_000

/**
 * Repeats answers before the framework reads the request, which would take longer than to send cached bytes (decision 25).
 *
 * The framework has sent each of these answers before: to the same address, in the same form, with the same headers. All
 * that depends on the address alone was decided then: its route, its policy, its parameters. What depends on the caller or
 * on the moment is decided anew: `find` says whether the answer is still true, and `admit` whether the caller may have it
 * now. Every other request, and each one that would be refused, is left to the framework.
 */
export class EarlyAnswers {
  readonly #addresses = new LRUCache<string, Repeatable>({
    max: maxAddresses,
    maxSize: maxCharacters,
    sizeCalculation: (_repeatable, address) => address.length,
  })
  #sent: WeakMap<CachedAnswer, Partial<Record<Form, SentAnswer>>> = new WeakMap()
  /** With which the answers in `#sent` began. */
  #headers: AnswerHeaders['current'] | undefined
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Notes an answer that the framework is about to send, with all its headers but its length. */
  note({ request, reply, prepared, form, body, find }: Sending): void {
    // Answers to tokens have other headers.
    if (apiTokenOf(request) !== undefined) return
    const { url = '', config } = request.routeOptions
    const { 'x-request-id': _, ...headers } = reply.getHeaders()
    const variesByCookie = /\bcookie\b/.test(String(headers['vary']))
    // An answer that varies by cookie is repeated only to callers without one.
    if (!config.policy?.ignoresSession && !variesByCookie)
      throw new Error(`${url} is not the same for everybody.`)
    const cached = find()
    // The answer has changed since it was read, or was too large to be cached.
    if (request.method !== 'GET' || cached?.prepared !== prepared) return
    this.#forgetOldHeaders()
    // The switch has changed since the request came.
    if (headers[reservation] !== this.#headers?.[reservation]) return
    this.#sent.getOrInsertComputed(cached, () => ({}))[form] = {
      status: reply.statusCode,
      headers: [
        ...Object.entries(headers).flatMap(([name, value]) => [name, String(value)]),
        ...(body === undefined ? [] : ['content-length', String(body.length)]),
      ],
      body,
    }
    this.#addresses.set(request.url, { find, route: url, reads: config.reads, variesByCookie })
  }

  /** Answers a request, or returns false and leaves it as it is. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const startMs = performance.now()
    const repeatable = request.method === 'GET' ? this.#addresses.get(request.url!) : undefined
    const cached = repeatable?.find()
    this.#forgetOldHeaders()
    if (repeatable === undefined || cached === undefined || apiTokenOf(request) !== undefined) return false
    const { headers } = request
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
    if (repeatable.variesByCookie && headers.cookie !== undefined) return false
    const { etag } = cached.prepared
    const form = namesTag(headers['if-none-match'], etag)
      ? 'unchanged'
      : encodingFor(headers['accept-encoding'])
    const sent = this.#sent.get(cached)?.[form]
    if (sent === undefined) return false
    const owner = this.#deps.admit(request, response, repeatable.reads)
    if (owner === undefined) return false

    const { status, body } = sent
    const requestId = this.#deps.newRequestId()
    response.writeHead(status, [...sent.headers, 'x-request-id', requestId]).end(body)
    const finish = () =>
      this.#deps.onAnswered({ route: repeatable.route, status, ms: performance.now() - startMs, requestId })
    if (response.socket?.writableLength === 0) finish()
    else {
      this.#deps.onUnsent(response, body, owner)
      response.once('close', finish)
    }
    return true
  }

  #forgetOldHeaders(): void {
    const { current } = this.#deps.headers
    if (current === this.#headers) return
    this.#headers = current
    this.#sent = new WeakMap()
  }
}
