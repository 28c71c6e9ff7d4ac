import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive, startOf } from './processes.ts'

/** Another process serves from this data folder. */
export class DataFolderInUse extends Error {
  override name = 'DataFolderInUse'
}

interface Owner {
  pid: number
  start?: string
}

const lockFile = 'server.lock'

/**
 * Takes the data folder for this process until `release`. The lock of a process that is gone is taken over;
 * that of a living one is refused, and so it is told by its start, not by its number alone.
 */
export async function ownDataFolder(dataDir: string): Promise<{ release(): Promise<void> }> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, lockFile)
  const mine = await writeOwner(dataDir)
  try {
    while (!(await placeLock(mine.file, path))) {
      const owner = await readOwner(path)
      if (owner && isStillThere(owner)) {
        throw new DataFolderInUse(
          `The data folder ${dataDir} is in use by another server (process ${owner.pid}): stop that one first, or set DATA_DIR to a folder of its own.`,
        )
      }
      await moveAside(path, owner)
    }
  } finally {
    await rm(mine.file, { force: true })
  }
  return {
    release: async () => {
      const owner = await readOwner(path)
      if (owner && isSame(owner, mine.owner)) await rm(path, { force: true })
    },
  }
}

/** True while a running server owns the folder. */
export async function isDataFolderOwned(dataDir: string): Promise<boolean> {
  const owner = await readOwner(join(dataDir, lockFile))
  return owner !== undefined && isStillThere(owner)
}

async function writeOwner(dataDir: string) {
  const start = startOf(process.pid)
  const owner: Owner = { pid: process.pid, ...(start === undefined ? {} : { start }) }
  const file = join(dataDir, `${lockFile}.${randomUUID()}`)
  await writeFile(file, JSON.stringify(owner))
  return { owner, file }
}

/** A link is made whole or not at all, so nobody ever reads half a lock. */
async function placeLock(file: string, path: string) {
  try {
    await link(file, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Renames the dead owner's lock away; when somebody else was faster, theirs is put back. */
async function moveAside(path: string, dead: Owner | undefined) {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const moved = await readOwner(aside)
  if (moved && !(dead && isSame(moved, dead))) await placeLock(aside, path)
  await rm(aside, { force: true })
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    const owner = JSON.parse(await readFile(path, 'utf8')) as Owner
    return Number.isInteger(owner.pid) ? owner : undefined
  } catch {
    return undefined
  }
}

function isStillThere(owner: Owner) {
  if (!isAlive(owner.pid)) return false
  // Our own number from an earlier life of a container, where every process gets the same one again.
  return owner.start === undefined ? owner.pid !== process.pid : owner.start === startOf(owner.pid)
}

function isSame(one: Owner, other: Owner) {
  return one.pid === other.pid && one.start === other.start
}
