import { constants, open, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LimitRule } from '../bounds/limits.ts'
import { sameForAll } from '../endpoints/policy.ts'
import { Refused } from '../refusal.ts'
import type { Server } from '../server.ts'

interface FoundFile {
  path: string
  /** Whether browsers and proxies may keep the file. */
  isPublished: boolean
}

interface Served {
  /** The folder of the addresses, such as `/uploads/magazine`. */
  folder: string
  /** Returns the file with this name in the address; undefined when there is none. */
  find: (name: string) => Promise<FoundFile | undefined>
  /** Additional headers of the answer with a file. */
  headers: Record<string, string>
}

/** For all files together. A first visit reads some dozens: this allows a hundred visits a minute. */
export const fileReads: LimitRule = { name: 'files', count: 6000, seconds: 60, by: 'address' }

/** The content of an address never changes, but an admin may hide what shows it: then no cache has it after five minutes. */
const maxAgeSeconds = 5 * 60

/** Serves files that were uploaded. */
export function serveFiles({ app }: Server, { folder, find, headers }: Served): void {
  app.get(`${folder}/:name`, { config: { policy: sameForAll, reads: fileReads } }, async (request, reply) => {
    const { name } = request.params as { name: string }
    const found = await find(name)
    if (found === undefined) throw new Refused('NotFound')
    return sendFile(request, reply, found.path, {
      'cache-control': found.isPublished ? `public, max-age=${maxAgeSeconds}` : 'private, no-store',
      // A browser that opens the file as a page gives it no rights: no script, no form, no origin.
      'content-security-policy': "default-src 'none'; sandbox",
      ...headers,
    })
  })
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  headers: Record<string, string>,
) {
  // To open a named pipe would otherwise wait for somebody who writes into it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      throw isMissing(error) ? new Refused('NotFound') : error
    },
  )
  try {
    const size = await sizeOf(file)
    const range = rangeOf(request, size)
    const { start, end } = range ?? { start: 0, end: size - 1 }
    reply.headers({ ...headers, 'accept-ranges': 'bytes', 'content-length': end - start + 1 })
    if (range !== undefined) reply.status(206).header('content-range', `bytes ${start}-${end}/${size}`)
    if (request.method !== 'HEAD') return reply.send(file.createReadStream({ start, end }))
  } catch (error) {
    await file.close()
    throw error
  }
  await file.close()
  // An empty stream keeps the `content-length` that is set above.
  return reply.send(Readable.from([]))
}

/** Nothing, or something that is no file: a socket, or links that lead to themselves. */
const isMissing = ({ code }: NodeJS.ErrnoException) =>
  code === 'ENOENT' || code === 'ENXIO' || code === 'ELOOP'

/** No upload is empty, so an empty file is a damaged one. */
async function sizeOf(file: FileHandle): Promise<number> {
  const found = await file.stat()
  if (!found.isFile() || found.size === 0) throw new Refused('NotFound')
  return found.size
}

/**
 * The part that a request asks for. All other requests get the whole file, as the standard allows: those for several parts
 * or for none that exists, and those with a condition.
 */
function rangeOf({ headers: { range, 'if-range': condition } }: FastifyRequest, size: number) {
  const [, from, to] = /^bytes=(\d{1,12})-(\d{0,12})$/.exec(range ?? '') ?? []
  if (from === undefined || condition !== undefined) return undefined
  const [start, end] = [Number(from), to ? Math.min(Number(to), size - 1) : size - 1]
  return start <= end ? { start, end } : undefined
}
