import { statfs } from 'node:fs/promises'
import { Transform } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'

/** The last megabytes of a disk are kept for the database, which stops when it cannot write its log (R15). */
const reserveBytes = 32 * 1024 * 1024
const lookMs = 1000

/** More than the reserve, so that no backup and no uploaded file makes the server refuse changes. */
export const keptFreeBytes = 2 * reserveBytes

/** The free bytes on the disk of a folder; Infinity for a folder that does not exist. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: Infinity, bsize: 1 }))
  return bavail * bsize
}

const checkEveryBytes = 1024 * 1024

/** Passes a file through, and ends it with this error before it takes the disk space that the database needs (R15). */
export function guardDiskSpace(folder: string, diskIsFull: () => Error): Transform {
  let unchecked = checkEveryBytes
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unchecked += chunk.length
      if (unchecked < checkEveryBytes) return done(null, chunk)
      unchecked = 0
      freeBytes(folder).then((free) => (free > keptFreeBytes ? done(null, chunk) : done(diskIsFull())), done)
    },
  })
}

/** Looks each second whether a disk is full, and logs when that changes: a refused change says nothing of the cause. */
export function watchDisks(folders: string[], log: Pick<FastifyBaseLogger, 'error' | 'info'>) {
  let isFull = false
  const look = async () => {
    const free = await Promise.all(folders.map(freeBytes))
    const folder = folders.find((_folder, i) => free[i]! < reserveBytes)
    if (isFull === (folder !== undefined)) return
    isFull = folder !== undefined
    if (isFull) log.error({ folder }, 'The disk is full: all changes are refused. Free some space.')
    else log.info('The disk has space again: changes are accepted.')
  }
  void look()
  const timer = setInterval(() => void look(), lookMs).unref()
  return {
    get isFull() {
      return isFull
    },
    stop: () => clearInterval(timer),
  }
}
