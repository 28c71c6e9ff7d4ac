import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { stopEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { isAlive, startOf } from '#server/platform/database/processes.ts'

const root = join(import.meta.dirname, '../..')

export const administrator = { email: 'admin@zimmer.example', password: 'a long admin passcode' }

/** The time zone of the tests, for server and browser. */
export const timeZone = 'Europe/Berlin'

/**
 * As `npm start` starts the server. With semi-spaces of at most 4 MB it takes about 100 MB less memory under load. Its heap may
 * double between two collections: V8 would let it grow by a tenth, and collect about three times as often (`bench/RESULTS.md`).
 */
export const startCommand: [string, ...string[]] = [
  'node',
  '--max-semi-space-size=4',
  '--heap-growing-percent=100',
  '--import',
  './server/quick-imports.js',
  'server/main.ts',
]

export type Settings = Record<string, string>

interface Options {
  dataDir: string
  settings?: Settings
  /** By default as `npm start` does. */
  command?: [string, ...string[]]
}

export interface RunningServer {
  url: string
  process: ChildProcess
  readyMs: number
  /** All output so far. */
  output(): string
  /** Sends the signal to the process, or to its process group as Ctrl-C does, and waits for its end. */
  end(signal: NodeJS.Signals, to?: 'process' | 'terminal'): Promise<Ending>
}

export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
  tookMs: number
}

/** Starts the server on a free port and waits for its line `ready http://…`. */
export async function startServer({ dataDir, settings, command }: Options): Promise<RunningServer> {
  const [program, ...args] = command ?? startCommand
  const start = performance.now()
  const child = spawn(program, args, {
    cwd: root,
    env: environment(dataDir, settings),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, as under a terminal.
    detached: true,
  })
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said += chunk.toString()
      const [, address] = /^ready (http:\S+)$/m.exec(said) ?? []
      if (address !== undefined) resolve(address)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('error', reject)
    child.once('close', () => reject(new ServerDidNotStart(said)))
  })
  const end = async (signal: NodeJS.Signals, to: 'process' | 'terminal' = 'process') => {
    const from = performance.now()
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(to === 'terminal' ? -child.pid : child.pid, signal)
    const [code, endedBy] = await ended
    return { code, signal: endedBy, tookMs: performance.now() - from }
  }
  return { url, process: child, readyMs: performance.now() - start, output: () => said, end }
}

export class ServerDidNotStart extends Error {
  override name = 'ServerDidNotStart'
}

export function environment(dataDir: string, settings: Settings = {}): Settings {
  const { PATH = '', HOME = tmpdir() } = process.env
  return {
    PATH: `${join(root, 'node_modules/.bin')}${delimiter}${PATH}`,
    HOME,
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: dataDir,
    APP_TIME_ZONE: timeZone,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
    ...settings,
  }
}

const folderName = 'zimmer-run-'

/** Makes an empty data folder. First it removes the folders, with their processes, of test runs that were killed. */
export async function makeDataFolder(): Promise<string> {
  await removeLeftovers()
  return mkdtemp(join(tmpdir(), `${folderName}${process.pid}-`))
}

export async function removeDataFolder(dataDir: string): Promise<void> {
  await stopEmbeddedPostgres(dataDir)
  // The processes of a killed container may still write a file while they end.
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
}

async function removeLeftovers() {
  for (const name of await readdir(tmpdir())) {
    const maker = new RegExp(`^${folderName}(\\d+)-`).exec(name)?.[1]
    if (maker === undefined || isAlive(Number(maker))) continue
    const dataDir = join(tmpdir(), name)
    await killOwner(dataDir)
    await removeDataFolder(dataDir).catch(ignoreMissing)
  }
}

/** Another test run may remove the same folder at the same time. */
function ignoreMissing(error: unknown) {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}

/** Ends the server of the folder. The start time is compared, because another process may have its process id now. */
async function killOwner(dataDir: string) {
  const lock = await readFile(join(dataDir, 'server.lock'), 'utf8').catch(() => '{}')
  // The file is empty after an orderly end.
  const { pid, start } = JSON.parse(lock || '{}') as { pid?: number; start?: string }
  if (pid !== undefined && start !== undefined && startOf(pid) === start) process.kill(pid, 'SIGKILL')
}
