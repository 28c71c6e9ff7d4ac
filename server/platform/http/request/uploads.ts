import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FileRule } from '#contract/endpoint.ts'
import { arrivingOf } from '../../backup/upload-names.ts'
import { guardDiskSpace } from '../../disk.ts'
import { fileSystemTime, isOlder, unfinished } from '../../files.ts'
import { mebibyte } from '../../memory.ts'
import { Counts } from '../bounds/counts.ts'
import type { LimitRule } from '../bounds/limits.ts'
import { Refused, unavailable } from '../refusal.ts'
import { ownerOf } from '../bounds/traffic.ts'

/** A received file on disk. It is deleted after the call, unless the handler has moved it. */
export interface UploadedFile {
  path: string
  bytes: number
  /** The media type that the caller declared. */
  type: string
  /** The file name that the caller declared, for checks alone: never a part of a path. */
  name: string
  sha256: string
}

/** The result of reading the body of a call that takes a file. */
interface Upload {
  received: { file: UploadedFile } | { error: unknown }
  /** Whether the handler has begun. From then on `withUpload` deletes the file. */
  isInUse: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    upload: Upload | undefined
  }
}

/** How often a person may upload a file of any kind (S47). */
export const uploadRate: LimitRule = { name: 'uploads', count: 10, seconds: 3600, by: 'person' }

const maxHeaderBytes = 8 * 1024
/** Two boundaries of at most 70 characters, with their dashes and line ends. */
const maxBoundaryBytes = 256
/** What the boundary and the headers of the part may add to the size of the file. */
const maxBytesAround = 64 * 1024
/** The largest body of a call that takes a file. */
export const bodyLimitOf = ({ maxBytes }: FileRule): number => maxBytes + maxBytesAround
/** How much more of a body over its limit is read and dropped, so that the caller can read the answer. */
const droppedBytesOf = (rule: FileRule) => bodyLimitOf(rule) + 1024 * 1024

/** Bytes of files that a person, or an address without a session, may send at a time. One file is always accepted. */
const maxBytesOfOwner = 64 * mebibyte

/** No upload takes so long: an older file was left by a killed process. */
const leftoverMs = 10 * 60 * 1000

interface Arrival {
  dataDir: string
  /** Whether other processes may be receiving files into the folder. */
  isShared: boolean
}

/** Deletes the files that were left by processes that were killed since this one started. */
export const purgeArriving = (dataDir: string): Promise<void> => removeLeftovers(arrivingOf(dataDir), true)

/** Streams the file of each call that takes one into a folder on disk, with a bounded memory. */
export async function acceptUploads(app: FastifyInstance, { dataDir, isShared }: Arrival): Promise<void> {
  const folder = arrivingOf(dataDir)
  await removeLeftovers(folder, isShared)
  app.decorateRequest('upload', undefined)
  const bytesOfOwners = new Counts()

  app.addHook('preParsing', (request, reply, payload, done) => {
    const rule = ruleOf(request)
    if (rule === undefined) return done(null, payload)
    // The caller has left already: no `close` event would follow that gives the bytes back.
    if (reply.raw.destroyed) return done(unavailable())
    const [owner, bytes] = [ownerOf(request), expectedBytes(request, rule)]
    const others = bytesOfOwners.of(owner)
    if (others > 0 && others + bytes > maxBytesOfOwner)
      return done(new Refused('TooManyRequests', { retryAfter: 5 }))
    bytesOfOwners.add(owner, bytes)
    reply.raw.once('close', () => {
      bytesOfOwners.remove(owner, bytes)
      void removeUnlessInUse(request.upload)
    })
    done(null, payload)
  })

  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest) => {
    const rule = ruleOf(request)
    if (rule === undefined) {
      if (request.is404) return
      throw new Refused('UnsupportedMediaType')
    }
    // Keep a refusal for the handler: Fastify closes the connection when a parser fails, before the caller can read why.
    const received = await receiveFile(request.raw, rule, folder).then(
      (file) => ({ file }),
      (error: unknown) => ({ error }),
    )
    request.upload = { received, isInUse: false }
    // The caller may have left before the last step of receiving.
    if (request.raw.socket.destroyed) await removeUnlessInUse(request.upload)
  })
}

/** Runs the handler with the file of the call, and deletes the file afterwards. */
export async function withUpload<Answer>(
  { upload }: FastifyRequest,
  rule: FileRule | undefined,
  run: (file: UploadedFile | undefined) => Promise<Answer>,
): Promise<Answer> {
  if (rule === undefined) return run(undefined)
  if (upload === undefined) throw refusalOf(rule)
  if ('error' in upload.received) throw upload.received.error
  upload.isInUse = true
  const { file } = upload.received
  try {
    return await run(file)
  } finally {
    await rm(file.path, { force: true })
  }
}

/** The most bytes that the body can put on the disk. A body in chunks does not declare its length. */
const expectedBytes = ({ raw }: FastifyRequest, { maxBytes }: FileRule) =>
  Math.min(Number(raw.headers['content-length'] ?? Infinity), maxBytes)

const ruleOf = ({ routeOptions }: FastifyRequest) => routeOptions.config.endpoint?.file

const refusalOf = ({ field, refusal: error }: FileRule) =>
  new Refused('InvalidInput', { error, fields: { [field]: error } })

async function removeUnlessInUse(upload: Upload | undefined) {
  if (upload !== undefined && 'file' in upload.received && !upload.isInUse)
    await rm(upload.received.file.path, { force: true })
}

/** Deletes the files of a folder: all of them, or the old ones when other processes may be receiving files into it. */
async function removeLeftovers(folder: string, isShared: boolean) {
  const names = await readdir(folder).catch(() => [])
  if (names.length === 0) return
  const now = isShared ? await fileSystemTime(folder) : undefined
  for (const name of names) {
    const path = join(folder, name)
    if (now === undefined || (await isOlder(path, leftoverMs, now))) await rm(path, { force: true })
  }
}

/** Writes the only part of the body to a new file and syncs it. Whatever fails leaves no file. */
async function receiveFile(raw: IncomingMessage, rule: FileRule, folder: string): Promise<UploadedFile> {
  const stopping = new AbortController()
  const stop = (error: unknown) => stopping.abort(error)
  // Counts every body to its end: one in chunks does not declare its length.
  let bytes = 0
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > bodyLimitOf(rule)) stop(new Refused('PayloadTooLarge'))
    if (bytes > bodyLimitOf(rule) + droppedBytesOf(rule)) raw.socket.destroy()
  }
  if (Number(raw.headers['content-length']) > bodyLimitOf(rule)) {
    raw.on('data', count)
    throw new Refused('PayloadTooLarge')
  }
  const onClose = () => {
    // A connection may be destroyed after the last byte has arrived and before it was read.
    if (!raw.readableEnded) stop(new Refused('InvalidInput'))
  }
  raw.once('error', stop).once('close', onClose)
  if (raw.destroyed) onClose()
  const path = join(folder, `${randomUUID()}${unfinished}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const target = await open(path, 'wx', 0o600)
    try {
      return await parse(raw, rule, {
        stopping,
        count,
        countBytes: () => bytes,
        path,
        writer: () => target.createWriteStream({ flush: true }),
      })
    } catch (error) {
      await target.close().catch(() => {})
      await rm(path, { force: true })
      throw error
    }
  } catch (error) {
    // Read the rest and drop it, so that the caller can read the answer. `ArrivingBodies` bounds the time of this.
    raw
      .on('error', () => {})
      .off('data', count)
      .on('data', count)
      .resume()
    throw asRefusal(stopping.signal.aborted ? stopping.signal.reason : error)
  } finally {
    raw.off('error', stop).off('close', onClose)
  }
}

interface Target {
  stopping: AbortController
  count: (chunk: Buffer) => void
  /** The bytes of the body that have arrived. */
  countBytes: () => number
  path: string
  writer: () => NodeJS.WritableStream
}

async function parse(
  raw: IncomingMessage,
  rule: FileRule,
  { stopping, count, countBytes, path, writer }: Target,
) {
  const { signal } = stopping
  signal.throwIfAborted()
  const refuse = () => stopping.abort(refusalOf(rule))
  let storing: Promise<UploadedFile> | undefined
  const parser = multipartParser(raw, rule)
  // A parser may report a second error after the first one.
  parser.on('error', (error) => stopping.abort(error))
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.once(limit, refuse)
  parser.once('file', (field, content, name, _encoding, type) => {
    // The parser may report the early end of a body here, also for a part that is refused.
    content.on('error', (error) => stopping.abort(error))
    if (field !== rule.field || !rule.types.includes(type)) return refuse()
    content.once('limit', () => stopping.abort(new Refused('PayloadTooLarge')))
    storing = store(content, [guardDiskSpace(dirname(path), diskIsFull), writer()], signal).then(
      (stored) => ({ ...stored, path, type, name }),
    )
    storing.catch((error: unknown) => stopping.abort(error))
  })
  try {
    const finished = once(parser, 'finish', { signal })
    raw.on('data', count).pipe(parser)
    await finished
    if (storing === undefined) throw refusalOf(rule)
    const stored = await storing
    // The parser cuts off longer headers and reports nothing.
    if (countBytes() - stored.bytes > maxHeaderBytes + maxBoundaryBytes) throw refusalOf(rule)
    return stored
  } finally {
    raw.unpipe(parser)
    await storing?.catch(() => {})
  }
}

function multipartParser({ headers }: IncomingMessage, rule: FileRule) {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: { parts: 1, files: 1, fields: 0, fileSize: rule.maxBytes, headerSize: maxHeaderBytes },
    })
  } catch {
    throw refusalOf(rule)
  }
}

async function store(
  content: Readable,
  [checked, writer]: [Transform, NodeJS.WritableStream],
  signal: AbortSignal,
) {
  const hash = createHash('sha256')
  let bytes = 0
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length
      hash.update(chunk)
      yield chunk
    }
  }
  await pipeline(content, counted, checked, writer, { signal })
  return { bytes, sha256: hash.digest('hex') }
}

const isDiskFull = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes((error as { code?: string }).code ?? '')

/** Refuses the call when writing a file fails because the disk is full (R15). */
export async function refuseWhenDiskIsFull(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw isDiskFull(error) ? diskIsFull() : error
  }
}

const diskIsFull = () => new Refused('Unavailable', { retryAfter: 5 })

/**
 * A full disk is a temporary refusal (R15). Other errors of system calls stay errors. The rest come from a malformed or
 * unfinished body.
 */
function asRefusal(error: unknown): unknown {
  if (error instanceof Refused) return error
  if (isDiskFull(error)) return diskIsFull()
  return (error as { syscall?: string }).syscall === undefined ? new Refused('InvalidInput') : error
}
