import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { pipeline, Readable, Transform } from 'node:stream'
import { pipeline as allOf } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { freeBytes, leftByBackups } from '../disk.ts'

/** A backup that is not made or not used; the message is the sentence for people. */
export class BackupRefused extends Error {
  override name = 'BackupRefused'
}

export interface Member {
  name: string
  content: Buffer
}

/** The last member: a line for each other one, as `sha256sum` writes and checks them. */
const sumsName = 'SHA256SUMS'

/** While a backup is being made it has this at the end of its name. */
export const unfinished = '.part'

/**
 * Writes a tar file, compressed by zstd, that only its owner may read: it holds addresses and digests of passwords.
 * The file is there whole and on disk, or not at all.
 */
export async function writeArchive(
  file: string,
  members: AsyncIterable<Member>,
  signal?: AbortSignal,
): Promise<void> {
  if (await exists(file))
    throw new BackupRefused(`There is a file ${file} already: name one that is not there.`)
  const part = `${file}.${randomUUID()}${unfinished}`
  const handle = await open(part, 'wx', 0o600)
  try {
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
    const source = Readable.from(tarOf(members))
    const target = handle.createWriteStream({ flush: true })
    await allOf(source, compress, whileThereIsRoom(dirname(file)), target, { ...(signal && { signal }) })
    await rename(part, file)
  } catch (error) {
    await handle.close()
    await rm(part, { force: true })
    throw error
  }
  const folder = await open(dirname(file))
  await folder.sync().finally(() => folder.close())
}

const lookEvery = 1024 * 1024

/** Ends the backup before it takes the room that the database needs (R15). */
function whileThereIsRoom(folder: string) {
  let unseen = lookEvery
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unseen += chunk.length
      if (unseen < lookEvery) return done(null, chunk)
      unseen = 0
      freeBytes(folder).then(
        (free) => (free > leftByBackups ? done(null, chunk) : done(diskIsFull(folder))),
        done,
      )
    },
  })
}

const diskIsFull = (folder: string) =>
  new BackupRefused(
    `The disk of ${folder} has no room for the backup: the last ${leftByBackups / 1024 ** 2} MB are kept for the database. Nothing was kept of it.`,
  )

/** Every member but the sums, in order; what is not as it was written is refused, at the latest after the last one. */
export async function* readArchive(file: string): AsyncGenerator<Member> {
  const damaged = () => new BackupRefused(`${basename(file)} is damaged or no backup: nothing was restored.`)
  const sums: string[] = []
  let isWhole = false
  try {
    for await (const { name, content } of membersOf(file)) {
      if (isWhole) throw damaged()
      isWhole = name === sumsName
      if (isWhole && content.toString() !== sums.join('')) throw damaged()
      sums.push(sumLine({ name, content }))
      if (!isWhole) yield { name, content }
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new BackupRefused(`There is no file ${file}.`)
    throw /^(ZSTD|Z_|ERR_)/.test(code) ? damaged() : error
  }
  if (!isWhole) throw damaged()
}

const sumLine = ({ name, content }: Member) =>
  `${createHash('sha256').update(content).digest('hex')}  ${name}\n`

const block = 512

async function* tarOf(members: AsyncIterable<Member>) {
  const sums: string[] = []
  for await (const member of members) {
    yield* tarMember(member)
    sums.push(sumLine(member))
  }
  yield* tarMember({ name: sumsName, content: Buffer.from(sums.join('')) })
  yield Buffer.alloc(2 * block)
}

function* tarMember({ name, content }: Member) {
  yield tarHeader(name, content.length)
  yield content
  yield Buffer.alloc(padding(content.length))
}

const padding = (size: number) => (block - (size % block)) % block

function tarHeader(name: string, size: number) {
  if (Buffer.byteLength(name) > 100) throw new Error(`The name ${name} is too long for a backup.`)
  const header = Buffer.alloc(block)
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at)
  header.write(name)
  octal(0o600, 100, 8)
  octal(size, 124, 12)
  octal(0, 136, 12)
  header.write('        0', 148)
  header.write('ustar\u000000', 257)
  octal(sumOf(header), 148, 7)
  return header
}

const sumOf = (header: Buffer) => header.reduce((sum, byte) => sum + byte, 0)

/** Ends early, without the sums, where it is no tar file. */
async function* membersOf(file: string): AsyncGenerator<Member> {
  const take = takerOf(pipeline(createReadStream(file), createZstdDecompress(), () => {}))
  for (;;) {
    const header = await take(block)
    const size = header === undefined ? Number.NaN : Number.parseInt(header.toString('latin1', 124, 135), 8)
    if (header === undefined || Number.isNaN(size)) break
    const content = await take(size)
    if (content === undefined) break
    await take(padding(size))
    yield { name: header.toString('utf8', 0, header.indexOf(0)), content }
  }
  // To the end, where the compression has a checksum of its own.
  while ((await take(block)) !== undefined);
}

/** Takes so many bytes at a time; undefined when there are fewer. */
function takerOf(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer[] = []
  let length = 0
  return async (size: number) => {
    while (length < size) {
      const next = await chunks.next()
      if (next.done) return undefined
      held.push(next.value)
      length += next.value.length
    }
    const all = Buffer.concat(held)
    held = [all.subarray(size)]
    length -= size
    return all.subarray(0, size)
  }
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )
