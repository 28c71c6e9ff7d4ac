import { statfs } from 'node:fs/promises'

/** The last megabytes of a disk are the database's: without room for its log it stops altogether (R15). */
const reserveBytes = 32 * 1024 * 1024
const lookMs = 1000

/** More than the reserve, so that a backup that takes all it may does not put off changes. */
export const leftByBackups = 2 * reserveBytes

/** How much may still be written where this folder is; a folder that is not there is no full one. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: Infinity, bsize: 1 }))
  return bavail * bsize
}

/** Watches the disks of these folders. */
export function watchDisks(folders: string[]) {
  let isFull = false
  const look = async () => {
    const free = await Promise.all(folders.map(freeBytes))
    isFull = Math.min(...free) < reserveBytes
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
