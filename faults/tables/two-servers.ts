import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { connectClient } from '#server/platform/database/connection.ts'
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { makeDataFolder, removeDataFolder, startServer } from '../../scripts/testing/running-server.ts'
import { openProxy } from '../../scripts/testing/tcp-proxy.ts'

/** When a process of the server ran, in milliseconds of the clock. */
export interface Run {
  spawnedAt: number
  readyAt: number
  endedAt: number
}

export interface Times {
  runs: Run[]
  /** When a process was stopped, and continued. */
  stops: { from: number; to: number }[]
}

export interface DisturbedServer {
  origin: () => string
  /** Kills the process and starts another. */
  kill: () => Promise<void>
  /** Stops the process between any two of its instructions, and continues it. */
  pause: (ms: number) => Promise<void>
  /** Cuts the connections of its clients. */
  cut: () => void
}

export interface TwoServers {
  servers: DisturbedServer[]
  db: Client
  times: Times
  stop: () => Promise<void>
}

/** Two processes of the server on one Postgres. A proxy stands before each process. */
export async function startTwoServers(): Promise<TwoServers> {
  const stops: (() => unknown)[] = []
  const stop = async () => {
    for (const each of stops.toReversed()) await each()
  }
  try {
    const folder = await makeDataFolder()
    stops.push(() => removeDataFolder(folder))
    const { connection, stop: stopPostgres } = await startEmbeddedPostgres({
      dataDir: folder,
      isThrowaway: true,
    })
    stops.push(stopPostgres)
    const { host, port, user, password, database } = connection
    const url = `postgres://${user}:${password as string}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
    const times: Times = { runs: [], stops: [] }
    const start = () => startDisturbedServer(url, times, stops)
    const servers = await Promise.all([start(), start()])
    const db = await connectClient({ connectionString: url }, 'faults')
    stops.push(() => db.end())
    return { servers, db, times, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startDisturbedServer(
  url: string,
  times: Times,
  stops: (() => unknown)[],
): Promise<DisturbedServer> {
  const dataDir = await makeDataFolder()
  stops.push(() => removeDataFolder(dataDir))
  const start = async () => {
    const spawnedAt = Date.now()
    const server = await startServer({ dataDir, settings: { DATABASE_URL: url } })
    const run: Run = { spawnedAt, readyAt: Date.now(), endedAt: Infinity }
    times.runs.push(run)
    return { server, run }
  }
  let { server, run } = await start()
  stops.push(() => server.end('SIGKILL'))
  const proxy = await openProxy(() => ({ host: '127.0.0.1', port: Number(new URL(server.url).port) }))
  stops.push(proxy.close)
  return {
    origin: () => `http://127.0.0.1:${proxy.port}`,
    kill: async () => {
      await server.end('SIGKILL')
      run.endedAt = Date.now()
      ;({ server, run } = await start())
    },
    pause: async (ms) => {
      const from = Date.now()
      server.process.kill('SIGSTOP')
      await delay(ms)
      server.process.kill('SIGCONT')
      times.stops.push({ from, to: Date.now() })
    },
    cut: proxy.cut,
  }
}
