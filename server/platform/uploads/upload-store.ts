import type { Readable } from 'node:stream'
import type { Member } from '../backup/archive.ts'

/** The first and the last byte of a part. */
export interface Range {
  start: number
  /** May be greater than the file is long. */
  end: number
}

/** A file that is being read. The caller reads the content to its end or destroys it. */
export interface OpenFile {
  /** Of the whole file. */
  size: number
  /** The part that the content is; undefined for the whole file. */
  range: Range | undefined
  content: Readable
}

/**
 * Where the uploaded files of an installation are: in a folder, or in an S3 service. Names begin after `uploads/`, such as
 * `magazine/<id>.pdf`. No upload is empty, so an empty file is a damaged one: it counts as missing for readers.
 */
export interface UploadStore {
  /** For sentences to the operator, such as `folder /var/lib/zimmer/uploads`. */
  readonly place: string
  /** What the operator deletes to give up a restore that did not end, such as `the folder …`. */
  readonly restoringPlace: string
  /** Whether this place belongs to the installation. A place that belongs to none is assigned to it. */
  belongsTo(installation: string): Promise<boolean>
  /** Stores a file of this machine, which the caller has synced. After this a row may name it. The file may be moved away. */
  keep(path: string, name: string): Promise<void>
  /**
   * Opens a file, or a part of it. If the file does not have the part, the whole file is opened. Undefined when there is no
   * file.
   */
  read(name: string, range?: Range, signal?: AbortSignal): Promise<OpenFile | undefined>
  /** The size of a file; undefined when there is none. */
  sizeOf(name: string, signal?: AbortSignal): Promise<number | undefined>
  /** Deletes a file at once, if there is one. */
  remove(name: string): Promise<void>
  /** Keeps files for an hour after the deletion of their rows. Call this before the deletion is committed. */
  delayRemoval(names: string[]): Promise<void>
  /**
   * Deletes files of a folder that no row names. `unusedOf` returns which of some names these are. A file stays for an hour
   * after it was stored and after its row was deleted.
   */
  removeUnused(folder: string, unusedOf: UnusedOf, signal: AbortSignal): Promise<void>
  /** Those of these files that are not here. */
  missingOf(names: readonly string[]): Promise<string[]>
  /**
   * All files for a backup. `excluded` gets the name of each file and folder that cannot be taken, and the reason. A file that
   * was deleted after the listing is not among them.
   */
  members(excluded: Map<string, string>): AsyncGenerator<Member>
  /** What keeps files from being read and written here; undefined when nothing does. */
  findFault(): Promise<string | undefined>

  /** Whether there are files that do not belong to a restore that was killed. */
  holdsFiles(): Promise<boolean>
  beginRestore(): Promise<void>
  putRestored(name: string, content: AsyncIterable<Buffer>): Promise<void>
  /** Deletes the files of a restore that has failed. */
  undoRestore(): Promise<void>
  /** Whether a restore has begun here and neither finished nor failed. */
  hasUnfinishedRestore(): Promise<boolean>
  /** Gives the files of a restore their names, after its rows are committed. If it is killed, the next call does the rest. */
  finishRestore(): Promise<void>
}

export type UnusedOf = (names: string[]) => Promise<string[]>

/**
 * A file without a row is deleted after this time. The row of a younger file may not be committed yet. Or the row was just
 * deleted, and a running backup, which still sees the row, needs the file.
 */
export const unusedMs = 60 * 60 * 1000

/** The part of a file of this size; undefined when the file does not have it. */
export const partOf = (size: number, range: Range | undefined): Range | undefined =>
  range !== undefined && range.start < size
    ? { start: range.start, end: Math.min(range.end, size - 1) }
    : undefined

/** The service with the uploads could not be reached, or did not do what it was asked. The caller may retry. */
export class UploadsUnavailable extends Error {
  override name = this.constructor.name
}
