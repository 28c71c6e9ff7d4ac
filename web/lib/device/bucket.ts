import { type DBSchema, type IDBPDatabase, wrap } from 'idb'

// A bucket is a part of the storage of a site with databases of its own. The browser removes it together with its files: it
// leaves no bytes, as a removed row or database does (decision 45). Only Chromium has buckets, and only over https.

interface Bucket {
  indexedDB: IDBFactory
  persist: () => Promise<boolean>
  persisted: () => Promise<boolean>
}

/** TypeScript does not know it yet. */
interface Buckets {
  open: (name: string) => Promise<Bucket>
  delete: (name: string) => Promise<void>
}

const buckets = () => (navigator as { storageBuckets?: Buckets }).storageBuckets

/** Undefined where the browser has no buckets. */
export const openBucket = async (name: string): Promise<Bucket | undefined> =>
  buckets()
    ?.open(name)
    .catch(() => undefined)

/** Closes the databases of the bucket in all tabs, and removes their files. */
export const removeBucket = async (name: string): Promise<void> => buckets()?.delete(name)

interface Handlers {
  create: (database: IDBDatabase) => void
  /** Another page wants to change or remove the database. */
  onBlocking?: (database: IDBDatabase) => void
  /** The browser has closed the database, for instance because its bucket was removed. */
  onClosed: () => void
}

/** `openDB` of idb, for the databases of a bucket. */
export async function openIn<Rows extends DBSchema>(
  factory: IDBFactory,
  name: string,
  version: number,
  { create, onBlocking, onClosed }: Handlers,
): Promise<IDBPDatabase<Rows>> {
  const request = factory.open(name, version)
  request.addEventListener('upgradeneeded', () => create(request.result))
  // As idb wraps it. Wrapped once more, each transaction would have a second promise `done`, which nobody handles.
  const database = await wrap<IDBDatabase>(request)
  database.addEventListener('versionchange', () => onBlocking?.(database))
  database.addEventListener('close', onClosed)
  handleEnds(request.result)
  return database as unknown as IDBPDatabase<Rows>
}

/**
 * The promise `done` of a transaction rejects when the browser removes the bucket. Who reads with idb waits for the requests of the
 * transaction alone, and learns of it by them.
 */
function handleEnds(database: IDBDatabase) {
  const begin = database.transaction.bind(database)
  database.transaction = (...parameters) => {
    const transaction = begin(...parameters)
    wrap(transaction).done.catch(() => {})
    return transaction
  }
}
