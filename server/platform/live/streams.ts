import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import { isDatabaseUnavailable } from '../database/unavailable.ts'
import { Counts } from '../http/counts.ts'
import { clientAddress, isLocal } from '../http/origin.ts'
import type { SignedIn } from '../http/policy.ts'
import { Refused } from '../http/refusal.ts'
import type { Server } from '../http/server.ts'
import { mebibyte, memoryShare } from '../memory.ts'
import { schedule } from '../schedule.ts'
import { Stream } from './stream.ts'

/** Streams at a time (R12). */
const perPerson = 6
const perAddress = 50
/** A stream takes at most 300 KiB with its unsent bytes (R11). All together stay within a share of the memory (R24). */
const inAll = Math.min(
  2000,
  Math.floor(memoryShare(1 / 8, { min: 32 * mebibyte, max: 600 * mebibyte }) / (300 * 1024)),
)

/** How long a closing server waits for readers that do not take the end of their stream. */
const endWithinMs = 1000

interface Deps {
  server: Server
  clock: Clock
  limitsRates: boolean
  /** The hashes of the tokens whose session has ended, or whose viewer now has another kind. */
  listEndedSessions: (opened: { tokenHash: string; kind: SignedIn['kind'] }[]) => Promise<string[]>
}

/** The open streams of this process, whatever they carry. */
export class Streams {
  readonly #open = new Set<Stream>()
  readonly #counts = new Counts()
  readonly #deps: Deps
  #isClosing = false

  constructor(deps: Deps) {
    this.#deps = deps
    const { app } = deps.server
    schedule(app, 'heartbeat of live streams', 1000, async () => this.#checkReaders())
    this.everySecond('sessions of live streams', () => this.#endUnauthorized())
    app.addHook('preClose', () => this.#endAll())
  }

  /** Monotonic milliseconds. */
  now(): number {
    return this.#deps.clock.monotonicMs()
  }

  /** Counts the request towards the limits of streams until its answer is closed. */
  reserve(request: FastifyRequest, reply: FastifyReply): void {
    // A closed connection emits no other `close`, and the count would stay.
    if (this.#isClosing || reply.raw.destroyed) throw new Refused('Unavailable', { retryAfter: 1 })
    const { viewer } = request
    const owners = [
      ['all', inAll],
      ...(viewer.kind === 'visitor' ? [] : [[`person ${viewer.id}`, perPerson] as const]),
      ...(isLocal(request) ? [] : [[`address ${clientAddress(request.ip)}`, perAddress] as const]),
    ] as const
    for (const [owner, max] of this.#deps.limitsRates ? owners : []) {
      if (this.#counts.of(owner) < max) continue
      throw new Refused(owner === 'all' ? 'Unavailable' : 'TooManyRequests', { retryAfter: 5 })
    }
    for (const [owner] of owners) this.#counts.add(owner)
    reply.raw.once('close', () => {
      for (const [owner] of owners) this.#counts.remove(owner)
    })
  }

  /** Turns the answer into a stream. `onEnd` is called once, however it ends. */
  open(request: FastifyRequest, reply: FastifyReply, onEnd: (stream: Stream) => void): Stream {
    const { raw } = reply
    const stream = new Stream(raw, request.viewer, this.now())
    reply.hijack()
    // An open stream does not count as work in progress (R14).
    this.#deps.server.traffic.leaveWork(request)
    raw.on('error', () => {})
    if (raw.destroyed) return stream
    raw.shouldKeepAlive = false
    // The end of the connection ends the stream. Chunked encoding would take three writes for each event.
    raw.useChunkedEncodingByDefault = false
    raw.socket?.setTimeout(0)
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    })
    this.#open.add(stream)
    this.#deps.server.metrics.streams.inc()
    raw.once('close', () => {
      this.#open.delete(stream)
      this.#deps.server.metrics.streams.dec()
      onEnd(stream)
    })
    stream.write(retryField())
    if (this.#isClosing) stream.end()
    return stream
  }

  /** Polls the database while streams are open. An unavailable database is no failure. */
  everySecond(name: string, poll: () => Promise<void>): void {
    schedule(this.#deps.server.app, name, 1000, async () => {
      try {
        if (this.#open.size > 0) await poll()
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error
      }
    })
  }

  /** Ends the streams whose session is over, or now has other rights (S23). */
  async #endUnauthorized() {
    const opened = [...this.#open].flatMap(({ viewer }) =>
      viewer.kind === 'visitor' ? [] : [{ tokenHash: viewer.session.tokenHash, kind: viewer.kind }],
    )
    if (opened.length === 0) return
    const ended = new Set(await this.#deps.listEndedSessions(opened))
    if (ended.size === 0) return
    for (const stream of this.#open) {
      if (stream.viewer.kind !== 'visitor' && ended.has(stream.viewer.session.tokenHash)) stream.end()
    }
  }

  #checkReaders() {
    const now = this.now()
    for (const stream of this.#open) {
      stream.cutWhenStalled(now)
      stream.sendHeartbeatWhenDue(now)
    }
  }

  async #endAll() {
    this.#isClosing = true
    for (const stream of this.#open) {
      stream.write(retryField())
      stream.end()
    }
    const deadline = this.now() + endWithinMs
    while (this.#open.size > 0 && this.now() < deadline) await delay(20)
    for (const stream of this.#open) stream.cut()
  }
}

/** A time to reconnect of 1 to 4 s, different for each stream. */
const retryField = () => `retry: ${1000 + Math.floor(Math.random() * 3000)}\n\n`
