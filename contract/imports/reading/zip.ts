import { Inflate } from 'fflate'
import { ImportRefused, itemsMax, NotUnderstood, readMaxBytes } from './refused.ts'
import type { RawFile } from './raw-file.ts'

// ZIP as its publisher describes it (PKWARE, APPNOTE.TXT 6.3.10). Only the central directory at the end of a file says where
// the files are. The uncompressed sizes are not used. The bytes that come out are counted.

/** Lists the files of a ZIP. Folders are left out. */
export async function listZip(blob: Blob): Promise<RawFile[]> {
  const bytes = new BlobBytes(blob)
  const { start, size, before } = await findCentralDirectory(blob, bytes)
  const directory = viewOf(await bytes.read(start, size))
  const files: RawFile[] = []
  for (let at = 0; at < size;) {
    if (size - at < 46 || directory.getUint32(at, true) !== 0x02014b50) throw damaged()
    const entry = entryAt(directory, at, before)
    at = entry.end
    if (at > size) throw damaged()
    if (entry.isLink)
      throw new ImportRefused(`This file holds a link to another file: ${entry.path.slice(0, 200)}`)
    if (entry.path.endsWith('/')) continue
    files.push({ path: entry.path, pieces: () => readEntry(bytes, entry) })
    if (files.length > itemsMax) throw tooMany()
  }
  checkPaths(files)
  return files
}

/** Refuses paths outside the archive, and two files with one path. Nothing is written to a disk, but such files are attacks. */
function checkPaths(files: readonly RawFile[]): void {
  const paths = new Set<string>()
  for (const { path } of files) {
    if (/^(?:\/|[a-z]:)|(?:^|\/)\.\.(?:\/|$)|\0/i.test(path))
      throw new ImportRefused(`This file names a path outside itself: ${path.slice(0, 200)}`)
    if (paths.has(path))
      throw new ImportRefused(`This file holds two files with one name: ${path.slice(0, 200)}`)
    paths.add(path)
  }
}

const damaged = () => new ImportRefused('This ZIP file is cut or damaged.')
const tooMany = () => new ImportRefused(`This ZIP file holds more than ${itemsMax} files. Please divide it.`)

/** 100,000 files with long paths. */
const directoryMaxBytes = 32 * 1024 * 1024
const [endBytes, end64Bytes, locatorBytes, commentMaxBytes] = [22, 56, 20, 0xffff]

interface CentralDirectory {
  start: number
  size: number
  /** Bytes before the ZIP itself, as in a program that unpacks itself. */
  before: number
}

async function findCentralDirectory(blob: Blob, bytes: BlobBytes): Promise<CentralDirectory> {
  const tailBytes = Math.min(blob.size, commentMaxBytes + endBytes + locatorBytes + end64Bytes)
  const tail = viewOf(await bytes.read(blob.size - tailBytes, tailBytes))
  let at = tailBytes - endBytes
  const isEnd = () =>
    tail.getUint32(at, true) === 0x06054b50 && at + endBytes + tail.getUint16(at + 20, true) <= tailBytes
  while (at >= 0 && !isEnd()) at--
  if (at < 0) throw damaged()
  const end = blob.size - tailBytes + at
  if (tail.getUint16(at + 4, true) !== 0 && tail.getUint16(at + 4, true) !== 0xffff)
    throw new ImportRefused(
      'This is one part of a ZIP file that was divided. Please put the parts together first.',
    )

  const locator = at - locatorBytes
  const isZip64 = locator >= 0 && tail.getUint32(locator, true) === 0x07064b50
  const found = isZip64
    ? await directory64(blob, bytes, end - locatorBytes, uint64At(tail, locator + 8))
    : {
        count: tail.getUint16(at + 10, true),
        size: tail.getUint32(at + 12, true),
        offset: tail.getUint32(at + 16, true),
        end,
      }
  if (found.count > itemsMax || found.size > directoryMaxBytes) throw tooMany()
  const start = found.end - found.size
  const before = start - found.offset
  if (start < 0 || before < 0) throw damaged()
  return { start, size: found.size, before }
}

/** The record of ZIP64 stands before its locator. With bytes before the ZIP, the locator names a wrong place. */
async function directory64(blob: Blob, bytes: BlobBytes, locator: number, declared: number) {
  for (const place of [locator - end64Bytes, declared]) {
    if (place < 0 || place + end64Bytes > blob.size) continue
    const record = viewOf(await bytes.read(place, end64Bytes))
    if (record.getUint32(0, true) !== 0x06064b50) continue
    return {
      count: uint64At(record, 32),
      size: uint64At(record, 40),
      offset: uint64At(record, 48),
      end: place,
    }
  }
  throw damaged()
}

interface Entry {
  path: string
  isLink: boolean
  isEncrypted: boolean
  method: number
  crc: number
  compressedBytes: number
  start: number
  /** Where the next entry of the central directory begins. */
  end: number
}

function entryAt(directory: DataView, at: number, before: number): Entry {
  const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) =>
    directory.getUint16(at + field, true),
  )
  const end = at + 46 + nameBytes! + extraBytes! + commentBytes!
  if (end > directory.byteLength) throw damaged()
  const mode = directory.getUint16(at + 40, true)
  const name = new Uint8Array(directory.buffer, directory.byteOffset + at + 46, nameBytes)
  const sizes = { compressed: directory.getUint32(at + 20, true), offset: directory.getUint32(at + 42, true) }
  const isLarge = directory.getUint32(at + 24, true) === 0xffffffff
  readExtra64(directory, at + 46 + nameBytes!, extraBytes!, isLarge, sizes)
  return {
    path: pathOf(name),
    // A file without a type, as Python writes it, is a plain file.
    isLink: (mode & 0o170000) === 0o120000,
    isEncrypted: (directory.getUint16(at + 8, true) & 1) !== 0,
    method: directory.getUint16(at + 10, true),
    crc: directory.getUint32(at + 16, true),
    compressedBytes: sizes.compressed,
    start: before + sizes.offset,
    end,
  }
}

/** Sizes that need more than 32 bits stand in an extra field, in this order: uncompressed size, compressed size, offset. */
function readExtra64(
  directory: DataView,
  start: number,
  bytes: number,
  isLarge: boolean,
  sizes: { compressed: number; offset: number },
): void {
  for (let at = start; at + 4 <= start + bytes; at += 4 + directory.getUint16(at + 2, true)) {
    if (directory.getUint16(at, true) !== 1) continue
    let field = at + 4 + (isLarge ? 8 : 0)
    for (const name of ['compressed', 'offset'] as const) {
      if (sizes[name] !== 0xffffffff) continue
      if (field + 8 > start + bytes) throw damaged()
      sizes[name] = uint64At(directory, field)
      field += 8
    }
    return
  }
}

/** Names are UTF-8; others are read so that different names stay different. Old programs of Windows divide by backslashes. */
function pathOf(name: Uint8Array): string {
  try {
    return utf8.decode(name).replaceAll('\\', '/')
  } catch {
    return windows1252.decode(name).replaceAll('\\', '/')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const windows1252 = new TextDecoder('windows-1252')

async function* readEntry(bytes: BlobBytes, entry: Entry): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted) throw new NotUnderstood('This file is encrypted.')
  if (entry.method !== 0 && entry.method !== 8)
    throw new NotUnderstood('This file is packed in an unknown way.')
  const header = viewOf(await bytes.read(entry.start, 30))
  if (header.getUint32(0, true) !== 0x04034b50) throw new NotUnderstood(damagedEntry)
  const start = entry.start + 30 + header.getUint16(26, true) + header.getUint16(28, true)
  const uncompressed = entry.method === 0 ? stored(bytes, entry, start) : inflated(bytes, entry, start)
  let crc = ~0
  for await (const piece of uncompressed) {
    crc = nextCrc(crc, piece)
    yield piece
  }
  if (~crc >>> 0 !== entry.crc) throw new NotUnderstood(damagedEntry)
}

const damagedEntry = 'This file of the archive is damaged.'

async function* stored(
  bytes: BlobBytes,
  { compressedBytes }: Entry,
  start: number,
): AsyncGenerator<Uint8Array> {
  const end = start + compressedBytes
  for (let at = start; at < end; at += windowBytes)
    yield await bytes.read(at, Math.min(windowBytes, end - at))
}

/** Compressed bytes are taken in such pieces: a piece becomes two megabytes at most. */
const pieceBytes = 2048

async function* inflated(
  bytes: BlobBytes,
  { path, compressedBytes }: Entry,
  start: number,
): AsyncGenerator<Uint8Array> {
  const end = start + compressedBytes
  let pieces: Uint8Array[] = []
  let isWhole = false
  const inflate = new Inflate((piece, isLast) => {
    if (piece.length > 0) pieces.push(piece)
    isWhole = isLast
  })
  for (let at = start; at < end; at += pieceBytes) {
    const compressed = await bytes.read(at, Math.min(pieceBytes, end - at))
    // Many entries may name the same bytes, and these may hold nothing: the bytes of the texts alone are no bound.
    bytes.inflated += compressed.length
    if (bytes.inflated > readMaxBytes)
      throw new ImportRefused(`${path.slice(0, 200)} is too large to be read.`)
    try {
      inflate.push(compressed, at + pieceBytes >= end)
    } catch {
      throw new NotUnderstood(damagedEntry)
    }
    yield* pieces
    pieces = []
    // At each push, `Inflate` would copy all bytes behind the end of the stream.
    if (hasRest(inflate)) throw new NotUnderstood(damagedEntry)
  }
  if (!isWhole) throw new NotUnderstood(damagedEntry)
}

/** Whether the stream has ended before the last byte. `Inflate` says so only in its private state. */
function hasRest(inflate: Inflate): boolean {
  const { f: isLastBlock, l: block, p: bit } = inflate['s'] as { f?: number; l?: unknown; p: number }
  const bytesLeft = (inflate['p'] as Uint8Array).length
  return Boolean(isLastBlock) && !block && bytesLeft > (bit > 0 ? 1 : 0)
}

const windowBytes = 256 * 1024

/** Reads parts of a blob. Small parts that follow each other are read together. */
class BlobBytes {
  readonly #blob: Blob
  /** The compressed bytes of all entries that were read so far. */
  inflated = 0
  #start = 0
  #window: Uint8Array = new Uint8Array()

  constructor(blob: Blob) {
    this.#blob = blob
  }

  async read(start: number, length: number): Promise<Uint8Array> {
    if (start < 0 || start + length > this.#blob.size) throw new NotUnderstood(damagedEntry)
    if (start < this.#start || start + length > this.#start + this.#window.length) {
      const end = start + Math.max(length, windowBytes)
      this.#window = new Uint8Array(await this.#blob.slice(start, end).arrayBuffer())
      this.#start = start
    }
    return this.#window.subarray(start - this.#start, start - this.#start + length)
  }
}

const viewOf = ({ buffer, byteOffset, length }: Uint8Array) => new DataView(buffer, byteOffset, length)

/** A number of 64 bits. One that is larger than any file loses digits, but stays too large. */
const uint64At = (view: DataView, at: number) => Number(view.getBigUint64(at, true))

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

function nextCrc(start: number, bytes: Uint8Array): number {
  let crc = start
  for (const byte of bytes) crc = (crc >>> 8) ^ crcTable[(crc ^ byte) & 0xff]!
  return crc
}
