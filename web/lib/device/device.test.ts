import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fillDrafts, startWithEmptyDevice } from '#web/lib/testing.ts'
import { writeKey } from '#web/lib/session-keys.ts'
import { resumeStoring, stopStoring } from '#web/lib/storage.ts'
import { forgetOldAnswers, keepAnswer, readAnswer } from './answers.ts'
import {
  deviceDatabase,
  databaseName,
  forgetKept,
  forgetOthers,
  hasDeviceRoom,
  removeDatabase,
  reopenDatabase,
} from './database.ts'
import { DayKeeper, readDay, readDays } from './days.ts'
import { valueOf } from './formats.ts'

const [ana, ben] = ['k7q2m4xp3d', 'ben0000000']
const key = ['/api/drafts']
const kept = (value: unknown, keptAt = 1) => ({ kind: 'writing', value, keptAt })
const aDay = (day: string, value: string, version = '2025-06-10T08:00:00.000Z') => ({ day, version, value })
const answer = async () => (await readAnswer(ana, key))?.answer

startWithEmptyDevice()
beforeEach(() => {
  writeKey('userId', ana)
})
afterEach(() => {
  vi.restoreAllMocks()
  resumeStoring()
  localStorage.clear()
})

test('an older answer of another tab does not replace a newer one [OWN-02]', async () => {
  await keepAnswer(ana, key, kept('newer', 2))
  await keepAnswer(ana, key, kept('older', 1))
  expect(await answer()).toBe('newer')
  await keepAnswer(ana, key, kept('newest', 3))
  expect(await answer()).toBe('newest')
})

test('a value that was kept while the clock of the device was years ahead is replaced [OWN-02]', async () => {
  const now = Date.now()
  await keepAnswer(ana, key, kept('old', now + 4 * 365 * 24 * 3_600_000))
  await keepAnswer(ana, key, kept('current', now))
  expect(await answer()).toBe('current')
  await keepAnswer(ana, key, kept('older', now - 1))
  expect(await answer()).toBe('current')
})

test('a value that a newer program wrote is not read, and not replaced [OWN-22]', async () => {
  const database = (await deviceDatabase())!
  const newer = {
    owner: ana,
    key: JSON.stringify(key),
    kind: 'writing',
    format: 2,
    value: ['new shape'],
    keptAt: 1,
  }
  const day = {
    owner: ana,
    kind: 'diary',
    day: '2025-06-10',
    version: '1',
    format: 2,
    value: 'new',
    keptAt: 1,
  }
  await database.put('answers', newer)
  await database.put('days', day)
  expect(await readAnswer(ana, key)).toBeUndefined()
  expect(await readDays(ana, 'diary')).toEqual([])
  await keepAnswer(ana, key, kept('old shape', 2))
  const keeper = new DayKeeper(ana, 'diary')
  await keeper.keep([aDay('2025-06-10', 'old')], 2)
  await keeper.forgetAllBut([], 2)
  expect(await database.getAll('answers')).toEqual([newer])
  expect(await database.getAll('days')).toEqual([day])
})

test('a value of an older format is read in the format of this program, step by step [OWN-22]', () => {
  const steps = { 0: (text: unknown) => [text], 1: (texts: unknown) => ({ texts }) }
  const value = (format: number) => valueOf({ format, value: 'a line' }, 2, steps)
  expect(value(0)).toEqual({ texts: ['a line'] })
  expect(value(1)).toEqual({ texts: 'a line' })
  expect(value(2)).toBe('a line')
  expect(value(3)).toBeUndefined()
})

test('a page leaves a database of a newer program as it is, and goes on without it [OWN-22]', async () => {
  const newer = await openDB(databaseName, 2, { upgrade: (db) => void db.createObjectStore('later') })
  await newer.put('later', 'a line', 1)
  newer.close()
  await keepAnswer(ana, key, kept('mine'))
  expect(await readAnswer(ana, key)).toBeUndefined()
  const again = await openDB(databaseName)
  expect([again.version, await again.get('later', 1)]).toEqual([2, 'a line'])
  again.close()
})

test('a page closes the database for a tab of a newer program, and writes nothing more [OWN-22]', async () => {
  await keepAnswer(ana, key, kept('mine'))
  const newer = await openDB(databaseName, 2)
  expect(newer.version).toBe(2)
  await keepAnswer(ana, key, kept('later', 2))
  expect(await deviceDatabase()).toBeUndefined()
  expect(((await newer.get('answers', [ana, JSON.stringify(key)])) as { value: unknown }).value).toBe('mine')
  newer.close()
})

test('after the log-out of a person nothing is kept, and nothing more is written, in any tab [OWN-05 OWN-21]', async () => {
  await keepAnswer(ana, key, kept('a line'))
  await new DayKeeper(ana, 'diary').keep([aDay('2025-06-10', 'a line')], 1)
  const otherTab = await openDB(databaseName, 1, { blocking: () => otherTab.close() })
  await removeDatabase()
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain(databaseName)
  await keepAnswer(ana, key, kept('a late answer', 2))
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain(databaseName)
  // Another tab, whose page has not been loaded again.
  await reopenDatabase()
  stopStoring(ana)
  await keepAnswer(ana, key, kept('a late answer', 2))
  resumeStoring()
  localStorage.removeItem('userId')
  await keepAnswer(ana, key, kept('a late answer', 2))
  expect(await answer()).toBeUndefined()
})

test('a tab that does not close the database delays the log-out by a second at most, and keeps no rows [OWN-21]', async () => {
  await keepAnswer(ana, key, kept('a line'))
  const suspended = await openDB(databaseName, 1)
  await removeDatabase()
  expect(await suspended.getAll('answers')).toEqual([])
  suspended.close()
})

test('a person who signs in and logs out again is logged out, although a tab still delays the removal of the first time [OWN-05]', async () => {
  await keepAnswer(ana, key, kept('a line'))
  const suspended = await openDB(databaseName, 1)
  await removeDatabase()
  // The next page. Its request to open the database waits for the removal.
  await reopenDatabase()
  const opening = deviceDatabase()
  await removeDatabase()
  expect(await deviceDatabase()).toBeUndefined()
  suspended.close()
  await opening
})

test('a person who signs in removes what the device keeps of somebody else [OWN-21]', async () => {
  await keepAnswer(ana, key, kept('hers'))
  await new DayKeeper(ana, 'diary').keep([aDay('2025-06-10', 'hers')], 1)
  writeKey('userId', ben)
  await keepAnswer(ben, key, kept('his'))
  await forgetOthers(ben)
  const database = (await deviceDatabase())!
  expect((await database.getAll('answers')).map(({ value }) => value)).toEqual(['his'])
  expect(await database.getAll('days')).toEqual([])
  expect(await readAnswer(ana, key)).toBeUndefined()
})

test('a browser without room keeps what it has, and the page goes on [OWN-05 DIARY-50]', async () => {
  await keepAnswer(ana, key, kept('a line'))
  const makeRoom = fillDrafts()
  await keepAnswer(ana, key, kept('a longer line', 2))
  await new DayKeeper(ana, 'diary').keep([aDay('2025-06-10', 'a line')], 2)
  expect(hasDeviceRoom()).toBe(false)
  makeRoom()
  expect(await answer()).toBe('a line')
  await keepAnswer(ana, key, kept('a longer line', 2))
  expect(hasDeviceRoom()).toBe(true)
  expect(await answer()).toBe('a longer line')
})

test('answers that were not read for three months are removed [OWN-05]', async () => {
  const dayMs = 24 * 3_600_000
  await keepAnswer(ana, key, kept('old', dayMs))
  await keepAnswer(ana, ['/api/documents'], kept('recent', 2 * dayMs))
  await forgetOldAnswers(ana, 91.5 * dayMs)
  expect(await answer()).toBeUndefined()
  expect((await readAnswer(ana, ['/api/documents']))?.answer).toBe('recent')
})

test('a save writes the row of its day alone [OWN-02 DIARY-34]', async () => {
  const keeper = new DayKeeper(ana, 'diary')
  const days = Array.from({ length: 450 }, (_, n) => aDay(`2025-${String(n).padStart(3, '0')}`, `Day ${n}`))
  await keeper.keep(days, 1)
  expect(await readDays(ana, 'diary')).toEqual(days.map(({ value }) => value))
  const put = vi.spyOn(IDBObjectStore.prototype, 'put')
  const saved = aDay('2025-003', 'Another text', '2025-06-10T09:00:00.000Z')
  await keeper.keep(days.with(3, saved), 2)
  expect(put).toHaveBeenCalledOnce()
  expect(await readDay(ana, 'diary', '2025-003')).toBe('Another text')
})

test('a list of days removes the days that the server has no more, but none that another tab has kept since it asked [OWN-02]', async () => {
  const [one, two, three] = ['2025-06-08', '2025-06-09', '2025-06-10'].map((day) => aDay(day, day))
  const keeper = new DayKeeper(ana, 'diary')
  await keeper.keep([one!, two!], 10)
  await new DayKeeper(ana, 'diary').keep([three!], 30)
  await keeper.forgetAllBut([one!], 20)
  expect(await readDays(ana, 'diary')).toEqual([one!.value, three!.value])
})

test('days are written again after their rows were removed [OWN-05]', async () => {
  const keeper = new DayKeeper(ana, 'diary')
  await keeper.keep([aDay('2025-06-10', 'a line')], 1)
  await forgetKept()
  await keeper.keep([aDay('2025-06-10', 'a line')], 2)
  expect(await readDays(ana, 'diary')).toEqual(['a line'])
})
