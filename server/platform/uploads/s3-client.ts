import { createHash } from 'node:crypto'
import { Agent as HttpAgent, type IncomingMessage, request as requestByHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { UploadsUnavailable } from './upload-store.ts'

export interface S3Settings {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface S3Body {
  size: number
  sha256: string
  /** Opens the content. It is sent again when a call is repeated. */
  open: () => Readable
}

interface S3Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** The key of an object; left out, the call is about the bucket. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: S3Body
  /** Status codes besides 2xx that the caller handles itself. */
  acceptedStatuses?: readonly number[]
  signal?: AbortSignal | undefined
}

/** A connection may transfer nothing for this long. The time in which the reader of an answer takes nothing does not count. */
const stalledMs = 10_000
const answerWithinMs = 5000
const answerToBodyWithinMs = 60_000
const attempts = 3
const firstPauseMs = 100
/**
 * At most this many calls wait for the head of their answer. Otherwise the requests that wait for a frozen service would reach
 * the limit on requests in work, and the server would refuse requests that need no file.
 */
const maxWaiting = 64
const maxErrorBytes = 64 * 1024
/**
 * After this time the content of an upload must have been sent, and the part of an answer that the server keeps must have arrived,
 * with at least this speed on average.
 */
const slowForMs = 10_000
const leastBytesPerMs = 16
const slowestMs = (bytes: number) => slowForMs + bytes / leastBytesPerMs

const emptySha256 = createHash('sha256').digest('hex')

/** After an answer with one of these the next attempt may succeed. */
const temporaryStatuses = new Set([408, 429, 500, 502, 503, 504])

/** Signs and sends calls to one bucket. All of them can be repeated: the same call has the same result. */
export class S3Client {
  readonly #settings: S3Settings
  readonly #agent: HttpAgent | HttpsAgent
  readonly #request: typeof requestByHttp
  #waiting = 0

  constructor(settings: S3Settings) {
    this.#settings = settings
    const isHttps = settings.endpoint.startsWith('https:')
    this.#agent = new (isHttps ? HttpsAgent : HttpAgent)({ keepAlive: true, maxFreeSockets: 16 })
    this.#request = isHttps ? requestByHttps : requestByHttp
  }

  /** The answer, whose body the caller reads or destroys. */
  call = (call: S3Call): Promise<IncomingMessage> => this.#attempt(call, (answer) => Promise.resolve(answer))

  /** Sends a call whose answer has no content that counts. */
  done = (call: S3Call): Promise<number> =>
    this.#attempt(call, async (answer) => {
      // Services may begin to answer before they know how the call ends.
      if ((await textOf(answer, maxErrorBytes, call)).includes('<Error>'))
        throw new Failed(call, `The answer is ${answer.statusCode} with an error.`)
      return answer.statusCode!
    })

  /** The body of an answer as text. */
  text = (call: S3Call, maxBytes: number): Promise<{ text: string; headers: IncomingMessage['headers'] }> =>
    this.#attempt(call, async (answer) => ({
      text: await textOf(answer, maxBytes, call),
      headers: answer.headers,
    }))

  /** Tries a call again after a temporary failure. */
  async #attempt<Result>(call: S3Call, read: (answer: IncomingMessage) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await read(await this.#callOnce(call))
      } catch (error) {
        const isTemporary = error instanceof Failed && error.isTemporary
        if (!isTemporary || attempt === attempts || call.signal?.aborted) throw error
        await delay(firstPauseMs * 3 ** (attempt - 1) * (1 + Math.random()))
      }
    }
  }

  async #callOnce(call: S3Call): Promise<IncomingMessage> {
    if (this.#waiting >= maxWaiting) throw new Failed(call, 'Too many calls wait for the service.')
    this.#waiting++
    try {
      const answer = await this.#send(call)
      const { statusCode = 0 } = answer
      if (statusCode >= 200 && statusCode < 300) return answer
      if (call.acceptedStatuses?.includes(statusCode)) {
        // The bucket itself may be missing.
        if (call.method === 'HEAD') return answer
        const text = await textOf(answer, maxErrorBytes, call)
        if (!text.includes('<Code>NoSuchBucket</Code>')) return answer
        throw new Failed(call, `The answer is ${statusCode} NoSuchBucket.`)
      }
      const [, code = ''] = /<Code>(\w{1,100})<\/Code>/.exec(await textOf(answer, maxErrorBytes, call)) ?? []
      const isTemporary = temporaryStatuses.has(statusCode) || code === 'RequestTimeout'
      throw new Failed(call, `The answer is ${[statusCode, code].join(' ').trim()}.`, { isTemporary })
    } finally {
      this.#waiting--
    }
  }

  async #send(call: S3Call): Promise<IncomingMessage> {
    const { method, query, body, signal } = call
    const signed = await this.#sign(call)
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const sent = this.#request(signed.url, {
      method,
      agent: this.#agent,
      headers: {
        ...Object.fromEntries(signed.headers as unknown as Iterable<[string, string]>),
        // A range counts bytes of the object, not of a compressed answer.
        'accept-encoding': 'identity',
        ...((body !== undefined || (method === 'PUT' && query === undefined)) && {
          'content-length': body?.size ?? 0,
        }),
      },
      ...(signal && { signal }),
    })
    let answer: IncomingMessage | undefined
    const end = (message: string) => (answer ?? sent).destroy(new Failed(call, message))
    let late = body && setTimeout(() => end('The connection is too slow.'), slowestMs(body.size))
    sent.once('socket', (socket) => {
      const onTimeout = () => {
        // The reader takes nothing at the moment, so the connection has nothing to do.
        if (answer !== undefined && answer.readableLength > 0) socket.setTimeout(stalledMs)
        else end('The connection has stalled.')
      }
      socket.setTimeout(stalledMs).on('timeout', onTimeout)
      sent.once('close', () => socket.off('timeout', onTimeout))
    })
    sent.once('finish', () => {
      // Nothing is transferred while the service stores the body.
      sent.setTimeout(0)
      clearTimeout(late)
      const withinMs = body === undefined ? answerWithinMs : answerToBodyWithinMs
      late = setTimeout(() => end('There was no answer in time.'), withinMs)
    })
    sent.once('response', (received) => {
      received.socket.setTimeout(stalledMs)
      answer = received
      // A service may answer before it has taken all of the content, and take no more. This ends the request and the open file.
      received.once('close', () => !sent.writableFinished && sent.destroy())
      resolve(received)
    })
    sent.on('error', (error) =>
      reject(
        error instanceof Failed
          ? error
          : new Failed(call, 'There was no answer.', { cause: error, isTemporary: true }),
      ),
    )
    if (body === undefined) sent.end()
    else pipeline(body.open(), sent).catch((error: Error) => sent.destroy(error))
    try {
      return await promise
    } finally {
      clearTimeout(late)
    }
  }

  #sign({ method, key, query, headers, body }: S3Call) {
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = this.#settings
    const path = key === undefined ? bucket : `${bucket}/${key}`
    const parameters = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
    return new AwsV4Signer({
      method,
      url: `${endpoint}/${path.split('/').map(encodeURIComponent).join('/')}${parameters}`,
      headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? emptySha256 },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
    }).sign()
  }
}

/**
 * Why a call failed. The message names the object, and neither the address nor the keys of access. The cause may name the
 * address.
 */
class Failed extends UploadsUnavailable {
  readonly isTemporary: boolean

  constructor(
    { method, key = 'the bucket' }: S3Call,
    message: string,
    { isTemporary = false, cause }: { isTemporary?: boolean; cause?: unknown } = {},
  ) {
    super(`${method} ${key}: ${message}`, cause === undefined ? {} : { cause })
    this.isTemporary = isTemporary
  }
}

const textOf = async (answer: IncomingMessage, maxBytes: number, call: S3Call): Promise<string> =>
  (await contentOf(answer, maxBytes, call)).toString()

/** The body of an answer. An endless one, and one that arrives too slowly, is a failure. */
export async function contentOf(answer: IncomingMessage, maxBytes: number, call: S3Call): Promise<Buffer> {
  const from = performance.now()
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new Failed(call, 'The answer is too long.')
      if (performance.now() - from > slowestMs(bytes))
        throw new Failed(call, 'The answer arrives too slowly.')
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof Failed
      ? error
      : new Failed(call, 'The answer was cut off.', { cause: error, isTemporary: true })
  }
  return Buffer.concat(chunks)
}
