import { statfs } from 'node:fs/promises'

const reserveBytes = 32 * 1024 * 1024
const lookMs = 1000

/**
 * Watches the disk of the data folder. The last megabytes are the database's: without room for its log it stops
 * altogether, and nothing can be read any more (R15).
 */
export function watchDisk(folder: string) {
  let isFull = false
  const look = async () => {
    // A folder that is not there is no full one.
    const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: Infinity, bsize: 1 }))
    isFull = bavail * bsize < reserveBytes
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
