import type { Page } from '@playwright/test'

/** All rows of the databases that this browser keeps for the pages, by database and store. */
export const rowsOnDevice = (page: Page): Promise<Record<string, unknown[]>> =>
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
    for (const name of await buckets.keys()) {
      const { indexedDB: factory } = await buckets.open(name)
      await readAll(factory).catch((error: unknown) => {
        // The page removes this bucket now, which closes its databases.
        if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
      })
    }
    return rows
  })
