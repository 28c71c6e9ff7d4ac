import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { uploadsOf } from './backup/backup.ts'
import { isId } from './http/paging.ts'

/**
 * A file without a row is deleted after this time. Until then it may be new, with a row that is not committed yet, or a
 * running backup may need it, because its snapshot still has the row.
 */
const unusedMs = 60 * 60 * 1000

const idsAtOnce = 1000

/** The stored files of one kind: `uploads/<kind>/<id><extension>` in the data folder. Each file has a row with its id. */
export class StoredFiles {
  readonly #folder: string
  readonly #extension: string

  constructor(dataDir: string, { kind, extension }: { kind: string; extension: string }) {
    this.#folder = join(uploadsOf(dataDir), kind)
    this.#extension = extension
  }

  pathOf = (id: string): string => join(this.#folder, `${id}${this.#extension}`)

  /** The id in the name of a file; undefined when the name contains no id. */
  idOf(name: string): string | undefined {
    const id = name.slice(0, -this.#extension.length)
    return name.endsWith(this.#extension) && isId(id) ? id : undefined
  }

  /** Moves a file that is synced to its place, and syncs the folders. Then a row may name it. */
  async keep(path: string, id: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await rename(path, this.pathOf(id))
    const uploads = dirname(this.#folder)
    for (const folder of [this.#folder, uploads, dirname(uploads)]) await syncFolder(folder)
  }

  /** Sets the modification time of these files to now. `removeUnused` deletes them an hour later. */
  async retire(ids: string[]): Promise<void> {
    const now = new Date()
    for (const id of ids) await utimes(this.pathOf(id), now, now).catch(ignoreMissing)
  }

  /** Deletes old files without a row. `listKnown` returns those of some ids that have a row. */
  async removeUnused(listKnown: (ids: string[]) => Promise<string[]>, signal: AbortSignal): Promise<void> {
    const names = await readdir(this.#folder).catch(noneIfMissing)
    // A network file system or a person may put other files here.
    const stored = names.flatMap((name) => this.idOf(name) ?? [])
    for (let start = 0; start < stored.length && !signal.aborted; start += idsAtOnce) {
      const ids = stored.slice(start, start + idsAtOnce)
      const known = new Set(await listKnown(ids))
      for (const id of ids) if (!known.has(id)) await this.#removeIfOld(id)
    }
  }

  async #removeIfOld(id: string) {
    const found = await stat(this.pathOf(id)).catch(ignoreMissing)
    if (found && Date.now() - found.mtimeMs > unusedMs) await rm(this.pathOf(id), { force: true })
  }
}

async function syncFolder(path: string) {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

const ignoreMissing = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error
}

const noneIfMissing = (error: NodeJS.ErrnoException): string[] => {
  if (error.code === 'ENOENT') return []
  throw error
}
