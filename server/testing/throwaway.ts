import { constants } from 'node:fs'
import { access, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '#server/platform/database/processes.ts'

const memory = '/dev/shm'
const roomForAll = 2 * 1024 ** 3

/**
 * A folder for a temporary database: in memory, where each test makes one of 300 files in a tenth of the time,
 * unless a container has too little of it. What killed runs have left by this name goes first, its server by `end`.
 */
export async function makeThrowawayFolder(name: string, end: (folder: string) => Promise<void>) {
  for (const parent of [memory, tmpdir()]) await removeLeftovers(parent, name, end)
  return mkdtemp(join((await hasRoom()) ? memory : tmpdir(), `${name}${process.pid}-`))
}

async function removeLeftovers(parent: string, name: string, end: (folder: string) => Promise<void>) {
  const me = process.getuid?.()
  for (const entry of await readdir(parent).catch(() => [])) {
    const maker = new RegExp(`^${name}(\\d+)-`).exec(entry)?.[1]
    if (maker === undefined || isAlive(Number(maker))) continue
    const folder = join(parent, entry)
    if (me !== 0 && (await stat(folder)).uid !== me) continue
    await end(folder)
    await rm(folder, { recursive: true, force: true })
  }
}

async function hasRoom(): Promise<boolean> {
  try {
    await access(memory, constants.W_OK)
    const { bavail, bsize } = await statfs(memory)
    return Math.min(bavail * bsize, process.availableMemory()) > roomForAll
  } catch {
    return false
  }
}
