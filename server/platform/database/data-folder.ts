import { constants } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OperatorError } from '../operator-error.ts'

/** Thrown when the data folder can neither be used nor made. The message names the setting. */
export class DataFolderUnusable extends OperatorError {}

/** Makes the data folder, and refuses one that this account cannot use, before anything is started in it. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  const isFile = await stat(dataDir).then(
    (found) => !found.isDirectory(),
    () => false,
  )
  if (isFile) throw unusable(`${dataDir} is a file, not a folder`)
  try {
    await makeFolder(dataDir)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unusable(reasonOf(dataDir, (error as NodeJS.ErrnoException).code), error)
  }
}

/**
 * Makes a folder and its parents. The option `recursive` of `mkdir` never ends where the system says that a parent is missing
 * which is there, as in `/proc`.
 */
async function makeFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder).catch(ignoreExisting)
  const parent = dirname(folder)
  try {
    await make()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error
    await makeFolder(parent)
    await make()
  }
}

function ignoreExisting(error: unknown) {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
}

const unusable = (reason: string, cause?: unknown) =>
  new DataFolderUnusable(`The setting DATA_DIR is not usable: ${reason}.`, { cause })

function reasonOf(dataDir: string, code: string | undefined): string {
  if (code === 'EACCES' || code === 'EPERM') return `this account may not read and write in ${dataDir}`
  if (code === 'EROFS') return `the disk of ${dataDir} can only be read`
  if (code === 'ENOTDIR') return `a part of ${dataDir} is a file, not a folder`
  return `the folder ${dataDir} cannot be made (${code})`
}
