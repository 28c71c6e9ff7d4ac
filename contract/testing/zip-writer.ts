import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  /** As bytes: a name in another encoding. */
  name: string | Uint8Array
  data?: string | Uint8Array
  /** Already deflated data, whose real size is `size`. */
  deflated?: Uint8Array
  /** Declared instead of the real one. */
  size?: number
  crc?: number
  /** Declared instead of the real one, in the central directory. */
  compressed?: number
  offset?: number
  method?: number
  flags?: number
  /** The Unix mode. Python writes 0o600, without a file type. */
  mode?: number
  /** Extra fields of the central directory. */
  extra?: Uint8Array
}

interface Options {
  /** Writes the records of ZIP64 and no number of files in the plain record. */
  isZip64?: boolean
  /** Bytes before the first file, as in a program that unpacks itself. */
  before?: Uint8Array
  comment?: string
  /** Declared instead of the real number. */
  count?: number
}

const utf8 = new TextEncoder()

/** Writes ZIP files, also wrong ones. */
export function zipOf(
  entries: ZipEntry[],
  { isZip64, before = new Uint8Array(), comment = '', count }: Options = {},
) {
  const files: Uint8Array[] = [before]
  const directory: Uint8Array[] = []
  let offset = before.length
  for (const entry of entries) {
    const name = typeof entry.name === 'string' ? utf8.encode(entry.name) : entry.name
    const data = typeof entry.data === 'string' ? utf8.encode(entry.data) : (entry.data ?? new Uint8Array())
    const method = entry.method ?? 8
    const stored = entry.deflated ?? (method === 8 ? deflateRawSync(data) : data)
    const flags = entry.flags ?? (typeof entry.name === 'string' ? 0x800 : 0)
    const common = (compressed: number) =>
      bytes(
        [2, 20],
        [2, flags],
        [2, method],
        [4, 0x5000_0000],
        [4, entry.crc ?? crc32(data)],
        [4, compressed],
        [4, entry.size ?? data.length],
        [2, name.length],
      )
    const extra = entry.extra ?? new Uint8Array()
    files.push(bytes([4, 0x04034b50]), common(stored.length), bytes([2, 0]), name, stored)
    directory.push(
      bytes([4, 0x02014b50], [2, 0x0300 | 20]),
      common(entry.compressed ?? stored.length),
      bytes(
        [2, extra.length],
        [2, 0],
        [2, 0],
        [2, 0],
        [4, ((entry.mode ?? 0o100644) << 16) >>> 0],
        [4, entry.offset ?? offset],
      ),
      name,
      extra,
    )
    offset += 30 + name.length + stored.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const listed = count ?? entries.length
  const end = [
    ...(isZip64
      ? [
          bytes(
            [4, 0x06064b50],
            [8, 44],
            [2, 45],
            [2, 45],
            [4, 0],
            [4, 0],
            [8, listed],
            [8, listed],
            [8, size],
            [8, offset],
          ),
          bytes([4, 0x07064b50], [4, 0], [8, offset + size], [4, 1]),
        ]
      : []),
    isZip64
      ? bytes(
          [4, 0x06054b50],
          [4, 0],
          [2, 0xffff],
          [2, 0xffff],
          [4, 0xffffffff],
          [4, 0xffffffff],
          [2, comment.length],
        )
      : bytes([4, 0x06054b50], [4, 0], [2, listed], [2, listed], [4, size], [4, offset], [2, comment.length]),
    utf8.encode(comment),
  ]
  return Buffer.concat([...files, ...directory, ...end])
}

/** Numbers in little-endian order, each with its size in bytes. */
function bytes(...numbers: [size: 2 | 4 | 8, value: number][]): Uint8Array {
  const view = new DataView(new ArrayBuffer(numbers.reduce((sum, [size]) => sum + size, 0)))
  let at = 0
  for (const [size, value] of numbers) {
    if (size === 2) view.setUint16(at, value & 0xffff, true)
    else if (size === 4) view.setUint32(at, value, true)
    else view.setBigUint64(at, BigInt(value), true)
    at += size
  }
  return new Uint8Array(view.buffer)
}
