import { type FileHandle, readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '../operator-error.ts'
import { makeDataFolder } from './data-folder.ts'
import { lockFile } from './file-lock.ts'

/** Thrown when another process uses the data folder. */
export class DataFolderInUse extends OperatorError {}

type Holder = 'server' | 'command'

/** The text of the locked file, for people and commands. Only the lock decides who owns the folder. */
interface Owner {
  holder: Holder
  pid: number
  host: string
  since: string
}

const lockPath = (dataDir: string) => join(dataDir, 'server.lock')

interface Options {
  /** 'command' for a command that needs the folder for itself alone. */
  holder?: Holder
  signal?: AbortSignal | undefined
  /** Called once when the caller begins to wait for a command. */
  onWait?: (text: string) => void
}

const commandPatienceMs = 10_000
/** How long to retry while the holder is no command, because a new holder may not have written its name yet. */
const nameWithinMs = 500

/** Locks the data folder for this process alone until `release` or its end (R23). Waits some seconds for a command. */
export async function ownDataFolder(dataDir: string, { holder = 'server', signal, onWait }: Options = {}) {
  await makeDataFolder(dataDir)
  const path = lockPath(dataDir)
  const from = Date.now()
  let hasSaid = false
  for (;;) {
    const file = await lockFile(path, 'exclusive')
    if (file) {
      await write(file, holder)
      return { release: () => leave(file) }
    }
    const owner = await readOwner(path)
    const isCommand = owner?.holder === 'command'
    if (Date.now() > from + (isCommand ? commandPatienceMs : nameWithinMs)) throw inUse(dataDir, owner)
    if (isCommand && !hasSaid) onWait?.(`Waiting for ${describe(owner)} to end its work in ${dataDir}`)
    hasSaid ||= isCommand
    await delay(100, undefined, { signal })
  }
}

interface SharedFolder {
  /** Releases the folder. Runs `closing` first when no other process uses it. */
  leave(closing: () => Promise<void>, mustClose: boolean): Promise<void>
}

const sharePatienceMs = 15_000

/** Takes the shared lock of a command, for which servers wait. Returns 'served' when a server has the folder. */
export async function shareDataFolder(
  dataDir: string,
  signal?: AbortSignal,
): Promise<SharedFolder | 'served'> {
  await makeDataFolder(dataDir)
  const path = lockPath(dataDir)
  const deadline = Date.now() + sharePatienceMs
  for (;;) {
    const file = await lockFile(path, 'shared')
    if (file) {
      // Write the name before anything else, because a killed server may have left its own.
      await write(file, 'command')
      return {
        leave: async (closing, mustClose) => {
          await file.close()
          const alone = await ownAfterOthers(path, mustClose, signal)
          if (alone) await closing().finally(() => leave(alone))
        },
      }
    }
    const owner = await readOwner(path)
    if (owner?.holder === 'server') return 'served'
    if (Date.now() > deadline) throw inUse(dataDir, owner)
    await delay(100, undefined, { signal })
  }
}

/** Whether a server has the data folder. This server may still be making the database. */
export async function hasServer(dataDir: string): Promise<boolean> {
  const path = lockPath(dataDir)
  if ((await readOwner(path))?.holder !== 'server') return false
  // A killed server has left its name, but no lock.
  const file = await lockFile(path, 'shared')
  await file?.close()
  return file === undefined
}

/**
 * Takes the exclusive lock when no other command is left. The command that started Postgres waits for the others,
 * because its container may end with it.
 */
async function ownAfterOthers(path: string, waits: boolean, signal: AbortSignal | undefined) {
  for (;;) {
    const file = await lockFile(path, 'exclusive')
    if (file || !waits || signal?.aborted) return file
    if ((await readOwner(path))?.holder === 'server') return undefined
    await delay(100)
  }
}

async function leave(file: FileHandle) {
  await file.truncate()
  await file.close()
}

const ownerBytes = 512

async function write(file: FileHandle, holder: Holder) {
  const owner: Owner = { holder, pid: process.pid, host: hostname(), since: new Date().toISOString() }
  // A fixed length: when two commands write at once, a reader gets one of the texts whole.
  await file.write(JSON.stringify(owner).padEnd(ownerBytes), 0)
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    const owner = JSON.parse(await readFile(path, 'utf8')) as Owner
    return Number.isInteger(owner.pid) ? owner : undefined
  } catch {
    return undefined
  }
}

function inUse(dataDir: string, owner: Owner | undefined) {
  return new DataFolderInUse(
    `The data folder ${dataDir} is in use by ${owner ? describe(owner) : 'another process'}: stop that one first, or set DATA_DIR to a folder of its own.`,
  )
}

function describe({ holder, pid, host, since }: Owner) {
  const name = holder === 'command' ? 'a command' : 'another server'
  return `${name} (process ${pid}${host ? ` on ${host} since ${since}` : ''})`
}
