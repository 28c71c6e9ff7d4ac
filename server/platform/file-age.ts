import { randomUUID } from 'node:crypto'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unfinished } from './backup/archive.ts'

/**
 * The time of the file system of a folder, in milliseconds. It sets the modification times of files there. The clock of this
 * process may be wrong, or the folder on another machine (R20). A process that is killed here leaves a file in the folder.
 */
export async function fileSystemTime(folder: string): Promise<number> {
  // A backup leaves out a file with this ending.
  const probe = join(folder, `${randomUUID()}${unfinished}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await writeFile(probe, '', { flag: 'wx' })
    return (await stat(probe)).mtimeMs
  } finally {
    await rm(probe, { force: true })
  }
}

/** Whether a file was changed longer ago than this. False for a file that is gone. `now` is `fileSystemTime` of a folder on the same disk. */
export async function isOlder(path: string, ageMs: number, now: number): Promise<boolean> {
  try {
    return now - (await stat(path)).mtimeMs > ageMs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return false
  }
}
