import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { mebibyte, memoryShare } from '../../memory.ts'
import { Bounded, type Held } from './bounded.ts'
import { Refused, unavailable } from '../refusal.ts'

/** The minimum speed of a body after the first seconds (R25). */
const minBytesPerSecond = 1024
const graceMs = 5000
/** The longest time of a body (R13). */
const longestMs = 30_000
const longestMsOfFile = 120_000
/** How many bytes of a file may be in memory. The others are on the disk or not sent yet. */
const bytesOfFile = 256 * 1024

const bytes = memoryShare(1 / 16, { min: 16 * mebibyte, max: 256 * mebibyte })

interface Arriving extends Held {
  startedMs: number
  readBefore: number
  request: FastifyRequest
  refuse: (refusal: Refused) => void
}

/** The unfinished bodies. They do not count as work in progress and have bounds of their own. */
export class ArrivingBodies {
  readonly #bodies = new Bounded<Arriving>({ bytes, ofOwner: { bytes: bytes / 4, count: 128 } })
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  add(request: FastifyRequest, reply: FastifyReply, owner: string): void {
    const { raw } = request
    const { socket } = raw
    // A connection may carry many bodies, so remove the listeners of this body when it ends.
    const remove = () => {
      raw.off('end', remove)
      socket.off('close', remove)
      this.#bodies.remove(body)
    }
    const refuse = (refusal: Refused) => {
      remove()
      // Fastify's body reader sends this error as the answer. Without a reader, the answer was sent already.
      if (reply.sent || raw.listenerCount('error') === 0) socket.destroy()
      else raw.emit('error', refusal)
    }
    const body: Arriving = {
      bytes: Math.min(lengthOf(raw) ?? Infinity, memoryOf(request)),
      owner,
      startedMs: this.#now(),
      readBefore: socket.bytesRead,
      request,
      refuse,
      evict: () => refuse(unavailable()),
    }
    this.#bodies.add(body)
    raw.once('end', remove)
    // After an early answer there is no `end` event when the connection is lost.
    socket.once('close', remove)
  }

  /** Answers 408 to clients whose body comes too slowly or takes too long. */
  refuseSlow(): void {
    const now = this.#now()
    for (const { startedMs, readBefore, request, refuse } of this.#bodies) {
      const ms = now - startedMs
      // The set is in order of arrival: all later bodies are younger.
      if (ms <= graceMs) return
      const read = request.raw.socket.bytesRead - readBefore
      if (read < (minBytesPerSecond * ms) / 1000 || ms > longestMsOf(request))
        refuse(new Refused('RequestTimeout'))
    }
  }

  /** Refuses every unfinished body, because the server closes. */
  refuseAll(): void {
    for (const { evict } of this.#bodies) evict()
  }
}

const isFile = ({ routeOptions }: FastifyRequest) => routeOptions.config.endpoint?.file !== undefined

const longestMsOf = (request: FastifyRequest) => (isFile(request) ? longestMsOfFile : longestMs)

const memoryOf = (request: FastifyRequest) =>
  isFile(request) ? bytesOfFile : (request.routeOptions.bodyLimit ?? 0)

/** Whether the body of a request is unfinished. */
export const isArriving = (raw: IncomingMessage): boolean =>
  raw.complete === false && (raw.headers['transfer-encoding'] !== undefined || (lengthOf(raw) ?? 0) > 0)

const lengthOf = ({ headers }: IncomingMessage): number | undefined => {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}
