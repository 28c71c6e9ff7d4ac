import type { FastifyBaseLogger } from 'fastify'
import { Client, type ClientConfig } from 'pg'
import { connectionTo, pinNewerSettings } from '../database/connection.ts'
import { type Bus, createBusOn } from './bus.ts'

const channel = 'zimmer_live'
const connectAgainMs = 1000
/** Texts that wait for the connection; more are dropped, as all are while there is none. */
const waitingMax = 1000

interface NotifyPlace {
  connection: ClientConfig
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
}

/** Words by `NOTIFY`, over a connection of its own that comes back by itself. */
export const createNotifyBus = ({ connection, log }: NotifyPlace): Bus =>
  createBusOn((receive) => {
    let client: Client | undefined
    let waiting: string[] = []
    let isSending = false
    let isClosed = false
    let isUnavailable = false
    let again: NodeJS.Timeout | undefined
    void connect()

    return {
      send: (text) => {
        if (client === undefined || waiting.length >= waitingMax) return
        waiting.push(text)
        if (!isSending) void sendWaiting(client)
      },
      close: async () => {
        isClosed = true
        clearTimeout(again)
        await client?.end().catch(() => {})
      },
    }

    async function connect() {
      const next = new Client({
        application_name: 'zimmer live',
        keepAlive: true,
        keepAliveInitialDelayMillis: 10_000,
        connectionTimeoutMillis: 2000,
        query_timeout: 5000,
        ...connectionTo(connection),
      })
      next.on('notification', ({ payload }) => receive(payload ?? ''))
      next.on('error', () => {})
      next.on('end', () => lose(next))
      try {
        await next.connect()
        await pinNewerSettings(next)
        await next.query(`listen ${channel}`)
      } catch (error) {
        if (!isUnavailable) log.warn({ err: error }, 'live words of other processes do not arrive')
        isUnavailable = true
        void next.end().catch(() => {})
        connectLater()
        return
      }
      if (isClosed) return void (await next.end())
      if (isUnavailable) log.info('live words of other processes arrive again')
      isUnavailable = false
      client = next
    }

    function lose(lost: Client) {
      if (lost !== client) return
      client = undefined
      waiting = []
      connectLater()
    }

    function connectLater() {
      if (!isClosed) again = setTimeout(() => void connect(), connectAgainMs).unref()
    }

    /** What has gathered while one statement ran goes with the next one. */
    async function sendWaiting(by: Client) {
      isSending = true
      while (waiting.length > 0 && by === client) {
        const texts = waiting
        waiting = []
        try {
          await by.query('select pg_notify($1, text) from unnest($2::text[]) text', [channel, texts])
        } catch {
          // A connection that fails once is not to be trusted: its end brings a new one.
          await by.end().catch(() => {})
        }
      }
      isSending = false
    }
  })
