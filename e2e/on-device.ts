import type { Page } from '@playwright/test'

/** All rows of the databases that this browser keeps for the pages, by database and store. */
export async function rowsOnDevice(page: Page): Promise<Record<string, unknown[]>> {
  for (;;) {
    const rows = await readRows(page)
    if (rows !== undefined) return rows
  }
}

/** Undefined when the page removed a bucket meanwhile, which closes its databases. */
const readRows = (page: Page): Promise<Record<string, unknown[]> | undefined> =>
  page.evaluate(async () => {
    interface Buckets {
      keys: () => Promise<string[]>
      open: (name: string) => Promise<{ indexedDB: IDBFactory }>
    }
    const done = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error!))
      })
    const { storageBuckets: buckets } = navigator as unknown as { storageBuckets: Buckets }
    const rows: Record<string, unknown[]> = {}
    const readAll = async (factory: IDBFactory) => {
      for (const { name = '' } of await factory.databases()) {
        const database = await done(factory.open(name))
        for (const store of database.objectStoreNames)
          (rows[`${name}/${store}`] ??= []).push(
            ...(await done(database.transaction(store).objectStore(store).getAll())),
          )
        database.close()
      }
    }
    await readAll(indexedDB)
    try {
      for (const name of await buckets.keys()) await readAll((await buckets.open(name)).indexedDB)
    } catch (error) {
      // By the moment an AbortError, an InvalidStateError or an UnknownError.
      if (error instanceof DOMException) return undefined
      throw error
    }
    return rows
  })
