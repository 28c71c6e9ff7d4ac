import 'fake-indexeddb/auto'
import type { DBSchema, IDBPDatabase } from 'idb'
import { expect, onTestFinished, test, vi } from 'vitest'
import { writeKey } from '#web/lib/session-keys.ts'
import { keepAnswer, readAnswer } from './answers.ts'
import { openIn } from './bucket.ts'
import { reopenDatabase } from './database.ts'

interface Rows extends DBSchema {
  texts: { key: string; value: string }
}

/** Ends each transaction at its next read, as the browser does when another tab removes the bucket. */
function endTransactions() {
  const { get } = IDBObjectStore.prototype
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, key) {
    queueMicrotask(() => this.transaction.abort())
    return get.call(this, key)
  })
  onTestFinished(() => void vi.restoreAllMocks())
}

/** The rejections that nothing handles until the end of the test. */
function watchRejections() {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  onTestFinished(() => void process.off('unhandledRejection', unhandled))
  return unhandled
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test.each<[string, (database: IDBPDatabase<Rows>) => Promise<unknown>]>([
  ['a read', (database) => database.get('texts', 'day')],
  ['a read that is a part of a transaction', (database) => database.transaction('texts').store.get('day')],
  [
    'a read before a write',
    async (database) => {
      const { store, done } = database.transaction('texts', 'readwrite')
      if ((await store.get('day')) === undefined) await store.put('Rain', 'day')
      await done
    },
  ],
])('%s whose bucket is removed meanwhile fails once, for its caller [OWN-05 R22]', async (_work, work) => {
  const database = await openIn<Rows>(indexedDB, 'texts', 1, {
    create: (created) => void created.createObjectStore('texts'),
    onClosed: () => {},
  })
  const unhandled = watchRejections()
  endTransactions()
  await expect(work(database)).rejects.toHaveProperty('name', 'AbortError')
  await nextTurn()
  expect(unhandled).not.toHaveBeenCalled()
})

test('a copy that another tab removes while it is written is no error, and the next one is kept [OWN-05]', async () => {
  const logged = vi.spyOn(console, 'error')
  writeKey('userId', 'ana')
  // The tests of another file may have closed it.
  await reopenDatabase()
  onTestFinished(reopenDatabase)
  const keep = (value: string) => keepAnswer('ana', ['/api/diary'], { kind: 'days', value, keptAt: 1 })
  await keep('Sun')
  const unhandled = watchRejections()
  endTransactions()
  await keep('Rain')
  await nextTurn()
  expect([logged.mock.calls, unhandled.mock.calls]).toEqual([[], []])
  vi.restoreAllMocks()
  expect((await readAnswer('ana', ['/api/diary']))?.answer).toBe('Sun')
  await keep('Rain')
  expect((await readAnswer('ana', ['/api/diary']))?.answer).toBe('Rain')
})
