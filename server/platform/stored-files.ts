import { mkdir, readdir, rename, rm, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { arrivingOf, type FileKind, uploadsOf } from './backup/backup.ts'
import type { Db } from './database/pool.ts'
import { fileSystemTime, ifMissing, isOlder, syncFolder } from './files.ts'
import { isId } from './http/answers/paging.ts'

/**
 * A file without a row is deleted after this time. The row of a younger file may not be committed yet. Or the row was just
 * deleted, and a running backup, which still sees the row, needs the file.
 */
const unusedMs = 60 * 60 * 1000

const idsAtOnce = 1000

/** The stored files of one kind: `uploads/<kind>/<id><extension>` in the data folder. A file is used while the table has a row with its id. */
export class StoredFiles {
  readonly #folder: string
  readonly #extension: string
  readonly #table: string
  readonly #arriving: string

  constructor(dataDir: string, { kind, extension, table }: FileKind) {
    this.#folder = join(uploadsOf(dataDir), kind)
    this.#extension = extension
    this.#table = table
    this.#arriving = arrivingOf(dataDir)
  }

  pathOf = (id: string): string => join(this.#folder, `${id}${this.#extension}`)

  /** The id in the name of a file; undefined when the name contains no id. */
  idOf(name: string): string | undefined {
    const id = name.slice(0, -this.#extension.length)
    return name.endsWith(this.#extension) && isId(id) ? id : undefined
  }

  /** Moves a file, which the caller has synced, into the folder and syncs the folders. After this a row may name it. */
  async keep(path: string, id: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await rename(path, this.pathOf(id))
    const uploads = dirname(this.#folder)
    for (const folder of [this.#folder, uploads, dirname(uploads)]) await syncFolder(folder)
  }

  /**
   * Keeps files for an hour after the deletion of their rows: gives them the time of new files, so that `removeUnused` leaves
   * them. Call this before the deletion is committed.
   */
  async delayRemoval(ids: string[]): Promise<void> {
    if (ids.length === 0) return
    const time = new Date(await fileSystemTime(this.#arriving))
    // A file may be missing in a data folder that was moved without its uploads.
    for (const id of ids) await utimes(this.pathOf(id), time, time).catch(ifMissing(undefined))
  }

  /**
   * Deletes at once a file that nobody may find any more. The deletion of its row is committed. A backup that runs now lists
   * the file as not found.
   */
  async remove(id: string): Promise<void> {
    await rm(this.pathOf(id), { force: true })
  }

  /** Deletes files without a row that are older than an hour. */
  async removeUnused(db: Db, signal: AbortSignal): Promise<void> {
    const names = await readdir(this.#folder).catch(ifMissing([]))
    // A network file system or a person may put other files here.
    const stored = names.flatMap((name) => this.idOf(name) ?? [])
    if (stored.length === 0) return
    const now = await fileSystemTime(this.#arriving)
    for (let start = 0; start < stored.length && !signal.aborted; start += idsAtOnce) {
      const ids = stored.slice(start, start + idsAtOnce)
      const { rows } = await db.execute<{ id: string }>(
        sql`select id from ${sql.identifier(this.#table)} where id = any(${sql.param(ids)}::uuid[])`,
      )
      const known = new Set(rows.map((row) => row.id))
      for (const id of ids) {
        const path = this.pathOf(id)
        if (!known.has(id) && (await isOlder(path, unusedMs, now))) await rm(path, { force: true })
      }
    }
  }
}
