import { createHash, hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliDecompress,
  type BrotliOptions,
  constants,
  gunzip,
  gzip,
  type ZlibOptions,
} from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'plain'

const compress = {
  br: promisify<Buffer, BrotliOptions, Buffer>(brotliCompress),
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gzip),
}
const decompress = {
  br: promisify<Buffer, Buffer>(brotliDecompress),
  gzip: promisify<Buffer, Buffer>(gunzip),
}
const compressionOptions = { br: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }, gzip: { level: 6 } }

/**
 * A finished answer that is sent as it is, to everybody. After the first compression the uncompressed bytes are dropped, unless
 * a caller has taken them, which is rare. A cached page is then ten times smaller.
 */
export class Prepared {
  readonly etag: string
  /** The number of uncompressed bytes. */
  readonly length: number
  readonly #encoded: Partial<Record<Encoding, Buffer | Promise<Buffer>>>
  #isTakenPlain = false
  #onResize: (() => void) | undefined

  constructor(content: string | Buffer, etag = etagOf(content)) {
    const plain = ownBytes(content)
    this.#encoded = { plain }
    this.length = plain.length
    this.etag = etag
  }

  /**
   * The bytes in an encoding. The first call for an encoding starts the compression, off the main thread. Calls during the
   * compression wait for it.
   */
  in(encoding: Encoding): Buffer | Promise<Buffer> {
    if (encoding === 'plain') this.#isTakenPlain = true
    return (this.#encoded[encoding] ??= this.#encode(encoding))
  }

  /** The bytes of all encodings that are in memory. */
  get bytes(): number {
    return Object.values(this.#encoded).reduce(
      (sum, body) => sum + (body instanceof Promise ? 0 : body.length),
      0,
    )
  }

  /** Calls `listener`, in place of an earlier one, when an encoding has been added or dropped. */
  onResize(listener: () => void): void {
    this.#onResize = listener
  }

  async #encode(encoding: Encoding): Promise<Buffer> {
    try {
      const plain = await (this.#encoded.plain ?? this.#decompressed())
      const bytes = ownBytes(
        encoding === 'plain' ? plain : await compress[encoding](plain, compressionOptions[encoding]),
      )
      this.#encoded[encoding] = bytes
      if (!this.#isTakenPlain) delete this.#encoded.plain
      this.#onResize?.()
      return bytes
    } catch (error) {
      delete this.#encoded[encoding]
      throw error
    }
  }

  async #decompressed(): Promise<Buffer> {
    const { br, gzip: gzipped } = this.#encoded
    return br instanceof Buffer ? decompress.br(br) : decompress.gzip(await gzipped!)
  }
}

/** Makes the JSON of a list in slices, so that a long list does not keep the event loop busy (S51). */
export const prepareList = (rows: readonly unknown[]): Promise<Prepared> =>
  prepareSlices(rowsAsJson(rows), 1024 * 1024)

function* rowsAsJson(rows: readonly unknown[]): Generator<string> {
  yield '['
  for (const [n, row] of rows.entries()) yield `${n === 0 ? '' : ','}${JSON.stringify(row)}`
  yield ']'
}

/** Makes an answer of slices. Other work runs each time that `turnLength` characters were made. */
export async function prepareSlices(slices: Iterable<string>, turnLength: number): Promise<Prepared> {
  const sha256 = createHash('sha256')
  const finished: Buffer[] = []
  let last = ''
  const finish = () => {
    const bytes = Buffer.from(last)
    sha256.update(bytes)
    finished.push(bytes)
    last = ''
  }
  for (const slice of slices) {
    last += slice
    if (last.length < turnLength) continue
    finish()
    await setImmediate()
  }
  finish()
  return new Prepared(Buffer.concat(finished), etagOfDigest(sha256.digest('base64url')))
}

/** The content in memory of its own. Node makes small buffers as parts of a larger one, which a cached part would keep in memory. */
function ownBytes(content: string | Buffer): Buffer {
  if (typeof content !== 'string' && content.length === content.buffer.byteLength) return content
  const own = Buffer.allocUnsafeSlow(Buffer.byteLength(content))
  if (typeof content === 'string') own.write(content)
  else content.copy(own)
  return own
}

/** A weak tag, because the same content is sent in several encodings. */
export const etagOf = (body: Buffer | string): string => etagOfDigest(hash('sha256', body, 'base64url'))

const etagOfDigest = (sha256: string): string => `W/"${sha256.slice(0, 22)}"`

/** Whether an `If-None-Match` header names this tag (RFC 9110: weak comparison, lists and `*`). */
export function namesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true
  const opaque = etag.slice(2)
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque)
}

/** The encoding a caller prefers among ours; a `q=0` refuses one. */
export function encodingFor(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined) return 'plain'
  if (accepts(acceptEncoding, 'br')) return 'br'
  return accepts(acceptEncoding, 'gzip') ? 'gzip' : 'plain'
}

export const takesGzip = (acceptEncoding = ''): boolean => accepts(acceptEncoding, 'gzip')

function accepts(header: string, name: string) {
  const part = header.split(',').find((item) => item.trim().split(';')[0]!.trim().toLowerCase() === name)
  return part !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(part)
}
