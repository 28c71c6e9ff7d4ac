import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ownDataFolder } from '#server/platform/database/owner-lock.ts'
import { requireDatabase } from './place.ts'

test('a command beside the first start of a server waits for the database, and ends by Ctrl-C [R23]', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'zimmer-first-start-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const place = { dataDir, databaseUrl: undefined }
  const { signal } = new AbortController()
  const { release } = await ownDataFolder(dataDir)
  const interrupted = requireDatabase(place, AbortSignal.abort())
  await expect(interrupted).rejects.toMatchObject({ name: 'AbortError' })
  const waiting = requireDatabase(place, signal)
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '18')
  await waiting
  await rm(join(dataDir, 'postgres'), { recursive: true })
  const lock = join(dataDir, 'server.lock')
  const nameOfServer = await readFile(lock)
  await release()
  await expect(requireDatabase(place, signal)).rejects.toThrow('There is no database in')
  // A killed server leaves its name.
  await writeFile(lock, nameOfServer)
  const from = performance.now()
  await expect(requireDatabase(place, signal)).rejects.toThrow('There is no database in')
  expect(performance.now() - from).toBeLessThan(5000)
})
