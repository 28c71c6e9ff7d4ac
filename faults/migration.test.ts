import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { makeDataFolder, removeDataFolder } from '../scripts/testing/running-server.ts'
import { rounds } from './instance.ts'
import { migrateWhileServing } from './migration/serving.ts'

/** `npm run bench -- migration` migrates a million rows. */
test('the newest migrations change a filled database while the previous version runs statements, and none of these fails [R18]', async () => {
  const dataDir = await makeDataFolder()
  onTestFinished(() => removeDataFolder(dataDir))
  const { connection } = await startEmbeddedPostgres({ dataDir })
  const { failures, meanwhile } = await migrateWhileServing(connection, {
    rows: rounds * 20_000,
    folder: join(dataDir, 'migrations'),
  })
  expect(failures).toEqual([])
  expect(meanwhile).toBeGreaterThan(50)
})
