import { pathOf } from '#contract/endpoint.ts'
import type { Endpoint, OutputOf, SentInput, SentParams, SentQuery } from '#contract/endpoint.ts'

export interface Sent<E extends Endpoint> {
  params?: SentParams<E>
  query?: SentQuery<E>
  input?: SentInput<E>
  headers?: Record<string, string>
}

/** A person without a browser: calls the API over HTTP and keeps the cookies. */
export class HttpClient {
  readonly #cookies: Map<string, string>
  readonly #origin: () => string

  /**
   * `origin` is a function, because a server that restarts may take another port. `samePerson` is a client whose cookies
   * this one copies.
   */
  constructor(origin: () => string, samePerson?: HttpClient) {
    this.#origin = origin
    this.#cookies = new Map(samePerson === undefined ? [] : samePerson.#cookies)
  }

  get url(): string {
    return this.#origin()
  }

  /** Names and values. */
  get cookies(): [string, string][] {
    return [...this.#cookies]
  }

  /** The header `cookie` of a browser. */
  get cookie(): string {
    return this.cookies.map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Returns the answer, whatever its status. */
  async tries<E extends Endpoint>(endpoint: E, sent: Sent<E> = {}): Promise<Response> {
    const { params, query, input, headers } = sent
    const path = pathOf(endpoint, { params: params as object, query: query as object })
    const answer = await fetch(`${this.#origin()}${path}`, {
      method: endpoint.method,
      headers: {
        ...headers,
        cookie: this.cookie,
        ...(input === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(input === undefined ? {} : { body: JSON.stringify(input) }),
    })
    for (const cookie of answer.headers.getSetCookie()) this.#keep(cookie)
    return answer
  }

  async does<E extends Endpoint>(endpoint: E, sent: Sent<E> = {}): Promise<OutputOf<E>> {
    const answer = await this.tries(endpoint, sent)
    if (!answer.ok)
      throw new Error(`${endpoint.method} ${endpoint.path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as OutputOf<E>
  }

  #keep(cookie: string) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (value === '') this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}
