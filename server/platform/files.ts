import { randomUUID } from 'node:crypto'
import { type FileHandle, lstat, mkdir, open, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatorError } from './operator-error.ts'

/** The end of the name of a file that is still being written. A backup leaves out such a file. */
export const unfinished = '.part'

/** Flushes a folder to disk, without which a rename may not survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

/** Whether there is a file, a folder or a link, also one that leads nowhere. */
export const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** For `catch`: the value that stands for a missing file or folder. Other errors stay errors. */
export const ifMissing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value
    throw error
  }

/** Opens a new file beside `file`, which only its owner may read. The caller gives it the name of `file` once it is whole. */
export async function openUnfinished(file: string): Promise<{ part: string; handle: FileHandle }> {
  const part = `${file}.${randomUUID()}${unfinished}`
  try {
    return { part, handle: await open(part, 'wx', 0o600) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const folder = dirname(file)
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new OperatorError(`There is no folder ${folder}: make it first.`)
    if (code === 'EACCES' || code === 'EROFS')
      throw new OperatorError(`This account may not write in ${folder}: name another folder.`)
    throw error
  }
}

/**
 * The time of the file system of a folder, in milliseconds. It sets the modification times of files there. The clock of this
 * process may be wrong, or the folder on another machine (R20). A process that is killed here leaves a file in the folder.
 */
export async function fileSystemTime(folder: string): Promise<number> {
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
  const found = await stat(path).catch(ifMissing(undefined))
  return found !== undefined && now - found.mtimeMs > ageMs
}
