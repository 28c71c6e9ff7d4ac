import { sql } from 'drizzle-orm'
import type { FileKind } from './backup/backup.ts'
import type { Db } from './database/pool.ts'
import { isId } from './http/answers/paging.ts'
import { refuseForeignUploads } from './uploads/owner.ts'
import type { UploadStore } from './uploads/upload-store.ts'

/** The stored files of one kind: `<kind>/<id><extension>` among the uploads. A file is used while the table has a row with its id. */
export class StoredFiles {
  readonly #uploads: UploadStore
  readonly #kind: string
  readonly #extension: string
  readonly #table: string

  constructor(uploads: UploadStore, { kind, extension, table }: FileKind) {
    this.#uploads = uploads
    this.#kind = kind
    this.#extension = extension
    this.#table = table
  }

  nameOf = (id: string): string => `${this.#kind}/${id}${this.#extension}`

  /** The id in the name of a file, in its folder; undefined when the name contains no id. */
  idOf(name: string): string | undefined {
    const id = name.slice(0, -this.#extension.length)
    return name.endsWith(this.#extension) && isId(id) ? id : undefined
  }

  /** Stores a file, which the caller has synced. After this a row may name it. */
  keep(path: string, id: string): Promise<void> {
    return this.#uploads.keep(path, this.nameOf(id))
  }

  /**
   * Keeps files for an hour after the deletion of their rows, so that `removeUnused` leaves them. Call this before the deletion
   * is committed.
   */
  delayRemoval(ids: string[]): Promise<void> {
    return this.#uploads.delayRemoval(ids.map(this.nameOf))
  }

  /**
   * Deletes at once a file that nobody may find any more. The deletion of its row is committed. A backup that runs now lists
   * the file as not found.
   */
  remove(id: string): Promise<void> {
    return this.#uploads.remove(this.nameOf(id))
  }

  /** Deletes files without a row that are older than an hour. */
  async removeUnused(db: Db, signal: AbortSignal): Promise<void> {
    await refuseForeignUploads(db, this.#uploads)
    const unusedOf = async (names: string[]) => {
      // A network file system or a person may put other files here.
      const ids = names.flatMap((name) => this.idOf(name.slice(this.#kind.length + 1)) ?? [])
      if (ids.length === 0) return []
      const { rows } = await db.execute<{ id: string }>(
        sql`select id from ${sql.identifier(this.#table)} where id = any(${sql.param(ids)}::uuid[])`,
      )
      const known = new Set(rows.map((row) => row.id))
      return ids.filter((id) => !known.has(id)).map(this.nameOf)
    }
    return this.#uploads.removeUnused(this.#kind, unusedOf, signal)
  }
}
