import { pathOf } from '#contract/endpoint.ts'
import type { Endpoint, OutputOf, SentInput, SentParams, SentQuery } from '#contract/endpoint.ts'

interface Sent<E extends Endpoint> {
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
   * The origin may change while a person waits: a server that starts again takes another port. Another client
   * of the same person brings the cookies along.
   */
  constructor(origin: () => string, samePerson?: HttpClient) {
    this.#origin = origin
    this.#cookies = new Map(samePerson === undefined ? [] : samePerson.#cookies)
  }

  /** As the browser sends it. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** The answer as it came, whatever its status. */
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
