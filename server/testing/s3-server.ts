import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'

export interface StoredObject {
  content: Buffer | (() => Iterable<Buffer>)
  size: number
  modifiedMs: number
}

export interface Call {
  method: string
  /** Empty for a call about the bucket. */
  key: string
}

/**
 * What the service does wrong: an answer of an error, no answer at all, a connection that closes before the answer or within the
 * body, a body that stops, or success without storing anything.
 */
export type Fault = { status: number; code: string } | 'stalls' | 'closes' | 'cuts' | 'freezes' | 'forgets'

/** The settings of an installation that uses the server. */
export const s3Keys = { id: 'AKIAOFTHETEST', secret: 'the/secret+of=the/test' }
const bucket = 'zimmer'
const region = 'eu-central-1'
const maxSkewMs = 15 * 60 * 1000

/** A service sends long lists in pages. */
const keysOfPage = 2

/**
 * A small S3 service on this machine, which the caller closes. It verifies Signature Version 4 as the specification says. The
 * times in its answers and of its objects are `clockMs` ahead of this machine. It compares signatures with the clock of this
 * machine.
 */
export async function openS3Server() {
  const objects = new Map<string, StoredObject>()
  const calls: Call[] = []
  const state: { clockMs: number; storesWithinMs: number; faultOf: (call: Call) => Fault | undefined } = {
    clockMs: 0,
    storesWithinMs: 0,
    faultOf: () => undefined,
  }
  /** Answers that have not ended. */
  const waiting = new Set<ServerResponse>()
  const now = () => Date.now() + state.clockMs

  const server = createServer((request, response) => {
    waiting.add(response)
    response.once('close', () => waiting.delete(response))
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url!, 'http://host')
    const [, inPath, ...rest] = url.pathname.split('/').map(decodeURIComponent)
    const key = rest.join('/')
    const method = request.method!
    calls.push({ method, key })
    const fault = state.faultOf({ method, key })
    if (fault === 'stalls') return
    if (fault === 'closes') return void request.socket.destroy()
    response.setHeader('date', new Date(now()).toUTCString())
    const body = await buffer(request)
    if (typeof fault === 'object') return refuse(fault.status, fault.code)
    const code = faultOfSignature(request, url, body)
    if (code !== undefined) return refuse(code === 'XAmzContentSHA256Mismatch' ? 400 : 403, code)
    if (inPath !== bucket) return refuse(404, 'NoSuchBucket')
    if (key === '') return method === 'GET' ? list(url.searchParams) : refuse(405, 'MethodNotAllowed')
    if (method === 'PUT') {
      if (request.headers['content-length'] !== String(body.length))
        return refuse(411, 'MissingContentLength')
      await delay(state.storesWithinMs)
      if (fault !== 'forgets') objects.set(key, { content: body, size: body.length, modifiedMs: now() })
      return response.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end()
    }
    if (method === 'DELETE') {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    const object = objects.get(key)
    if (object === undefined) return refuse(404, 'NoSuchKey')
    return send(object)

    function refuse(status: number, reason: string) {
      const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${reason}</Code><Message>No.</Message></Error>`
      response.writeHead(status, { 'content-type': 'application/xml' })
      return void response.end(method === 'HEAD' ? undefined : text)
    }

    async function send({ content, size, modifiedMs }: StoredObject) {
      const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
      const isPart = from !== undefined
      const start = Number(from ?? 0)
      const end = Math.min(to ? Number(to) : Infinity, size - 1)
      if (isPart && start >= size) return refuse(416, 'InvalidRange')
      response.writeHead(isPart ? 206 : 200, {
        'content-type': 'binary/octet-stream',
        'content-length': end + 1 - start,
        'last-modified': new Date(modifiedMs).toUTCString(),
        ...(isPart && { 'content-range': `bytes ${start}-${end}/${size}` }),
      })
      if (method === 'HEAD') return void response.end()
      if (fault === 'cuts' || fault === 'freezes') {
        const part = (content as Buffer).subarray(start, start + Math.floor((end - start) / 2))
        response.write(part, () => (fault === 'cuts' ? request.socket.destroy() : undefined))
        return
      }
      const chunks = typeof content === 'function' ? content() : [content.subarray(start, end + 1)]
      await pipeline(Readable.from(chunks), response)
    }

    function list(query: URLSearchParams) {
      const prefix = query.get('prefix') ?? ''
      const after = query.get('continuation-token')
      const keys = [...objects.keys()]
        .filter((each) => each.startsWith(prefix) && (after === null || each > tokens.get(after)!))
        .toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
      const page = keys.slice(0, keysOfPage)
      const isCut = keys.length > page.length
      const token = `token+${tokens.size}/=`
      if (isCut) tokens.set(token, page.at(-1)!)
      const contents = page.map((each) => {
        const { size, modifiedMs } = objects.get(each)!
        return `<Contents><Key>${encodeURIComponent(each).replaceAll('%20', '+').replaceAll('%2F', '/')}</Key><LastModified>${new Date(modifiedMs).toISOString()}</LastModified><Size>${size}</Size></Contents>`
      })
      response.writeHead(200, { 'content-type': 'application/xml' })
      response.end(
        `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType><IsTruncated>${isCut}</IsTruncated>${isCut ? `<NextContinuationToken>${token}</NextContinuationToken>` : ''}${contents.join('')}</ListBucketResult>`,
      )
    }
  }
  /** The last key of the page before, by token. */
  const tokens = new Map<string, string>()

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    endpoint,
    objects,
    calls,
    state,
    waiting,
    config: {
      uploadsEndpoint: endpoint,
      uploadsBucket: bucket,
      uploadsRegion: region,
      uploadsAccessKeyId: s3Keys.id,
      uploadsSecretKey: s3Keys.secret,
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type S3Server = Awaited<ReturnType<typeof openS3Server>>

/** Verifies the signature. Returns the code of the error that S3 answers; undefined for a right one. */
function faultOfSignature({ method, headers }: IncomingMessage, url: URL, body: Buffer): string | undefined {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    )
  if (given === null) return 'AccessDenied'
  const [, id, day, inRegion, signedNames, signature] = given as unknown as string[]
  if (id !== s3Keys.id) return 'InvalidAccessKeyId'
  if (inRegion !== region) return 'AuthorizationHeaderMalformed'
  const date = String(headers['x-amz-date'])
  const time = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(time - Date.now()) < maxSkewMs) || !date.startsWith(day!)) return 'RequestTimeTooSkewed'
  const names = signedNames!.split(';')
  const mustBeSigned = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))]
  if (mustBeSigned.some((name) => !names.includes(name))) return 'AccessDenied'
  const contentHash = String(headers['x-amz-content-sha256'])
  const path = url.pathname.split('/').map((part) => encodeFully(decodeURIComponent(part)))
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeFully(name)}=${encodeFully(value)}`)
    .toSorted()
  const canonical = [
    method,
    path.join('/'),
    query.join('&'),
    ...names.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    signedNames,
    contentHash,
  ].join('\n')
  const scope = `${day}/${inRegion}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = [day!, inRegion!, 's3', 'aws4_request'].reduce<Buffer | string>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${s3Keys.secret}`,
  )
  const wanted = createHmac('sha256', key).update(toSign).digest()
  if (!timingSafeEqual(wanted, Buffer.from(signature!, 'hex'))) return 'SignatureDoesNotMatch'
  return contentHash === sha256(body) ? undefined : 'XAmzContentSHA256Mismatch'
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** Encodes all but the unreserved characters of RFC 3986. */
const encodeFully = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) => {
      const sign = String.fromCharCode(byte)
      return /[\w.~-]/.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
