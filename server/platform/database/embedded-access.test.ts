import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  ask,
  giveDataFolder,
  isRoot,
  nobody,
  postmasterPid,
  tryAs,
} from '#server/testing/embedded-postgres.ts'
import { startEmbeddedPostgres } from './embedded.ts'

let dataDir: string
giveDataFolder((folder) => void (dataDir = folder))

test.runIf(isRoot)(
  'root can keep the data in a folder that no other account may enter (needs root)',
  async () => {
    const hidden = join(dataDir, 'private')
    await mkdir(hidden, { mode: 0o700 })
    await chmod(dataDir, 0o700)
    const first = await startEmbeddedPostgres({ dataDir: join(hidden, 'data') })
    await ask(first.connection, 'create table kept as select 42 as n')
    await first.stop()
    const second = await startEmbeddedPostgres({ dataDir: join(hidden, 'data') })
    expect(await ask(second.connection, 'select n from kept')).toEqual([{ n: 42 }])
    await second.stop()
    const elsewhere = (await readFile(join(hidden, 'data/postgres-folder'), 'utf8')).trim()
    await rm(elsewhere, { recursive: true })
  },
)

test.runIf(isRoot)(
  'files that root has copied into the data folder become those of the account of Postgres (needs root)',
  async () => {
    const first = await startEmbeddedPostgres({ dataDir })
    await ask(first.connection, 'create table kept as select 42 as n')
    await first.stop()
    execFileSync('chown', ['-R', 'root:root', join(dataDir, 'postgres')])
    const second = await startEmbeddedPostgres({ dataDir })
    expect(await ask(second.connection, 'select n from kept')).toEqual([{ n: 42 }])
    await second.stop()
  },
)

test('nobody without the password of the server connects, not even under its own account [S5]', async () => {
  const postgres = await startEmbeddedPostgres({ dataDir })
  expect(tryAs({}, postgres.connection)).toBe('28P01')
  const file = join(dataDir, 'database-password')
  expect((await readFile(file, 'utf8')).trim()).toBe(postgres.connection.password)
  const { mode, uid } = await stat(file)
  expect({ mode: mode & 0o777, uid }).toEqual({ mode: 0o600, uid: process.getuid?.() })
  expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toContain(postgres.connection.password)
  await postgres.stop()
})

test.runIf(isRoot)(
  'a process of the account nobody cannot connect to the Postgres of a root server (needs root) [S5]',
  async () => {
    await chmod(dataDir, 0o755)
    const postgres = await startEmbeddedPostgres({ dataDir })
    expect(tryAs(nobody, postgres.connection)).toBe('EACCES')
    const { uid } = await stat(join(dataDir, 'postgres'))
    expect([0, nobody.uid]).not.toContain(uid)
    for (const folder of ['postgres', 'socket']) {
      const { mode, uid: owner } = await stat(join(dataDir, folder))
      expect({ mode: mode & 0o777, owner }).toEqual({ mode: 0o700, owner: uid })
    }
    expect(spawnSync('kill', ['-0', String(await postmasterPid(dataDir))], nobody).status).not.toBe(0)
    await postgres.stop()
  },
)
