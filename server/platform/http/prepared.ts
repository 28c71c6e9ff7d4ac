import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const gz = promisify(gzip)

/** A finished answer that is sent as it is, to everybody. */
export class Prepared {
  readonly etag: string
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly br: Buffer
  constructor(parts: { etag: string; plain: Buffer; gzip: Buffer; br: Buffer }) {
    this.etag = parts.etag
    this.plain = parts.plain
    this.gzip = parts.gzip
    this.br = parts.br
  }
}

/** Compresses once, off the main thread. */
export async function prepare(json: string): Promise<Prepared> {
  const plain = Buffer.from(json)
  const [gzipped, brotlied] = await Promise.all([
    gz(plain, { level: 6 }),
    brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  ])
  return new Prepared({ etag: etagOf(plain), plain, gzip: gzipped, br: brotlied })
}

/** Weak, since the same content travels in several encodings. */
export const etagOf = (body: Buffer | string): string =>
  `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`

/** Whether an `If-None-Match` header names this tag (RFC 9110: weak comparison, lists and `*`). */
export function namesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true
  const opaque = etag.slice(2)
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque)
}

/** The encoding a caller prefers among ours; a `q=0` refuses one. */
export function encodingFor(acceptEncoding: string | undefined): 'br' | 'gzip' | 'plain' {
  if (acceptEncoding === undefined) return 'plain'
  if (accepts(acceptEncoding, 'br')) return 'br'
  return accepts(acceptEncoding, 'gzip') ? 'gzip' : 'plain'
}

export const takesGzip = (acceptEncoding = ''): boolean => accepts(acceptEncoding, 'gzip')

function accepts(header: string, name: string) {
  const part = header.split(',').find((item) => item.trim().split(';')[0]!.trim().toLowerCase() === name)
  return part !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(part)
}
