import 'fake-indexeddb/auto'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { giveBuckets } from './testing.ts'

const [ana, ben] = ['k7q2m4xp3d', 'b7q2m4xp3d']
const roomOf = (owner: string) => `room-draft:${owner}`

const storageBuckets = () =>
  (navigator as unknown as { storageBuckets: { open: (name: string) => Promise<unknown> } }).storageBuckets

/** A page of its own, as after a reload or in another tab. It has loaded the keys of a person. */
async function openPage(owner = ana) {
  vi.resetModules()
  const storage = await import('./storage.ts')
  await storage.loadKeysOf(owner)
  const room = (of = owner) => storage.storedText(roomOf(of))
  return { ...storage, room, ...(await import('./local-copies.ts')) }
}

afterEach(() => localStorage.clear())

test('the short texts of a signed-in person are in a bucket and in no local storage, and the next page has them [OWN-21]', async () => {
  const buckets = giveBuckets()
  const page = await openPage()
  expect(page.areKeysAwaited(ana)).toBe(false)
  expect(page.room().write('Rain')).toBe(true)
  expect(page.room().read()).toBe('Rain')
  expect(page.keysOfPerson('localStorage', ana)).toEqual([roomOf(ana)])
  expect(localStorage).toHaveLength(0)
  const next = await openPage()
  expect(next.room().read()).toBe('Rain')
  next.room().remove()
  expect((await openPage()).room().read()).toBeNull()
  expect([...buckets.keys()]).toEqual([`keys-${ana}`])
})

test('the short texts of others, values of the tab, and days stay where they were [OWN-21 DIARY-19]', async () => {
  giveBuckets()
  const page = await openPage()
  page.room(ben).write('Rain')
  page.storedText(`diary:${ana}:2025-06-10`).write('A day')
  page.storedText(`room-draft:${ana}`, { area: 'sessionStorage' }).write('Of the tab')
  expect({ ...localStorage }).toEqual({ [roomOf(ben)]: 'Rain', [`diary:${ana}:2025-06-10`]: 'A day' })
  expect(page.room().read()).toBeNull()
  expect(sessionStorage.getItem(roomOf(ana))).toBe('Of the tab')
  sessionStorage.clear()
})

test('what an older program has left of a person moves into the bucket, and the days and other people stay [OWN-21 OWN-22]', async () => {
  giveBuckets()
  const others = {
    [`diary:${ana}:2025-06-10`]: 'A day',
    [`notes:${ana}:2025-06-10`]: 'A note',
    [roomOf(ben)]: 'B',
  }
  for (const [key, text] of Object.entries({ ...others, [roomOf(ana)]: 'Rain' }))
    localStorage.setItem(key, text)
  const page = await openPage()
  expect(page.room().read()).toBe('Rain')
  expect({ ...localStorage }).toEqual(others)
  expect((await openPage()).room().read()).toBe('Rain')
})

test('a tab of an older program does not replace what a newer one wrote, and what both have is removed together [OWN-22]', async () => {
  giveBuckets()
  const page = await openPage()
  page.room().write('Newer')
  localStorage.setItem(roomOf(ana), 'Older')
  localStorage.setItem(`showcase:${ana}`, 'Written by the older tab')
  expect(page.storedText(`showcase:${ana}`).read()).toBe('Written by the older tab')
  const next = await openPage()
  expect(next.room().read()).toBe('Newer')
  expect(localStorage.getItem(roomOf(ana))).toBe('Older')
  next.room().remove()
  expect([next.room().read(), localStorage.getItem(roomOf(ana))]).toEqual([null, null])
  expect((await openPage()).room().read()).toBeNull()
})

test('the tabs of a browser tell each other what a person has changed [NOTE-04]', async () => {
  giveBuckets()
  // Pages of other tests are still open.
  const cleo = 'c7q2m4xp3d'
  const [one, other] = [await openPage(cleo), await openPage(cleo)]
  const told = () =>
    new Promise<string | null>((resolve) =>
      addEventListener('storage', ({ key }) => resolve(key), { once: true }),
    )
  const written = told()
  one.room().write('Rain')
  expect(await written).toBe(roomOf(cleo))
  expect(other.room().read()).toBe('Rain')
  const removed = told()
  other.room().remove()
  await removed
  expect(one.room().read()).toBeNull()
})

test('after a log-out the bucket is gone, and a tab that is still open writes nothing more [OWN-05 OWN-21 S48]', async () => {
  const buckets = giveBuckets()
  const [one, other] = [await openPage(), await openPage()]
  one.room().write('Rain')
  localStorage.setItem(`showcase:${ana}`, 'Written by an older tab')
  await one.removeLocalCopies(ana)
  expect([...buckets.keys()].filter((name) => name.includes(ana))).toEqual([])
  expect(one.keysOfPerson('localStorage', ana)).toEqual([])
  for (const page of [one, other]) expect(page.room().write('Rain')).toBe(false)
  expect(JSON.stringify(localStorage)).not.toContain('Rain')
  expect([...buckets.keys()].filter((name) => name.includes('keys-'))).toEqual([])
})

test('a log-out that ended early removes the bucket on the next page [OWN-05]', async () => {
  const buckets = giveBuckets()
  const page = await openPage()
  page.room().write('Rain')
  page.markLoggedOut(ana)
  await (await openPage(ben)).finishLogOuts()
  expect([...buckets.keys()]).not.toContain(`keys-${ana}`)
})

test('a browser that refuses the bucket keeps the short texts in its local storage, and the next page with the bucket has them [OWN-21]', async () => {
  giveBuckets()
  const earlier = await openPage()
  earlier.room().write('Sun')
  const open = vi.spyOn(storageBuckets(), 'open').mockRejectedValue(new TypeError('Refused'))
  const page = await openPage()
  expect(page.areKeysAwaited(ana)).toBe(false)
  expect(page.room().read()).toBeNull()
  page.room().write('Rain')
  expect(localStorage.getItem(roomOf(ana))).toBe('Rain')
  open.mockRestore()
  expect((await openPage()).room().read()).toBe('Rain')
  expect(localStorage).toHaveLength(0)
})

test('a page whose bucket answers late shows the person meanwhile, and what is typed meanwhile is in the bucket later [OWN-21]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  giveBuckets()
  const { open } = storageBuckets()
  const answer = Promise.withResolvers<void>()
  const late = vi.spyOn(storageBuckets(), 'open').mockImplementation(async (name) => {
    await answer.promise
    return open(name)
  })
  const opening = openPage()
  await vi.waitFor(() => expect(late).toHaveBeenCalled())
  await vi.advanceTimersByTimeAsync(3000)
  const page = await opening
  page.room().write('Rain')
  expect(localStorage.getItem(roomOf(ana))).toBe('Rain')
  vi.useRealTimers()
  answer.resolve()
  await vi.waitFor(() => expect(localStorage).toHaveLength(0))
  expect(page.room().read()).toBe('Rain')
  page.room().write('Sun')
  expect((await openPage()).room().read()).toBe('Sun')
})

test('a text that the bucket does not take is in the local storage until it does [OWN-21 OWN-04]', async () => {
  giveBuckets()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks())
  const page = await openPage()
  page.room().write('Sun')
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('The storage is full', 'QuotaExceededError')
  })
  page.room().write('Rain')
  await vi.waitFor(() => expect(localStorage.getItem(roomOf(ana))).toBe('Rain'))
  expect((await openPage()).room().read()).toBe('Rain')
  put.mockRestore()
  page.room().write('Rain, and wind')
  await vi.waitFor(() => expect(localStorage.getItem(roomOf(ana))).toBeNull())
  expect((await openPage()).room().read()).toBe('Rain, and wind')
})

test('a text that the bucket has not taken after five seconds is in the local storage until it does [OWN-21 OWN-04]', async () => {
  giveBuckets()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks())
  const page = await openPage()
  const { put } = IDBObjectStore.prototype
  const answer = Promise.withResolvers<void>()
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...row) {
    const stored = put.apply(this, row)
    const { addEventListener: listen } = stored
    stored.addEventListener = (type: string, listener: EventListener) =>
      listen.call(stored, type, (event) => void answer.promise.then(() => listener(event)))
    return stored
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  page.room().write('Rain')
  expect(localStorage.getItem(roomOf(ana))).toBeNull()
  await vi.advanceTimersByTimeAsync(5000)
  expect(localStorage.getItem(roomOf(ana))).toBe('Rain')
  vi.useRealTimers()
  answer.resolve()
  await vi.waitFor(() => expect(localStorage.getItem(roomOf(ana))).toBeNull())
  expect((await openPage()).room().read()).toBe('Rain')
})

test('a database that the browser closes takes no text from the page, unless the person has logged out in another tab [OWN-05 OWN-21 OWN-04]', async () => {
  giveBuckets()
  const listening = vi.spyOn(IDBDatabase.prototype, 'addEventListener')
  onTestFinished(() => void vi.restoreAllMocks())
  const page = await openPage()
  page.room().write('Rain')
  const close = () => {
    for (const [type, listener] of listening.mock.calls)
      if (type === 'close' && typeof listener === 'function') listener(new Event('close'))
  }
  close()
  expect(page.room().read()).toBe('Rain')
  page.room().write('Rain, and wind')
  await vi.waitFor(async () => expect((await openPage()).room().read()).toBe('Rain, and wind'))
  page.markLoggedOut(ana)
  close()
  expect(page.room().read()).toBeNull()
})

test('a browser without buckets has nothing to load [OWN-21]', async () => {
  vi.resetModules()
  const { areKeysAwaited } = await import('./storage.ts')
  expect(areKeysAwaited(ana)).toBe(false)
})
