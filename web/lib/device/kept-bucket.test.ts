import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { deleteDB, openDB } from 'idb'
import { expect, onTestFinished, test, vi } from 'vitest'
import { databaseName, forgetKept, reopenDatabase } from './database.ts'

test('when a session has ended the copies leave the device, also when their database cannot be opened [OWN-21]', async () => {
  const buckets = new Map([['kept', { indexedDB: new IDBFactory() }]])
  const open = () => Promise.reject(new Error('The bucket cannot be opened'))
  const storageBuckets = { open, delete: async (name: string) => void buckets.delete(name) }
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { storageBuckets }))
  onTestFinished(() => void vi.unstubAllGlobals())
  // Without a bucket the page opens the database of the site. This one is of a newer program.
  const newer = await openDB(databaseName, 2)
  onTestFinished(async () => {
    newer.close()
    await deleteDB(databaseName)
    await reopenDatabase()
  })
  await forgetKept()
  expect([...buckets.keys()]).toEqual([])
})
