import { setTimeout as delay } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { launchRedis } from '#server/testing/redis.ts'
import { startNginxExample } from './nginx.ts'
import { freePort } from './ports.ts'
import { makeDataFolder, removeDataFolder, startServer } from './running-server.ts'
import type { Settings } from './running-server.ts'
import { copyUsedFolder } from './used-folder.ts'

/** Whether the journeys run over two server processes (`npm run test:two-processes`). */
export const overTwoProcesses = process.env.E2E_PROCESSES === '2'

/** An installation of one or two server processes in which nobody has written, and which a test can restart at the same address. */
export interface Servers {
  url: string
  output(): string
  /** Ends all processes with the signal and starts them again, with further settings. */
  restart(signal: NodeJS.Signals, more?: Settings): Promise<void>
  stop(): Promise<void>
}

export const startServers = (settings: Settings, processes: 1 | 2): Promise<Servers> =>
  processes === 1 ? startOne(settings) : startTwo(settings)

/** A server that makes no admin begins in an empty folder. */
const makeFolder = ({ ADMIN_EMAIL }: Settings) => (ADMIN_EMAIL === '' ? makeDataFolder() : copyUsedFolder())

async function startOne(settings: Settings): Promise<Servers> {
  const dataDir = await makeFolder(settings)
  let server = await startServer({ dataDir, settings })
  const { url } = server
  const PORT = new URL(url).port
  return {
    url,
    output: () => server.output(),
    restart: async (signal, more) => {
      await server.end(signal)
      server = await startServer({ dataDir, settings: { ...settings, PORT, ...more } })
    },
    stop: async () => {
      await server.end('SIGTERM')
      await removeDataFolder(dataDir)
    },
  }
}

/**
 * Two processes with one Postgres, one Redis and one data folder behind the example of nginx. Requests go to the one and the
 * other in turn, so that a person never stays with one process.
 */
async function startTwo(settings: Settings): Promise<Servers> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const each of stops.toReversed()) await each()
  }
  try {
    const ports = [await freePort(), await freePort()]
    const services = await startServices(settings, stops)
    const dataDir = await makeDataFolder()
    stops.push(() => removeDataFolder(dataDir))
    const nginx = await startNginxExample(ports, { takesTurns: true })
    stops.push(nginx.stop)
    trust(nginx.certificate)
    const shared = { ...services, TRUST_PROXY: '127.0.0.1', PUBLIC_ORIGIN: nginx.url, ...settings }
    const start = (more?: Settings) =>
      Promise.all(
        ports.map((port) => startServer({ dataDir, settings: { ...shared, PORT: String(port), ...more } })),
      )
    let servers = await start()
    const end = (signal: NodeJS.Signals) => Promise.all(servers.map((each) => each.end(signal)))
    stops.push(() => end('SIGTERM'))
    return {
      url: nginx.url,
      output: () => servers.map((each) => each.output()).join('\n'),
      restart: async (signal, more) => {
        await end(signal)
        servers = await start(more)
        // For 2 s nginx takes no server that did not answer.
        const deadline = Date.now() + 60_000
        while ((await fetch(`${nginx.url}/health/ready`)).status === 502) {
          if (Date.now() > deadline) throw new Error('nginx found no server within 60 s of the restart.')
          await delay(50)
        }
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startServices(settings: Settings, stops: (() => Promise<unknown>)[]): Promise<Settings> {
  const folder = await makeFolder(settings)
  stops.push(() => removeDataFolder(folder))
  const { connection, stop } = await startEmbeddedPostgres({ dataDir: folder, isThrowaway: true })
  stops.push(stop)
  const redis = await launchRedis()
  stops.push(() => redis.stop())
  const { host, port, user, password, database } = connection
  return {
    DATABASE_URL: `postgres://${user}:${password as string}@/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    REDIS_URL: redis.url,
  }
}

/** Lets `fetch` of this process trust the certificate of the test. The browsers do not check it. */
function trust(certificate: string) {
  setDefaultCACertificates([...getCACertificates(), certificate])
}
