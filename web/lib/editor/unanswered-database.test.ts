import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { expect, onTestFinished, test, vi } from 'vitest'

const owner = 'k7q2m4xp3d'

test('a person whose browser never opens the drafts writes and saves after seconds, and can log out [R22 OWN-05]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const older = await openDB('blocked', 1)
  const { open } = IDBFactory.prototype
  const opening = vi.spyOn(indexedDB, 'open')
  onTestFinished(() => opening.mockRestore())
  opening.mockImplementation(() => open.call(indexedDB, 'blocked', 2))
  // A page that has not opened the database yet.
  vi.resetModules()
  // Its drafts are in the database of this test.
  onTestFinished(() => void vi.resetModules())
  const [{ Manuscript }, { hasDrafts }] = [await import('./manuscript.ts'), await import('./drafts.ts')]
  const manuscript = new Manuscript(owner, 'diary/2025-06-10')
  onTestFinished(manuscript.restoreDrafts())
  manuscript.setStored({ text: 'Morning', version: '2025-06-10T08:00:00.000Z' })
  await vi.advanceTimersByTimeAsync(5000)
  expect(manuscript.snapshot()).toMatchObject({ state: 'unchanged', text: 'Morning' })
  manuscript.change('Morning, and rain')
  const saved = manuscript.save(async (text) => ({ text, version: '2025-06-10T09:00:00.000Z' }))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await saved).toBe(true)
  const isAnswered = hasDrafts(owner).catch(() => 'not opened')
  await vi.advanceTimersByTimeAsync(5000)
  expect(await isAnswered).toBe('not opened')
  older.close()
})
