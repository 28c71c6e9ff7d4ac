import { lookup } from 'node:dns/promises'
import { type IncomingHttpHeaders, type IncomingMessage, request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from './public-addresses.ts'

const answerWithinMs = 5000
const answerMaxBytes = 64 * 1024

interface OutgoingCall {
  method: string
  url: string
  headers: Record<string, string>
  body: string | Buffer
  /** The operator has named the host, so it may be in the own network. */
  isHostOfOperator?: boolean
  signal?: AbortSignal
}

interface OutgoingAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** Whether the body is longer than 64 KiB, and `body` only its beginning. */
  isCut: boolean
}

/** Sends a call once and returns its answer. It throws when there is none. */
export type CallOutgoing = (call: OutgoingCall) => Promise<OutgoingAnswer>

interface Sources {
  resolve?: (host: string) => Promise<string[]>
  mayCall?: (address: string) => boolean
}

/**
 * Makes the function by which the server calls others (S59). A host is resolved once, and the connection goes to the
 * address that was checked, so another answer of the DNS changes nothing. Redirects are not followed. An answer is not
 * decompressed, and at most 64 KiB of it are read. All of this has five seconds.
 */
export function createOutgoing({
  resolve = addressesOf,
  mayCall = isPublicAddress,
}: Sources = {}): CallOutgoing {
  return async ({ method, url, headers, body, isHostOfOperator, signal }) => {
    const { protocol, hostname, host, port, pathname, search } = new URL(url)
    const tooLate = AbortSignal.timeout(answerWithinMs)
    const ended = signal === undefined ? tooLate : AbortSignal.any([tooLate, signal])
    const name = hostname.replace(/^\[(.*)\]$/, '$1')
    const isAddress = isIP(name) !== 0
    const addresses = isAddress ? [name] : await unlessEnded(resolve(name), ended)
    const [address] = addresses
    if (address === undefined) throw new Error('The host has no address.')
    if (!isHostOfOperator && !addresses.every((each) => mayCall(each)))
      throw new Error('The host is not in the public internet.')
    const request = protocol === 'https:' ? requestByHttps : requestByHttp
    const sent = request({
      method,
      host: address,
      port,
      path: pathname + search,
      headers: { ...headers, host, 'content-length': Buffer.byteLength(body) },
      // The certificate must be that of the name.
      servername: isAddress ? '' : name,
      agent: false,
      signal: ended,
    })
    const { promise, resolve: settle, reject } = Promise.withResolvers<OutgoingAnswer>()
    const fail = (error: Error) => reject(ended.aborted ? (ended.reason as Error) : error)
    sent.on('error', fail)
    sent.once('close', () => fail(new Error('The connection was closed without an answer.')))
    sent.once('response', (answer) => {
      answer.on('error', fail)
      readBounded(answer, (read) =>
        settle({
          status: answer.statusCode!,
          headers: answer.headers,
          body: read.subarray(0, answerMaxBytes),
          isCut: read.length > answerMaxBytes,
        }),
      )
    })
    sent.end(body)
    return promise.finally(() => sent.destroy())
  }
}

const addressesOf = async (host: string) => (await lookup(host, { all: true })).map(({ address }) => address)

/** Reads an answer to its end, so that the other side can finish, or up to the maximum. */
function readBounded(answer: IncomingMessage, finish: (read: Buffer) => void) {
  const chunks: Buffer[] = []
  let bytes = 0
  answer.on('data', (chunk: Buffer) => {
    if (bytes > answerMaxBytes) return
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > answerMaxBytes) finish(Buffer.concat(chunks))
  })
  answer.once('end', () => finish(Buffer.concat(chunks)))
}

/** The result of work that itself cannot be cancelled. */
function unlessEnded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const end = () => reject(signal.reason as Error)
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', end))
}
