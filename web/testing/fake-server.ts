import type { Suspension } from '#contract/account/suspensions/endpoints.ts'
import type { Endpoint, ErrorsOf, OutputOf, SentInput, SentParams, SentQuery } from '#contract/endpoint.ts'
import { type CommonErrorCode, errors } from '#contract/errors.ts'

/** A request as its endpoint declares it; `params` and `query` are strings as in the address. */
export interface Call<E extends Endpoint> {
  params: SentParams<E>
  query: SentQuery<E>
  input: SentInput<E>
  idempotencyKey: string | null
}

type CodeOf<E extends Endpoint> = ErrorsOf<E> | CommonErrorCode
interface More<E extends Endpoint> {
  error?: string
  fields?: Record<string, string>
  current?: OutputOf<E> | Suspension
  retryAfterSeconds?: number
}

/** How an answer function ends a request without an output. */
interface Endings<E extends Endpoint> {
  fail: (code: CodeOf<E>, more?: More<E>) => never
  /** The connection breaks before an answer arrives. */
  disconnect: () => never
  /** Answers with headers of the call. */
  answer: (output: OutputOf<E>, headers: Record<string, string>) => never
  /** Sends a list in parts, as our server sends a long one. An error of the parts breaks the connection. */
  readInParts: (parts: AsyncIterable<OutputOf<E>>) => never
}

type Output<E extends Endpoint> = OutputOf<E> | Promise<OutputOf<E>>
type Answer<E extends Endpoint> = (call: Call<E> & Endings<E>) => Output<E>
type Respond = (request: Received) => Promise<Response> | Response

interface Received {
  endpoint: Endpoint
  call: Call<Endpoint>
  /** `GET /api/feed/day/0` */
  line: string
}

/** Thrown by `Endings`: the response that takes the place of an output. */
class Ended extends Error {
  readonly response: Response
  constructor(response: Response) {
    super()
    this.response = response
  }
}

/**
 * The server of a page's test. It answers only the endpoints that the test named. Shapes of answers and codes of refusals
 * are those that the endpoint declares.
 */
export class FakeServer {
  #received: Received[] = []
  #unanswered: string[] = []
  readonly #responses = new Map<Endpoint, Respond>()
  #personId: string | undefined

  /** Answers every later call of an endpoint, with an output or with what a function makes of the call. */
  on<E extends Endpoint>(endpoint: E, answer: OutputOf<E> | Answer<E>): void {
    this.#respond(endpoint, async (call) => {
      const output = await outputOf(answer, call)
      return endpoint.status === 204
        ? new Response(null, { status: 204 })
        : Response.json(output, { status: endpoint.status ?? 200 })
    })
  }

  /** Answers every later call of a list with one of its pages. The cursor of a page is its number, such as `2`. */
  onPages<E extends Endpoint>(endpoint: E, pages: readonly (OutputOf<E> | Answer<E>)[]): void {
    this.#respond(endpoint, async (call) => {
      const number = Number((call.query as { before?: string }).before ?? 1)
      const items = await outputOf(pages[number - 1], call)
      return Response.json(
        items,
        number < pages.length ? { headers: { 'next-before': `${number + 1}` } } : {},
      )
    })
  }

  #respond<E extends Endpoint>(
    endpoint: E,
    respond: (call: Call<E> & Endings<E>) => Promise<Response>,
  ): void {
    this.#responses.set(endpoint, async ({ call }) => {
      try {
        return await respond({ ...(call as unknown as Call<E>), fail, disconnect, answer, readInParts })
      } catch (error) {
        if (error instanceof Ended) return error.response
        throw error
      }
    })
  }

  /** Refuses every later call of an endpoint by one of its codes. */
  refuse<E extends Endpoint>(endpoint: E, code: CodeOf<E>, more?: More<E>): void {
    this.on(endpoint, () => fail(code, more))
  }

  disconnect(...endpoints: Endpoint[]): void {
    for (const endpoint of endpoints) this.on(endpoint, disconnect)
  }

  /** Another person has the session now: calls that name somebody else are refused. */
  signIn(personId: string): void {
    this.#personId = personId
  }

  /** Answers never, so that the page waits. */
  hold(endpoint: Endpoint): void {
    this.on(endpoint, () => new Promise<never>(() => {}))
  }

  /** Answers what our server never answers, such as the error page of a proxy. */
  answerForeign(endpoint: Endpoint, status: number, text: string): void {
    this.#responses.set(endpoint, () => new Response(text, { status }))
  }

  /** The calls of an endpoint so far. */
  calls<E extends Endpoint>(endpoint: E): Call<E>[] {
    return this.#received.flatMap((request) =>
      request.endpoint === endpoint ? [request.call as unknown as Call<E>] : [],
    )
  }

  /** The inputs that were sent to an endpoint so far. */
  inputs<E extends Endpoint>(endpoint: E): SentInput<E>[] {
    return this.calls(endpoint).map(({ input }) => input)
  }

  /** All requests so far, such as `GET /api/feed/day/0`. */
  get requests(): string[] {
    return this.#received.map(({ line }) => line)
  }

  /** The requests so far that change something. */
  get changes(): string[] {
    return this.requests.filter((line) => !line.startsWith('GET '))
  }

  /** Requests that the test did not expect. */
  get unanswered(): readonly string[] {
    return this.#unanswered
  }

  /** Starts without answers, and returns the `fetch` of a page. An earlier page that still sends is not recorded here. */
  start(): typeof fetch {
    const [received, unanswered]: [Received[], string[]] = [[], []]
    this.#received = received
    this.#unanswered = unanswered
    this.#responses.clear()
    this.#personId = undefined
    return async (address, init = {}) => {
      const [method, url] = [init.method ?? 'GET', new URL(address as string, location.origin)]
      const line = `${method} ${url.pathname}${url.search}`
      const endpoint = [...this.#responses.keys()]
        .filter((known) => known.method === method && patternOf(known).test(url.pathname))
        .toSorted((one, other) => placeholders(one) - placeholders(other))[0]
      if (endpoint === undefined) {
        unanswered.push(line)
        throw new TypeError(`The test gave no answer for ${line}`)
      }
      const request: Received = {
        endpoint,
        line,
        call: {
          params: paramsOf(endpoint, url.pathname) as never,
          query: Object.fromEntries(url.searchParams) as never,
          input: (typeof init.body === 'string' ? JSON.parse(init.body) : undefined) as never,
          idempotencyKey: new Headers(init.headers).get('idempotency-key'),
        },
      }
      received.push(request)
      const expected = new Headers(init.headers).get('expected-person')
      if (expected !== null && this.#personId !== undefined && expected !== this.#personId)
        return refusal('OtherPerson')
      return this.#responses.get(endpoint)!(request)
    }
  }
}

const outputOf = <E extends Endpoint>(
  answer: OutputOf<E> | Answer<E> | undefined,
  call: Call<E> & Endings<E>,
): Output<E> => (typeof answer === 'function' ? (answer as Answer<E>)(call) : (answer as OutputOf<E>))

const patternOf = ({ path }: Endpoint) => new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
const paramsOf = (endpoint: Endpoint, path: string) =>
  Object.fromEntries(
    Object.entries(patternOf(endpoint).exec(path)!.groups ?? {}).map(([name, text]) => [
      name,
      decodeURIComponent(text),
    ]),
  )
const placeholders = ({ path }: Endpoint) => path.split(':').length

function fail(code: keyof typeof errors, more: More<Endpoint> = {}): never {
  throw new Ended(refusal(code, more))
}

function refusal(code: keyof typeof errors, { retryAfterSeconds, ...more }: More<Endpoint> = {}): Response {
  const { status, error } = errors[code]
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  return Response.json({ code, error, ...more }, { status, headers })
}

function disconnect(): never {
  throw new TypeError('Failed to fetch')
}

function answer(output: unknown, headers: Record<string, string>): never {
  throw new Ended(Response.json(output, { headers }))
}

function readInParts(parts: AsyncIterable<unknown>): never {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async start(stream) {
      let before = '['
      try {
        for await (const part of parts) {
          const items = JSON.stringify(part).slice(1, -1)
          stream.enqueue(encoder.encode(`${before}${items}\n`))
          before = ','
        }
        stream.enqueue(encoder.encode(before === '[' ? '[]' : ']'))
        stream.close()
      } catch (error) {
        stream.error(error)
      }
    },
  })
  throw new Ended(new Response(body))
}
