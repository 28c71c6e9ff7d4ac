import { type DBSchema, type IDBPDatabase, deleteDB, wrap } from 'idb'
import { readKey } from '#web/lib/session-keys.ts'
import { isStoringStopped } from '#web/lib/storage.ts'
import { openBucket, openIn, removeBucket } from './bucket.ts'

// What this browser keeps of the answers of the server, so that a person can read without a network. Typed text that is not
// saved yet is in another database (`web/lib/editor/drafts.ts`).

/** What each row has: a value of the server, with the format in which the program wrote it (`formats.ts`). */
export interface KeptRow {
  format: number
  value: unknown
  /** When the server answered, by the clock of this browser. */
  keptAt: number
}

/** One day of a person, in a row of its own: a save writes one row. */
export interface DayRow extends KeptRow {
  owner: string
  kind: string
  day: string
  /** When the server stored the value. */
  version: string
}

/** The answer of one query of the cache. */
export interface AnswerRow extends KeptRow {
  owner: string
  /** The key of the query as JSON. */
  key: string
  /** Which part of the list in the settings it belongs to. */
  kind: string
}

export interface Stores extends DBSchema {
  days: { key: [owner: string, kind: string, day: string]; value: DayRow }
  answers: { key: [owner: string, key: string]; value: AnswerRow }
}

type DeviceDatabase = IDBPDatabase<Stores>

export const databaseName = 'zimmer'
export const bucketName = 'kept'
const version = 1
/** A suspended tab may hold the database open for longer. */
const removeWithinMs = 1000

let opened: Promise<DeviceDatabase | undefined> | undefined
let isStopped = false
let hasRoom = true

/** The database, undefined when this page must not use it: it cannot be opened, is newer than this program, or was removed. */
export const deviceDatabase = async (): Promise<DeviceDatabase | undefined> =>
  isStopped ? undefined : (opened ??= open().catch(() => undefined))

async function open() {
  const bucket = await openBucket(bucketName)
  // Where an older program has kept them. They are copies.
  if (bucket) deleteDB(databaseName).catch(() => {})
  return openIn<Stores>(bucket?.indexedDB ?? indexedDB, databaseName, version, {
    create: (database) => {
      database.createObjectStore('days', { keyPath: ['owner', 'kind', 'day'] })
      database.createObjectStore('answers', { keyPath: ['owner', 'key'] })
    },
    // A newer tab changes the database, or another tab has logged out. This page goes on without it.
    onBlocking: (database) => {
      isStopped = true
      database.close()
    },
    onClosed: () => void (opened = undefined),
  })
}

/** Whether answers of a person may be kept: the person is signed in, and logs out in no tab. */
const mayKeep = (owner: string) => !isStoringStopped(owner) && readKey('userId') === owner

/**
 * Writes for a person, unless that person is signed out or the database is not to be used. Checks it immediately before
 * the transaction: what a page writes later than the removal would stay. Never rejects: a failure is logged, and a browser without
 * room keeps what it has.
 */
export async function write(
  owner: string,
  work: (database: DeviceDatabase) => Promise<unknown>,
): Promise<void> {
  const database = await deviceDatabase()
  if (database === undefined || !mayKeep(owner)) return
  try {
    await work(database)
    hasRoom = true
  } catch (error) {
    const { name } = error as Error
    if (name === 'QuotaExceededError') hasRoom = false
    // Another tab has removed the database during the transaction, and with it the copies.
    else if (!isStopped && name !== 'AbortError')
      console.error('Failed to keep an answer on this device', error)
  }
}

/** Whether the last write found room. */
export const hasDeviceRoom = (): boolean => hasRoom

/** Removes the rows of everybody. A bucket is removed also when its database cannot be opened. The page may keep new rows. */
export async function forgetKept(): Promise<void> {
  const database = await deviceDatabase()
  opened = undefined
  if (database !== undefined) {
    await removeRows(database, IDBKeyRange.lowerBound([]))
    database.close()
  }
  await removeBucket(bucketName)
}

/** Removes the rows of everybody else, of whom this browser should have none. */
export const forgetOthers = (owner: string): Promise<void> =>
  write(owner, (database) =>
    removeRows(database, IDBKeyRange.upperBound([owner]), IDBKeyRange.lowerBound([owner, []])),
  )

async function removeRows(database: DeviceDatabase, ...ranges: IDBKeyRange[]) {
  const rows = database.transaction(['days', 'answers'], 'readwrite')
  const stores = [rows.objectStore('days'), rows.objectStore('answers')]
  await Promise.all([...stores.flatMap((store) => ranges.map((range) => store.delete(range))), rows.done])
}

/** Removes the database. Pages that are open, this one among them, use it no more. */
export async function removeDatabase(): Promise<void> {
  const tooLate = () => new Promise<undefined>((resolve) => setTimeout(resolve, removeWithinMs))
  // A log-out that is not finished in another tab may delay it.
  const database = await Promise.race([deviceDatabase(), tooLate()])
  isStopped = true
  opened = undefined
  if (database !== undefined) {
    // Another tab may delay the removal of the database itself.
    await removeRows(database, IDBKeyRange.lowerBound([])).catch(() => {})
    database.close()
  }
  // The browser may forbid databases.
  const removed = deleteDatabases().catch(() => {})
  await Promise.race([removed, tooLate()])
  await Promise.race([removeBucket(bucketName).catch(() => {}), tooLate()])
}

/** Other pages learn from the removal of the database that they must not use it any more. */
async function deleteDatabases() {
  const bucket = await openBucket(bucketName)
  await Promise.all([deleteDB(databaseName), bucket && wrap(bucket.indexedDB.deleteDatabase(databaseName))])
}

/** Undoes `removeDatabase`, for tests, which share one page. */
export async function reopenDatabase(): Promise<void> {
  const database = await opened
  database?.close()
  opened = undefined
  isStopped = false
  hasRoom = true
}
