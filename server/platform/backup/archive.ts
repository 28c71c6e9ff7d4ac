import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { keptFreeBytes, guardDiskSpace } from '../disk.ts'
import { openUnfinished, syncFolder } from '../files.ts'
import { OperatorError } from '../operator-error.ts'

/** Thrown when a backup is not made or not restored; the message is shown to the operator. */
export class BackupRefused extends OperatorError {}

export interface Member {
  name: string
  content: Buffer
}

/** The last member. It has a line for each other member, as `sha256sum` writes and checks them. */
const sumsName = 'SHA256SUMS'

/**
 * Writes a tar file, compressed by zstd. Only its owner may read the file: it holds addresses and digests of passwords.
 * After a failure there is no file.
 */
export async function writeArchive(
  file: string,
  members: AsyncIterable<Member>,
  signal?: AbortSignal,
): Promise<void> {
  if (existsSync(file))
    throw new BackupRefused(`There is a file ${file} already: name one that is not there.`)
  const { part, handle } = await openUnfinished(file)
  try {
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
    const source = tarOf(members)
    const target = handle.createWriteStream({ flush: true })
    await pipeline(source, compress, guardBackupDisk(dirname(file)), target, { ...(signal && { signal }) })
    await rename(part, file)
  } catch (error) {
    await handle.close()
    await rm(part, { force: true })
    throw error
  }
  await syncFolder(dirname(file))
}

/** Ends a backup or a restore before it takes the disk space that the database needs (R15). */
export const guardBackupDisk = (folder: string) => guardDiskSpace(folder, () => diskIsFull(folder))

const diskIsFull = (folder: string) =>
  new BackupRefused(
    `The disk of ${folder} has no room for the backup: the last ${keptFreeBytes / 1024 ** 2} MB are kept for the database. Nothing was kept of it.`,
  )

/** A member as it is read. What the caller leaves of its content is read and dropped. */
interface StoredMember {
  name: string
  content: AsyncIterable<Buffer>
}

/**
 * Every member but the sums, in order. A file that differs from what `writeArchive` wrote is refused, at the latest after
 * the last member. However large a member is, little of it is in memory.
 */
export async function* readArchive(file: string): AsyncGenerator<StoredMember> {
  const damaged = (cause?: unknown) =>
    new BackupRefused(`${basename(file)} is damaged or no backup: nothing was restored.`, { cause })
  const explained = (error: unknown) => {
    const { code, syscall, name } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return new BackupRefused(`There is no file ${file}.`)
    if (code === 'EISDIR') return new BackupRefused(`${file} is a folder: name the file of a backup.`)
    // tar-stream and zstd throw plain errors. An error of the disk has a syscall, a mistake in the code has another name.
    return syscall === undefined && name === 'Error' ? damaged(error) : error
  }
  const sums = createHash('sha256')
  let isWhole = false
  try {
    for await (const { name, content } of membersOf(file)) {
      if (isWhole) throw damaged()
      isWhole = name === sumsName
      const hash = createHash('sha256')
      const hashed = async function* () {
        try {
          for await (const chunk of content) {
            hash.update(chunk)
            yield chunk
          }
        } catch (error) {
          throw explained(error)
        }
      }
      const unread = hashed()
      if (!isWhole) yield { name, content: unread }
      for await (const _ of unread);
      const sum = hash.digest('hex')
      if (!isWhole) sums.update(sumLine(name, sum))
      else if (sum !== sums.digest('hex')) throw damaged()
    }
  } catch (error) {
    throw explained(error)
  }
  if (!isWhole) throw damaged()
}

const sumLine = (name: string, sum: string) => `${sum}  ${name}\n`

function tarOf(members: AsyncIterable<Member>): Readable {
  const tar = pack()
  const add = ({ name, content }: Member) =>
    new Promise<void>((resolve, reject) =>
      tar.entry({ name, size: content.length, mode: 0o600, mtime: new Date(0) }, content, (error) =>
        error ? reject(error) : resolve(),
      ),
    )
  async function addAll() {
    const sums: string[] = []
    for await (const member of members) {
      sums.push(sumLine(member.name, createHash('sha256').update(member.content).digest('hex')))
      await add(member)
    }
    await add({ name: sumsName, content: Buffer.from(sums.join('')) })
    tar.finalize()
  }
  addAll().catch((error: Error) => tar.destroy(error))
  return Readable.from(tar)
}

async function* membersOf(file: string): AsyncGenerator<StoredMember> {
  const { size } = await stat(file)
  const tar = extract()
  const decompress = createZstdDecompress()
  const reading = pipeline(createReadStream(file), decompress, tar)
  // The loop throws the error of a reading that fails within it.
  reading.catch(() => {})
  for await (const entry of tar) yield { name: entry.header.name, content: entry as AsyncIterable<Buffer> }
  await reading
  // zstd stops without an error at the end of its frame.
  if (decompress.bytesWritten !== size) throw new Error('bytes after the end')
}
