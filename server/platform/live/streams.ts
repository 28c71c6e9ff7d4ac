import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import { ifAvailable } from '../database/unavailable.ts'
import { clientAddress, isLocal } from '../http/request/origin.ts'
import type { SignedIn } from '../http/endpoints/policy.ts'
import { Refused } from '../http/refusal.ts'
import type { Server } from '../http/server.ts'
import { mebibyte, memoryShare } from '../memory.ts'
import { schedule } from '../schedule.ts'
import type { SharedCounters } from '../shared-counters.ts'
import { Stream } from './stream.ts'
import { type Owner, renewMs, StreamLeases } from './stream-leases.ts'

/** The maximum of open streams (R12). */
const perPerson = 6
const perAddress = 50
/** A stream takes at most 300 KiB with its unsent bytes (R11). All together stay within a share of the memory (R24). */
const inProcess = Math.min(
  2000,
  Math.floor(memoryShare(1 / 8, { min: 32 * mebibyte, max: 600 * mebibyte }) / (300 * 1024)),
)

/** How long a closing server waits for clients that do not receive the end of their stream. */
const endWithinMs = 1000

interface Deps {
  server: Server
  clock: Clock
  limitsRates: boolean
  /** The counters of all processes; undefined when this process counts by itself. */
  shared: SharedCounters | undefined
  processId: string
  /** The token hashes whose session has ended, or whose viewer now has another kind. */
  listEndedSessions: (
    opened: { tokenHash: string; kind: SignedIn['kind'] | 'apiToken' }[],
  ) => Promise<string[]>
}

/** The open streams of this process, for all kinds of topics. */
export class Streams {
  readonly #open = new Set<Stream>()
  readonly #leases: StreamLeases
  readonly #deps: Deps
  #isClosing = false

  constructor(deps: Deps) {
    this.#deps = deps
    this.#leases = new StreamLeases(deps)
    const { app } = deps.server
    schedule(app, 'heartbeat of live streams', 1000, async () => this.#checkClients())
    this.everySecond('sessions of live streams', () => this.#endUnauthorized())
    schedule(app, 'leases of live streams', renewMs, () => this.#leases.renew())
    app.addHook('preClose', () => this.#endAll())
    app.addHook('onClose', () => this.#leases.whenWritten())
  }

  /** Monotonic milliseconds. */
  now(): number {
    return this.#deps.clock.monotonicMs()
  }

  /** Counts the request towards the limits of streams until its answer is closed. */
  async reserve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.#refuseGone(reply)
    if (this.#deps.limitsRates) {
      const owners = ownersOf(request)
      const full = await this.#leases.acquire(owners)
      if (full !== undefined)
        throw new Refused(full.isShared ? 'TooManyRequests' : 'Unavailable', { retryAfter: 5 })
      // A closed connection emits no second `close` event, so it would be counted forever.
      if (reply.raw.destroyed) this.#leases.release(owners)
      else reply.raw.once('close', () => this.#leases.release(owners))
    }
    this.#refuseGone(reply)
  }

  #refuseGone(reply: FastifyReply) {
    if (this.#isClosing || reply.raw.destroyed) throw new Refused('Unavailable', { retryAfter: 1 })
  }

  /**
   * Turns the answer into a stream. The returned stream is not open when the client has already gone, or when the server
   * closes.
   */
  open(request: FastifyRequest, reply: FastifyReply, { isAway }: { isAway: boolean }): Stream {
    const { raw } = reply
    const stream = new Stream(raw, { viewer: request.viewer, isAway, nowMs: this.now() })
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
    })
    stream.write(retryField())
    if (this.#isClosing) stream.end()
    return stream
  }

  /** Runs a poll of the database every second while streams are open. An unavailable database is no failure. */
  everySecond(name: string, poll: () => Promise<void>): void {
    schedule(this.#deps.server.app, name, 1000, async () => {
      if (this.#open.size > 0) await ifAvailable(poll)
    })
  }

  /** Ends the streams whose session is over, or now has other rights (S23). */
  async #endUnauthorized() {
    const opened = [...this.#open].flatMap(({ viewer }) =>
      viewer.kind === 'visitor' ? [] : [openedBy(viewer)],
    )
    if (opened.length === 0) return
    const ended = new Set(await this.#deps.listEndedSessions(opened))
    if (ended.size === 0) return
    for (const stream of this.#open) {
      if (stream.viewer.kind === 'visitor' || !ended.has(stream.viewer.session.tokenHash)) continue
      // The page reconnects soon, and learns that its session has ended. Many sessions may end at once.
      stream.write(retryField(0, 1000))
      stream.end()
    }
  }

  #checkClients() {
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

const openedBy = ({ kind, session }: SignedIn) => ({
  tokenHash: session.tokenHash,
  kind: session.scopes === undefined ? kind : ('apiToken' as const),
})

/** The streams of a person and of an address are counted in all processes, and all streams in this one, whose memory they take. */
function ownersOf(request: FastifyRequest): Owner[] {
  const { viewer } = request
  const owners: Owner[] = [{ name: 'all', max: inProcess, isShared: false }]
  if (viewer.kind !== 'visitor') owners.push({ name: `person ${viewer.id}`, max: perPerson, isShared: true })
  if (!isLocal(request))
    owners.push({ name: `address ${clientAddress(request.ip)}`, max: perAddress, isShared: true })
  return owners
}

/** A time to reconnect, in milliseconds, different for each stream. */
const retryField = (from = 1000, to = 4000) => `retry: ${from + Math.floor(Math.random() * (to - from))}\n\n`
