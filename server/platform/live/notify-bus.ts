import type { FastifyBaseLogger } from 'fastify'
import { Client, type ClientConfig } from 'pg'
import { connectionTo, pinNewerSettings } from '../database/connection.ts'
import { type Bus, createBusOn } from './bus.ts'

const channel = 'zimmer_live'
const reconnectMs = 1000
/** The maximum length of the queue. Texts are dropped when the queue is full, or without a connection. */
const queuedMax = 1000

interface Options {
  connection: ClientConfig
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
  answerWithinMs?: number
}

/**
 * Sends messages by `NOTIFY`, over a connection of its own, and reconnects after a failure. A server that is frozen, or whose
 * machine is gone, ends no connection: the bus asks again and again whether it answers.
 */
export const createNotifyBus = ({ connection, log, answerWithinMs = 5000 }: Options): Bus =>
  createBusOn((receive) => {
    let client: Client | undefined
    let queued: string[] = []
    let isSending = false
    let isClosed = false
    let isUnavailable = false
    let retry: NodeJS.Timeout | undefined
    void connect()
    const asking = setInterval(() => void ask(), answerWithinMs).unref()

    return {
      send: (text) => {
        if (client === undefined || queued.length >= queuedMax) return
        queued.push(text)
        if (!isSending) void sendQueued(client)
      },
      close: async () => {
        isClosed = true
        clearTimeout(retry)
        clearInterval(asking)
        await client?.end().catch(() => {})
      },
    }

    async function connect() {
      const next = new Client({
        application_name: 'zimmer live',
        keepAlive: true,
        keepAliveInitialDelayMillis: 10_000,
        connectionTimeoutMillis: 2000,
        query_timeout: answerWithinMs,
        ...connectionTo(connection),
      })
      next.on('notification', ({ payload }) => receive(payload ?? ''))
      next.on('error', () => {})
      next.on('end', () => onEnd(next))
      try {
        await next.connect()
        await pinNewerSettings(next)
        await next.query(`listen ${channel}`)
      } catch (error) {
        if (!isUnavailable) log.warn({ err: error }, 'live messages of other processes do not arrive')
        isUnavailable = true
        void next.end().catch(() => {})
        reconnectLater()
        return
      }
      if (isClosed) return void (await next.end())
      if (isUnavailable) log.info('live messages of other processes arrive again')
      isUnavailable = false
      client = next
    }

    function onEnd(ended: Client) {
      if (ended !== client) return
      client = undefined
      queued = []
      reconnectLater()
    }

    function reconnectLater() {
      if (!isClosed) retry = setTimeout(() => void connect(), reconnectMs).unref()
    }

    async function ask() {
      const asked = client
      // The handler of its `end` event opens a new connection.
      await asked?.query('select 1').catch(() => asked.end().catch(() => {}))
    }

    /** One statement at a time: texts that are queued meanwhile are sent together by the next one. */
    async function sendQueued(sender: Client) {
      isSending = true
      while (queued.length > 0 && sender === client) {
        const texts = queued
        queued = []
        try {
          await sender.query('select pg_notify($1, text) from unnest($2::text[]) text', [channel, texts])
        } catch {
          // The handler of its `end` event opens a new connection.
          await sender.end().catch(() => {})
        }
      }
      isSending = false
    }
  })
