import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { guardBackupDisk, type Member } from '../backup/archive.ts'
import { isPlain, nameFaultOf, uploadsFolder } from '../backup/upload-names.ts'
import { unfinished } from '../files.ts'
import { ownerKey } from './owner.ts'
import { contentOf, type S3Body, S3Client, type S3Settings } from './s3-client.ts'
import { readS3List, type StoredObject } from './s3-list.ts'
import {
  type OpenFile,
  type Range,
  type UnusedOf,
  unusedMs,
  type UploadStore,
  UploadsUnavailable,
} from './upload-store.ts'

/** What the server itself stores beside the uploads. */
const ownFolder = '.zimmer/'
/** Has an empty object for each file that a purge has found without a row. The time of the object is that of the purge. */
const unusedFolder = `${ownFolder}unused/`
/** This object exists while a restore runs. */
const restoringKey = `${ownFolder}restoring`
const probeKey = `${ownFolder}doctor`

/** A page has at most 1000 keys of at most 1024 bytes, each up to three times as long when it is encoded. */
const maxListBytes = 8 * 1024 * 1024
/** Objects and pages, together. No installation has so many: a longer list has no end. */
const maxListed = 1_000_000
/** No upload is so large. A backup holds each file in memory. */
const maxMemberBytes = 64 * 1024 * 1024
const maxOwnerBytes = 1024
const tooLarge = 'too large'

/** A bucket of an S3 service, which belongs to this installation alone. The key of an object is the name of the file. */
export class S3Store implements UploadStore {
  readonly place: string
  readonly restoringPlace: string
  readonly #client: S3Client
  readonly #arriving: string
  #restored: string[] = []

  /** `arriving` is a folder of this machine for files that are not complete. */
  constructor(settings: S3Settings, arriving: string) {
    this.place = `bucket ${settings.bucket}`
    this.restoringPlace = `the object ${restoringKey} of the ${this.place}`
    this.#client = new S3Client(settings)
    this.#arriving = arriving
  }

  async belongsTo(installation: string): Promise<boolean> {
    const owner = await this.#contentOf(ownerKey, maxOwnerBytes)
    if (owner === undefined) await this.#put(ownerKey, bodyOf(Buffer.from(installation)))
    return owner === undefined || owner.toString() === installation
  }

  /** The service compares the content with the checksum of the call. */
  async keep(path: string, name: string): Promise<void> {
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      size += chunk.length
    }
    await this.#put(name, { size, sha256: hash.digest('hex'), open: () => createReadStream(path) })
  }

  async read(name: string, wanted?: Range, signal?: AbortSignal): Promise<OpenFile | undefined> {
    const answer = await this.#client.call({
      method: 'GET',
      key: name,
      ...(wanted && {
        headers: { range: `bytes=${wanted.start}-${Number.isFinite(wanted.end) ? wanted.end : ''}` },
      }),
      acceptedStatuses: wanted === undefined ? [404] : [404, 416],
      signal,
    })
    const { statusCode, headers } = answer
    if (statusCode === 404) return undefined
    // The file does not have this part.
    if (statusCode === 416) return this.read(name, undefined, signal)
    const [, from, to, whole] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
    const [start, end, length] = [Number(from), Number(to), Number(headers['content-length'])]
    const range = statusCode === 206 ? { start, end } : undefined
    const size = range === undefined ? length : Number(whole)
    // The answer to the reader declares the length of the part.
    const isPart = wanted !== undefined && start <= end && end < size && length === end - start + 1
    if (size > 0 && (range === undefined || isPart)) return { size, range, content: answer }
    answer.destroy()
    if (size === 0) return undefined
    throw new UploadsUnavailable(`GET ${name}: The answer does not say how long the file or its part is.`)
  }

  async sizeOf(name: string, signal?: AbortSignal): Promise<number | undefined> {
    const answer = await this.#client.call({ method: 'HEAD', key: name, acceptedStatuses: [404], signal })
    answer.resume()
    if (answer.statusCode === 404) return undefined
    const size = Number(answer.headers['content-length'])
    if (Number.isNaN(size))
      throw new UploadsUnavailable(`HEAD ${name}: The answer does not say how long the file is.`)
    return size > 0 ? size : undefined
  }

  async remove(name: string): Promise<void> {
    await this.#client.done({ method: 'DELETE', key: name, acceptedStatuses: [404] })
  }

  /** Nothing to do: `removeUnused` counts the hour from when it first finds a file without a row. */
  async delayRemoval(): Promise<void> {}

  /**
   * Marks files without a row, and deletes those that were marked over an hour ago. So an object need not change when its row is
   * deleted. All times are those of the service (R20). A file younger than an hour is not marked: its row may not be committed
   * yet.
   */
  async removeUnused(folder: string, unusedOf: UnusedOf, signal: AbortSignal): Promise<void> {
    const marks = new Map<string, number>()
    for await (const { objects } of this.#list(`${unusedFolder}${folder}/`))
      for (const { key, modifiedMs } of objects)
        // A mark with `..` in its name would lead to another object.
        if (isPlain(key)) marks.set(key.slice(unusedFolder.length), modifiedMs)
    const waiting = new Set<string>()
    for await (const { objects, now } of this.#list(`${folder}/`)) {
      const old = objects.filter(({ modifiedMs }) => now - modifiedMs > unusedMs).map(({ key }) => key)
      for (const name of await unusedOf(old)) {
        if (signal.aborted) return
        const markedMs = marks.get(name)
        if (markedMs === undefined) await this.#put(`${unusedFolder}${name}`)
        else if (now - markedMs > unusedMs) await this.remove(name)
        else waiting.add(name)
      }
    }
    // Delete the marks of files that are gone, and of files that a row names.
    for (const name of marks.keys()) if (!waiting.has(name)) await this.remove(`${unusedFolder}${name}`)
  }

  async missingOf(names: readonly string[]): Promise<string[]> {
    const missing = new Set(names)
    for await (const { objects } of this.#list('')) for (const { key } of objects) missing.delete(key)
    return [...missing]
  }

  /** When the service is unavailable, the backup fails. */
  async *members(excluded: Map<string, string>): AsyncGenerator<Member> {
    const taken = new Set<string>()
    for await (const { objects } of this.#list('')) {
      for (const { key } of objects) {
        // A page may repeat an object of the page before. A restore refuses two files with one name.
        if (key.startsWith(ownFolder) || taken.has(key)) continue
        const fault = nameFaultOf(`${uploadsFolder}/${key}`) ?? clashOf(key, taken)
        if (fault !== undefined) {
          excluded.set(key, fault)
          continue
        }
        const content = await this.#contentOf(key, maxMemberBytes)
        if (content === undefined) continue
        if (content === tooLarge) {
          excluded.set(key, tooLarge)
          continue
        }
        taken.add(key)
        yield { name: `${uploadsFolder}/${key}`, content }
      }
    }
  }

  /** The content of an object; undefined when it is gone. */
  async #contentOf(key: string, maxBytes: number): Promise<Buffer | typeof tooLarge | undefined> {
    const call = { method: 'GET', key, acceptedStatuses: [404] } as const
    const answer = await this.#client.call(call)
    if (answer.statusCode === 404) return undefined
    const size = Number(answer.headers['content-length'])
    if (size <= maxBytes) return contentOf(answer, maxBytes, call)
    answer.destroy()
    if (size > maxBytes) return tooLarge
    // Without a length nobody could tell a whole file from one that was cut off.
    throw new UploadsUnavailable(`GET ${key}: The answer does not say how long the file is.`)
  }

  async findFault(): Promise<string | undefined> {
    try {
      await this.#put(probeKey)
      await this.remove(probeKey)
      return undefined
    } catch (error) {
      if (!(error instanceof UploadsUnavailable)) throw error
      const reason = error.cause instanceof Error ? `${error.message} ${error.cause.message}` : error.message
      return `The ${this.place} cannot be used (${reason}). Start the service, or correct the settings UPLOADS_S3_….`
    }
  }

  async holdsFiles(): Promise<boolean> {
    if (await this.hasUnfinishedRestore()) return false
    for await (const { objects } of this.#list(''))
      if (objects.some(({ key }) => !key.startsWith(ownFolder))) return true
    return false
  }

  /** The files of a restore get their names at once: without the rows nobody finds them. */
  async beginRestore(): Promise<void> {
    await this.#put(restoringKey, bodyOf(Buffer.from('A restore has begun and has not ended.\n')))
  }

  async putRestored(name: string, content: AsyncIterable<Buffer>): Promise<void> {
    const path = join(this.#arriving, `${randomUUID()}${unfinished}`)
    await mkdir(this.#arriving, { recursive: true, mode: 0o700 })
    try {
      const file = await open(path, 'wx', 0o600)
      await pipeline(content, guardBackupDisk(dirname(path)), file.createWriteStream())
      this.#restored.push(name)
      await this.keep(path, name)
    } finally {
      await rm(path, { force: true })
    }
  }

  async undoRestore(): Promise<void> {
    for (const name of this.#restored) await this.remove(name)
    await this.finishRestore()
  }

  async hasUnfinishedRestore(): Promise<boolean> {
    return (await this.sizeOf(restoringKey)) !== undefined
  }

  async finishRestore(): Promise<void> {
    this.#restored = []
    await this.remove(restoringKey)
  }

  async #put(key: string, body?: S3Body): Promise<void> {
    await this.#client.done({ method: 'PUT', key, ...(body && { body }) })
  }

  /** The objects whose keys begin so, page by page, with the time of the service. */
  async *#list(prefix: string): AsyncGenerator<{ objects: StoredObject[]; now: number }> {
    let token: string | undefined
    let listed = 0
    do {
      const query = {
        'list-type': '2',
        // XML cannot hold every character of a key.
        'encoding-type': 'url',
        prefix,
        ...(token !== undefined && { 'continuation-token': token }),
      }
      const { text, headers } = await this.#client.text({ method: 'GET', query }, maxListBytes)
      const page = readS3List(text)
      const now = Date.parse(headers.date ?? '')
      if (page === undefined || Number.isNaN(now) || (page.next !== undefined && page.next === token))
        throw new UploadsUnavailable('GET the bucket: The answer is no whole list with a time.')
      listed += page.objects.length + 1
      if (listed > maxListed) throw new UploadsUnavailable('GET the bucket: The list does not end.')
      yield { objects: page.objects, now }
      token = page.next
    } while (token !== undefined)
  }
}

const bodyOf = (content: Buffer): S3Body => ({
  size: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
  open: () => Readable.from([content]),
})

/** A file cannot be where a folder is. A list is in the order of its keys, so the file comes first. */
function clashOf(key: string, taken: ReadonlySet<string>): string | undefined {
  const parts = key.split('/')
  const isWithinFile = parts.some((_, end) => taken.has(parts.slice(0, end).join('/')))
  return isWithinFile ? 'has the name of a file as a folder' : undefined
}
