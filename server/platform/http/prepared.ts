import { createHash, hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, type BrotliOptions, constants, gzip, type ZlibOptions } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'plain'

const compress = {
  br: promisify<Buffer, BrotliOptions, Buffer>(brotliCompress),
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gzip),
}
const compressionOptions = { br: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }, gzip: { level: 6 } }

/** A finished answer that is sent as it is, to everybody. */
export class Prepared {
  readonly etag: string
  readonly plain: Buffer
  readonly #compressed: { br?: Buffer | Promise<Buffer>; gzip?: Buffer | Promise<Buffer> } = {}
  #bytes: number
  #onGrowth: (() => void) | undefined

  constructor(content: string | Buffer, etag = etagOf(content)) {
    this.plain = ownBytes(content)
    this.etag = etag
    this.#bytes = this.plain.length
  }

  /**
   * The bytes in an encoding. The first caller who takes an encoding has them compressed, off the main thread; callers
   * who come meanwhile wait for the same compression.
   */
  in(encoding: Encoding): Buffer | Promise<Buffer> {
    if (encoding === 'plain') return this.plain
    return (this.#compressed[encoding] ??= this.#compress(encoding))
  }

  /** Of all encodings that there are so far. */
  get bytes(): number {
    return this.#bytes
  }

  /** Calls back when another encoding has been added. */
  onGrowth(callBack: () => void): void {
    this.#onGrowth = callBack
  }

  async #compress(encoding: 'br' | 'gzip'): Promise<Buffer> {
    try {
      const compressed = ownBytes(await compress[encoding](this.plain, compressionOptions[encoding]))
      this.#compressed[encoding] = compressed
      this.#bytes += compressed.length
      this.#onGrowth?.()
      return compressed
    } catch (error) {
      delete this.#compressed[encoding]
      throw error
    }
  }
}

const sliceBytes = 1024 * 1024

/** Makes the JSON of a list in slices, so that a long list does not keep the event loop busy (S51). */
export async function prepareList(rows: readonly unknown[]): Promise<Prepared> {
  const sha256 = createHash('sha256')
  const slices: Buffer[] = []
  let slice = '['
  const finish = () => {
    const bytes = Buffer.from(slice)
    sha256.update(bytes)
    slices.push(bytes)
    slice = ''
  }
  for (const [n, row] of rows.entries()) {
    slice += `${n === 0 ? '' : ','}${JSON.stringify(row)}`
    if (slice.length < sliceBytes) continue
    finish()
    await setImmediate()
  }
  slice += ']'
  finish()
  return new Prepared(Buffer.concat(slices), etagOfDigest(sha256.digest('base64url')))
}

/** Memory of its own: Node cuts small buffers from a larger one, and a kept part keeps the whole of that. */
function ownBytes(content: string | Buffer): Buffer {
  if (typeof content !== 'string' && content.length === content.buffer.byteLength) return content
  const own = Buffer.allocUnsafeSlow(Buffer.byteLength(content))
  if (typeof content === 'string') own.write(content)
  else content.copy(own)
  return own
}

/** Weak, since the same content travels in several encodings. */
export const etagOf = (body: Buffer | string): string => etagOfDigest(hash('sha256', body, 'base64url'))

export const etagOfDigest = (sha256: string): string => `W/"${sha256.slice(0, 22)}"`

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
