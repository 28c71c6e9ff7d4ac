import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { login } from '#contract/account/endpoints.ts'
import { findPostmaster } from '#server/platform/database/cluster.ts'
import { placeOf } from '#server/platform/database/place.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import {
  administrator,
  makeDataFolder,
  removeDataFolder,
  type Settings,
  startCommand,
  startServer,
} from '../scripts/testing/running-server.ts'

/** The server runs on this core as in production, but without rate limits; the load runs on the other core. */
export const serverCore = '0'
export const loadCore = '1'

/** Runs the work with a fresh instance on the server's core, and removes the instance afterwards. */
export async function withInstance<T>(
  work: (instance: {
    url: string
    dataDir: string
    client: () => HttpClient
    admin: HttpClient
    /** The process of the server. */
    pid: number
    /** Resident memory of the server's process, in bytes. */
    memory: () => number
  }) => Promise<T>,
  settings: Settings = {},
): Promise<T> {
  const dataDir = await makeDataFolder()
  const server = await startServer({
    dataDir,
    settings: { NODE_ENV: 'production', ...settings },
    command: ['taskset', '-c', serverCore, ...startCommand],
  })
  try {
    const client = () => new HttpClient(() => server.url)
    const admin = client()
    await admin.does(login, { input: administrator })
    return await work({
      url: server.url,
      dataDir,
      client,
      admin,
      pid: server.process.pid!,
      memory: () => residentBytes(server.process.pid!),
    })
  } finally {
    await server.end('SIGTERM')
    await removeDataFolder(dataDir)
  }
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

export const inMegabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`

/** Moves this process to the core of the load. */
export function loadFromOtherCore(): void {
  execFileSync('taskset', ['-apc', loadCore, String(process.pid)])
}

/**
 * Runs wrk on the core of the load. Returns requests a second, the number of answers and the bytes of all of them, and the
 * share of the time in which that core was busy.
 */
export function runWrk(seconds: number, args: readonly string[]) {
  const said = execFileSync(
    'bash',
    [
      '-c',
      'TIMEFORMAT="cpu %U %S"; { time taskset -c "$0" wrk "$@"; } 2>&1',
      loadCore,
      `-d${seconds}s`,
      ...args,
    ],
    { encoding: 'utf8' },
  )
  if (said.includes('Non-2xx')) throw new Error(said)
  const [, rate] = /Requests\/sec:\s+([\d.]+)/.exec(said) ?? []
  const [, answers, amount, unit] = /(\d+) requests in [\d.]+\w+, ([\d.]+)([KMG]?)B read/.exec(said) ?? []
  const [, user, system] = /cpu ([\d.]+) ([\d.]+)/.exec(said) ?? []
  return {
    rate: Number(rate),
    answers: Number(answers),
    bytes: Number(amount) * 1024 ** ['', 'K', 'M', 'G'].indexOf(unit!),
    busy: (Number(user) + Number(system)) / seconds,
  }
}

/** The connection to the database of a running instance. */
export async function connectionOf(dataDir: string) {
  const answer = await findPostmaster(await placeOf(dataDir))
  if (typeof answer !== 'object') throw new Error('No Postgres answers there.')
  return answer.connection
}
