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
/** Each may have 300 KiB waiting (R11): together they stay within a share of the memory (R24). */
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
  /** The hashes of those tokens whose sessions are over, or now open another kind of viewer. */
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
    schedule(app, 'look at live streams', 1000, async () => this.#look())
    this.everySecond('look at sessions of live streams', () => this.#endStrangers())
    app.addHook('preClose', () => this.#endAll())
  }

  /** Milliseconds that only grow, whatever happens to the clock of the machine. */
  now(): number {
    return this.#deps.clock.monotonicMs()
  }

  /** Takes one of the places there are, until the answer has ended. */
  reserve(request: FastifyRequest, reply: FastifyReply): void {
    // Whoever has left already would hold the place for ever.
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

  /** Turns the answer into a stream; `onEnd` comes once, however it ends. */
  open(request: FastifyRequest, reply: FastifyReply, onEnd: (stream: Stream) => void): Stream {
    const { raw } = reply
    const stream = new Stream(raw, request.viewer, this.now())
    reply.hijack()
    // An open stream is no request in work (R14).
    this.#deps.server.traffic.leaveWork(request)
    raw.on('error', () => {})
    if (raw.destroyed) return stream
    raw.shouldKeepAlive = false
    // The stream ends with its connection: chunks would cost three writes for each event.
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
    stream.write(comeBack())
    if (this.#isClosing) stream.end()
    return stream
  }

  /** Looks into the database again and again; while that is away there is nothing to see. */
  everySecond(name: string, look: () => Promise<void>): void {
    schedule(this.#deps.server.app, name, 1000, async () => {
      try {
        if (this.#open.size > 0) await look()
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error
      }
    })
  }

  /** Ends the streams whose session is over, or now has other rights (S23). */
  async #endStrangers() {
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

  #look() {
    const now = this.now()
    for (const stream of this.#open) {
      stream.cutWhenStalled(now)
      stream.beatWhenDue(now)
    }
  }

  async #endAll() {
    this.#isClosing = true
    for (const stream of this.#open) {
      stream.write(comeBack())
      stream.end()
    }
    const deadline = this.now() + endWithinMs
    while (this.#open.size > 0 && this.now() < deadline) await delay(20)
    for (const stream of this.#open) stream.cut()
  }
}

/** Not all at the same moment, and all within 5 s of the end. */
const comeBack = () => `retry: ${1000 + Math.floor(Math.random() * 3000)}\n\n`
