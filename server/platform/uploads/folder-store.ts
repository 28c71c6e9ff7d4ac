import { existsSync } from 'node:fs'
import {
  access,
  constants,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  utimes,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { guardBackupDisk, type Member } from '../backup/archive.ts'
import {
  arrivingName,
  nameFaultOf,
  notUploads,
  restoringName,
  uploadsFolder,
} from '../backup/upload-names.ts'
import { fileSystemTime, ifMissing, isOlder, syncFolder, unfinished } from '../files.ts'
import {
  type OpenFile,
  partOf,
  type Range,
  type UnusedOf,
  unusedMs,
  type UploadStore,
} from './upload-store.ts'

const namesAtOnce = 1000

/** The folder `uploads` of the data folder. Where servers run on several machines, all of them use one folder. */
export class FolderStore implements UploadStore {
  readonly place: string
  readonly restoringPlace: string
  readonly #uploads: string
  readonly #restoring: string

  constructor(uploads: string) {
    this.place = `folder ${uploads}`
    this.#uploads = uploads
    this.#restoring = join(uploads, restoringName)
    this.restoringPlace = `the folder ${this.#restoring}`
  }

  pathOf = (name: string): string => join(this.#uploads, name)

  /** The folder is in the data folder, which has one owner. */
  belongsTo = (): Promise<boolean> => Promise.resolve(true)

  /** Moves the file into its folder and syncs the folders. */
  async keep(path: string, name: string): Promise<void> {
    const folder = dirname(this.pathOf(name))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await rename(path, this.pathOf(name))
    for (const each of [folder, this.#uploads, dirname(this.#uploads)]) await syncFolder(each)
  }

  async read(name: string, wanted?: Range): Promise<OpenFile | undefined> {
    const opened = await this.#open(name)
    if (opened === undefined) return undefined
    const { file, size } = opened
    const range = partOf(size, wanted)
    return { size, range, content: file.createReadStream(range) }
  }

  async sizeOf(name: string): Promise<number | undefined> {
    const opened = await this.#open(name)
    await opened?.file.close()
    return opened?.size
  }

  async #open(name: string) {
    // To open a named pipe would otherwise wait for somebody who writes into it.
    const file = await open(this.pathOf(name), constants.O_RDONLY | constants.O_NONBLOCK).catch(
      (error: NodeJS.ErrnoException) => {
        if (!isMissing(error)) throw error
      },
    )
    if (file === undefined) return undefined
    try {
      const found = await file.stat()
      if (found.isFile() && found.size > 0) return { file, size: found.size }
    } catch (error) {
      await file.close()
      throw error
    }
    await file.close()
    return undefined
  }

  async remove(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true })
  }

  /** Gives the files the time of new files, so that `removeUnused` leaves them. */
  async delayRemoval(names: string[]): Promise<void> {
    if (names.length === 0) return
    const time = new Date(await this.#now())
    // A file may be missing in a data folder that was moved without its uploads.
    for (const name of names) await utimes(this.pathOf(name), time, time).catch(ifMissing(undefined))
  }

  async removeUnused(folder: string, unusedOf: UnusedOf, signal: AbortSignal): Promise<void> {
    const names = await readdir(this.pathOf(folder)).catch(ifMissing([]))
    if (names.length === 0) return
    const now = await this.#now()
    for (let start = 0; start < names.length && !signal.aborted; start += namesAtOnce) {
      const some = names.slice(start, start + namesAtOnce).map((name) => `${folder}/${name}`)
      for (const name of await unusedOf(some))
        if (await isOlder(this.pathOf(name), unusedMs, now)) await this.remove(name)
    }
  }

  #now = () => fileSystemTime(this.pathOf(arrivingName))

  async missingOf(names: readonly string[]): Promise<string[]> {
    const missing: string[] = []
    for (const name of names) if ((await this.sizeOf(name)) === undefined) missing.push(name)
    return missing
  }

  async *members(excluded: Map<string, string>): AsyncGenerator<Member> {
    const folders = ['']
    for (const folder of folders) {
      // Without the folder itself there is no upload. When it cannot be read, the backup fails.
      const listing = readdir(this.pathOf(folder), { withFileTypes: true })
      const entries = await listing.catch(folder === '' ? ifMissing([]) : exclude(folder))
      for (const entry of entries ?? []) {
        const path = `${folder}${entry.name}`
        const isArriving = folder === `${arrivingName}/` && path.endsWith(unfinished)
        if (isArriving) continue
        const fault = nameFaultOf(`${uploadsFolder}/${path}`)
        if (fault !== undefined) excluded.set(path, fault)
        else if (entry.isDirectory()) folders.push(`${path}/`)
        else if (!entry.isFile()) excluded.set(path, 'neither a file nor a folder')
        else {
          const content = await readFile(this.pathOf(path)).catch(exclude(path))
          if (content !== undefined) yield { name: `${uploadsFolder}/${path}`, content }
        }
      }
    }

    function exclude(path: string) {
      return (error: NodeJS.ErrnoException): undefined => {
        if (error.code === undefined) throw error
        if (error.code !== 'ENOENT') excluded.set(path, error.code)
        // `readdir` writes U+FFFD for bytes that are not UTF-8, and such a name does not lead to its file.
        else if (path.includes('\ufffd')) excluded.set(path, 'odd name')
      }
    }
  }

  async findFault(): Promise<string | undefined> {
    if (!existsSync(this.#uploads)) return undefined
    const isUsable = await access(this.#uploads, constants.R_OK | constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    )
    return isUsable
      ? undefined
      : `This account may not read and write in ${this.#uploads}. Give the folder to it.`
  }

  async holdsFiles(): Promise<boolean> {
    const names = await readdir(this.#uploads).catch(() => [])
    return names.some((name) => !notUploads.includes(name))
  }

  /** Until the end of the restore its files are in a folder within the uploads, which may be a disk of its own. */
  async beginRestore(): Promise<void> {
    await this.undoRestore()
    await mkdir(this.#restoring, { recursive: true, mode: 0o700 })
  }

  async putRestored(name: string, content: AsyncIterable<Buffer>): Promise<void> {
    const path = join(this.#restoring, name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(path, 'wx', 0o600)
    await pipeline(content, guardBackupDisk(dirname(path)), file.createWriteStream({ flush: true }))
  }

  async undoRestore(): Promise<void> {
    await rm(this.#restoring, { recursive: true, force: true })
  }

  async hasUnfinishedRestore(): Promise<boolean> {
    return existsSync(this.#restoring)
  }

  async finishRestore(): Promise<void> {
    for (const name of await readdir(this.#restoring))
      await rename(join(this.#restoring, name), this.pathOf(name))
    await syncFolder(this.#uploads)
    await rmdir(this.#restoring)
  }
}

/** Nothing, or something that is no file: a socket, or links that lead to themselves. */
const isMissing = ({ code }: NodeJS.ErrnoException) =>
  code === 'ENOENT' || code === 'ENXIO' || code === 'ELOOP'
