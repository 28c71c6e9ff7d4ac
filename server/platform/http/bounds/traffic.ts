import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { ArrivingBodies, isArriving } from './arriving.ts'
import { Counts } from './counts.ts'
import { OwnerSemaphores } from '../../semaphore.ts'
import { clientAddress, isChange, isLocal } from '../request/origin.ts'
import type { watchLoad, watchQueue } from './overload.ts'
import { Refused, unavailable } from '../refusal.ts'
import { SendingAnswers, streamedPerAddress, streamedPerPerson } from './sending.ts'

/** How many requests of one connection, address or person may be in work at a time, of 500 in all (R14, R25). */
const perConnection = 100
const perAddress = 400
const perPerson = 100
/** An address with fewer requests in work counts as one with few. An overloaded server has higher limits for it. */
const fewInWork = 20

/**
 * How many changes of one person, or of one address without a session, may run at a time. The others wait. Otherwise changes
 * of one row, which wait for each other, could take all 20 connections of the pool. The limits above bound how many wait.
 */
const changesAtOnce = 4

/**
 * From this number of connections on, of 10,000 in all, each new connection closes the oldest one without a request in
 * progress (R13).
 */
const crowdedFrom = 9000

const checkMs = 1000
/** How long a closing server waits for work in progress and for readers; Postgres needs the rest of the 10 s (R17). */
const finishWithinMs = 4000
const checkWhileClosingMs = 50
/** The first request of a connection that is younger may still be on its way. */
const newConnectionMs = 500

declare module 'fastify' {
  interface FastifyRequest {
    traffic: RequestState
  }
}

/** The state of a request until its answer is sent. */
interface RequestState {
  /** From the end of its body to the start of its answer: while the server works for it. */
  isInWork: boolean
  /** Whether its connection is closed or its answer sent. */
  hasEnded: boolean
  /** The address, session and person whose requests in work include this one. */
  countedFor: string[]
  /** Whether `perConnection` earlier requests of its connection have no answer yet. */
  isOverConnectionLimit: boolean
}

interface Connection {
  openedMs: number
  /** Requests whose answers have not been sent. */
  unanswered: number
}

interface Deps {
  load: ReturnType<typeof watchLoad>
  queue: ReturnType<typeof watchQueue>
  clock: Clock
}

/**
 * Tracks each request and bounds how many are in work: from the end of the body to the start of the answer. Arriving bodies
 * and answers being sent have bounds of their own (R25).
 */
export function watchTraffic(app: FastifyInstance, { load, queue, clock }: Deps) {
  let [readMs, awakeMs] = [clock.monotonicMs(), 0]
  /**
   * Counts the time while this process runs. The timer below reads it every second, so a longer pause between two
   * readings means that the process was stopped. Callers cannot help that, so at most two seconds of the pause count.
   */
  const now = () => {
    const ms = clock.monotonicMs()
    awakeMs += Math.min(ms - readMs, 2 * checkMs)
    readMs = ms
    return awakeMs
  }
  const connections = new Map<Socket, Connection>()
  const arriving = new ArrivingBodies(now)
  const sending = new SendingAnswers(now)
  const inWork = new Counts()
  const changes = new OwnerSemaphores({ atOnce: changesAtOnce, maxWaiting: Infinity })
  let isClosing = false

  app.decorateRequest('traffic', null as never)
  app.server.on('connection', (socket) => {
    // Only one of the listening sockets belongs to `app.server`, which counts its own connections alone.
    if (connections.size >= app.server.maxConnections) return socket.destroy()
    if (connections.size >= crowdedFrom) closeOldestUnused()
    connections.set(socket, { openedMs: now(), unanswered: 0 })
    socket.once('close', () => connections.delete(socket))
  })

  app.addHook('preParsing', (request, reply, payload, done) => {
    if (isBodyReadByFastify(request) && isArriving(request.raw)) {
      leaveWork(request)
      arriving.add(request, reply, ownerOf(request))
      if (isClosing) return done(unavailable())
    }
    done(null, payload)
  })

  app.addHook('preValidation', (request, _reply, done) => {
    if (request.traffic.isInWork) return done()
    enterWork(request)
    try {
      refuseWhenBusy(request)
      done()
    } catch (error) {
      done(error as Error)
    }
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const { traffic, raw } = request
    // Answered before its body has arrived.
    const isStillArriving = traffic.isInWork && isArriving(raw)
    // First of all, so that a failure below does not leave the request in work.
    leaveWork(request)
    if (isStillArriving) arriving.add(request, reply, ownerOf(request))
    if (isClosing || traffic.isOverConnectionLimit) reply.header('connection', 'close')
    sending.add(reply.raw, payload, () => ownerOf(request))
    done(null, payload)
  })

  const check = setInterval(() => {
    arriving.refuseSlow()
    sending.cutStalled()
  }, checkMs).unref()
  const closingTimers: NodeJS.Timeout[] = []

  app.addHook('preClose', (done) => {
    isClosing = true
    arriving.refuseAll()
    closeUnused()
    closingTimers.push(setInterval(closeUnused, checkWhileClosingMs), setTimeout(closeAll, finishWithinMs))
    done()
  })
  app.addHook('onClose', async () => {
    clearInterval(check)
    for (const timer of closingTimers) clearTimeout(timer)
  })

  /** Closes the connections without a request in progress; one of them may have sent half a request. */
  function closeUnused() {
    for (const [socket, { openedMs, unanswered }] of connections) {
      const isNew = now() - openedMs < newConnectionMs
      if (unanswered === 0 && !isNew) socket.destroy()
    }
  }

  function closeOldestUnused() {
    for (const [socket, { unanswered }] of connections) {
      if (unanswered > 0) continue
      connections.delete(socket)
      return socket.destroy()
    }
  }

  function closeAll() {
    for (const socket of connections.keys()) socket.destroy()
  }

  function begin(request: FastifyRequest, reply: FastifyReply) {
    // An injected request has no network connection.
    const connection = connections.get(request.raw.socket)
    const isOverConnectionLimit = connection !== undefined && connection.unanswered >= perConnection
    request.traffic = { isInWork: false, hasEnded: false, countedFor: [], isOverConnectionLimit }
    // The connection is closed already: no `close` event would follow that ends the request.
    if (request.raw.socket.destroyed) return
    enterWork(request)
    if (connection !== undefined) connection.unanswered++
    // This event also comes when the caller has left before the answer was finished.
    reply.raw.once('close', () => {
      leaveWork(request)
      request.traffic.hasEnded = true
      if (connection !== undefined) connection.unanswered--
    })
  }

  function enterWork({ traffic }: FastifyRequest) {
    if (traffic.hasEnded) return
    traffic.isInWork = true
    load.begin()
    for (const owner of traffic.countedFor) inWork.add(owner)
  }

  function leaveWork({ traffic }: FastifyRequest) {
    if (!traffic.isInWork) return
    traffic.isInWork = false
    load.end()
    for (const owner of traffic.countedFor) inWork.remove(owner)
  }

  /** Refuses a request when its owner (address, session or person) has `max` in work. Otherwise counts it until it leaves work. */
  function admitFor({ traffic }: FastifyRequest, owner: string, max: number) {
    if (inWork.of(owner) >= max) throw new Refused('TooManyRequests', { retryAfter: 1 })
    if (!traffic.isInWork) return
    traffic.countedFor.push(owner)
    inWork.add(owner)
  }

  const hasFewInWork = (request: FastifyRequest) => inWork.of(addressOf(request)) < fewInWork

  function refuseWhenBusy(request: FastifyRequest) {
    const { alwaysAnswers } = request.routeOptions.config
    if (isClosing || (!alwaysAnswers && load.isOverloaded(hasFewInWork(request)))) throw unavailable()
  }

  /**
   * Refuses a request that would wait too long for a connection of the database. Otherwise counts it in the queue for these
   * connections. Does neither for routes that need no connection, or that always answer.
   */
  function admitToDatabaseQueue(request: FastifyRequest) {
    const { alwaysAnswers, answersFromMemory } = request.routeOptions.config
    if (alwaysAnswers || (answersFromMemory && !request.url.includes('?'))) return
    if (queue.isTooLong(hasFewInWork(request))) throw unavailable()
    queue.enter()
  }

  return {
    begin,
    leaveWork,
    admitToDatabaseQueue,
    /** Refuses a request over a limit of the server, its connection or its address, before any work is done for it. */
    admit: (request: FastifyRequest) => {
      if (!request.traffic.isInWork) throw unavailable()
      refuseWhenBusy(request)
      if (request.traffic.isOverConnectionLimit) throw new Refused('TooManyRequests', { retryAfter: 1 })
      admitToDatabaseQueue(request)
      admitFor(request, addressOf(request), perAddress)
    },
    /** Refuses a request over the limit of its session, before the session is read, so that the refusal costs no query. */
    admitSession: (request: FastifyRequest, token: string) =>
      admitFor(request, `session ${token}`, perPerson),
    /** Refuses a request over the limit of its person, who may have several sessions. */
    admitPerson: (request: FastifyRequest) => {
      if (request.viewer.kind !== 'visitor') admitFor(request, `person ${request.viewer.id}`, perPerson)
    },
    /**
     * Runs a handler. A change waits while four changes of its owner (a person, or an address without a session) run.
     * Changes of this machine without a session do not wait.
     */
    inTurn: <T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> => {
      const isExempt = request.viewer.kind === 'visitor' && isLocal(request)
      return isExempt || !isChange(request.method) ? work() : changes.run(ownerOf(request), work)
    },
    /** Whether an answer that needs no work may be sent now. When not, `admit` decides what is done with its request. */
    mayAnswerAtOnce: ({ socket }: ServerResponse, owner: string): boolean =>
      // Without a socket: an earlier answer of the connection is still being sent.
      socket !== null &&
      !socket.destroyed &&
      !isClosing &&
      !load.isOverloaded(false) &&
      inWork.of(owner) < perAddress,
    /** Counts an answer that was sent at once, until its reader has received it. */
    addUnsent: (response: ServerResponse, body: Buffer | undefined, owner: string) => {
      const connection = connections.get(response.socket!)
      if (connection !== undefined) connection.unanswered++
      response.once('close', () => {
        if (connection !== undefined) connection.unanswered--
      })
      sending.add(response, body, () => owner)
    },
    /** Refuses a streamed list when its owner has too many open ones. Otherwise counts it until its answer has ended. */
    reserveStreamed: (request: FastifyRequest, reply: FastifyReply) => {
      const ofVisitor = isLocal(request) ? Infinity : streamedPerAddress
      const max = request.viewer.kind === 'visitor' ? ofVisitor : streamedPerPerson
      sending.reserveStreamed(reply.raw, ownerOf(request), max)
    },
  }
}

export type Traffic = ReturnType<typeof watchTraffic>

const addressOf = (request: FastifyRequest) => ownerAt(clientAddress(request.ip))

/** The owner of the requests of an address without a session. */
export const ownerAt = (address: string) => `address ${address}`

/** The owner of a request: its person, or its address when it has no session. */
export const ownerOf = (request: FastifyRequest) =>
  request.viewer.kind === 'visitor' ? addressOf(request) : `person ${request.viewer.id}`

const isBodyReadByFastify = ({ method }: FastifyRequest) =>
  method !== 'GET' && method !== 'HEAD' && method !== 'TRACE'
