import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LimitRule } from '../bounds/limits.ts'
import { sameForAll } from '../endpoints/policy.ts'
import { type OpenFile, partOf, type Range, type UploadStore } from '../../uploads/upload-store.ts'
import { Refused, unavailable } from '../refusal.ts'
import type { Server } from '../server.ts'

interface FoundFile {
  /** Among the uploads. */
  name: string
  /** Whether browsers and proxies may keep the file. */
  isPublished: boolean
}

interface Served {
  uploads: UploadStore
  /** The folder of the addresses, such as `/uploads/magazine`. */
  folder: string
  /** Returns the file with this name in the address; undefined when there is none. */
  find: (name: string) => Promise<FoundFile | undefined>
  headers: Record<string, string>
}

/** For all files together. A first visit reads some dozens: this allows a hundred visits a minute. */
export const fileReads: LimitRule = { name: 'files', count: 6000, seconds: 60, by: 'address' }

/** The content of an address never changes, but an admin may hide what shows it: then no cache has it after five minutes. */
const maxAgeSeconds = 5 * 60

export function serveFiles({ app }: Server, { uploads, folder, find, headers }: Served): void {
  app.get(`${folder}/:name`, { config: { policy: sameForAll, reads: fileReads } }, async (request, reply) => {
    const { name } = request.params as { name: string }
    const found = await find(name)
    if (found === undefined) throw new Refused('NotFound')
    return sendFile(
      request,
      reply,
      { uploads, name: found.name },
      {
        'cache-control': found.isPublished ? `public, max-age=${maxAgeSeconds}` : 'private, no-store',
        // A browser that opens the file as a page gives it no rights: no script, no form, no origin.
        'content-security-policy': "default-src 'none'; sandbox",
        ...headers,
      },
    )
  })
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { uploads, name }: { uploads: UploadStore; name: string },
  headers: Record<string, string>,
) {
  // A reader who has left needs no answer from the service that has the file.
  const leaving = new AbortController()
  const { signal } = leaving
  reply.raw.once('close', () => leaving.abort())
  const wanted = rangeOf(request)
  const found = await (
    request.method === 'HEAD' ? headOf(uploads, name, wanted, signal) : uploads.read(name, wanted, signal)
  ).catch((error: unknown) => {
    throw signal.aborted ? unavailable() : error
  })
  if (found === undefined) throw new Refused('NotFound')
  const { size, range, content } = found
  const { start, end } = range ?? { start: 0, end: size - 1 }
  reply.headers({ ...headers, 'accept-ranges': 'bytes', 'content-length': end - start + 1 })
  if (range !== undefined) reply.status(206).header('content-range', `bytes ${start}-${end}/${size}`)
  return reply.send(content)
}

/** The file without its content. An empty stream keeps the `content-length` that is set above. */
async function headOf(
  uploads: UploadStore,
  name: string,
  wanted: Range | undefined,
  signal: AbortSignal,
): Promise<OpenFile | undefined> {
  const size = await uploads.sizeOf(name, signal)
  return size === undefined ? undefined : { size, range: partOf(size, wanted), content: Readable.from([]) }
}

/**
 * The part that a request asks for. All other requests get the whole file, as the standard allows: those for several parts
 * or for none that exists, and those with a condition.
 */
function rangeOf({ headers: { range, 'if-range': condition } }: FastifyRequest): Range | undefined {
  const [, from, to] = /^bytes=(\d{1,12})-(\d{0,12})$/.exec(range ?? '') ?? []
  if (from === undefined || condition !== undefined) return undefined
  const [start, end] = [Number(from), to ? Number(to) : Infinity]
  return start <= end ? { start, end } : undefined
}
