import { execFileSync, spawn } from 'node:child_process'
import { chmod, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { ask, giveDataFolder, isRoot, isUp, nobody, tryAs } from '#server/testing/embedded-postgres.ts'
import { findNativeFolder, runnableBinaries } from './binaries.ts'
import { startEmbeddedPostgres } from './embedded.ts'
import { isAlive } from './processes.ts'

let dataDir: string
giveDataFolder((folder) => void (dataDir = folder))

/** Leaves a cluster as version 1.0.0 did: without a password and locks, and under root as files of the account nobody. */
async function leaveOldCluster(password = 'null') {
  const first = await startEmbeddedPostgres({ dataDir })
  await ask(first.connection, 'create table kept as select 42 as n')
  await ask(first.connection, `alter role zimmer password ${password}`)
  await first.stop()
  for (const name of ['database-password', 'database-access.conf', 'database.lock', 'server.lock'])
    await rm(join(dataDir, name), { force: true })
  if (isRoot)
    execFileSync('chown', ['-R', 'nobody:nogroup', join(dataDir, 'postgres'), join(dataDir, 'socket')])
}

/** Starts Postgres as version 1.0.0 did. */
async function startOldPostgres() {
  const bin = await runnableBinaries(findNativeFolder(), dataDir, isRoot ? nobody : {})
  const args = ['-D', join(dataDir, 'postgres'), '-p', '5432', '--listen_addresses=']
  const child = spawn(
    join(bin, 'postgres'),
    [...args, `--unix_socket_directories=${join(dataDir, 'socket')}`],
    {
      ...(isRoot && nobody),
      cwd: '/',
      env: { LC_ALL: 'C' },
      stdio: 'ignore',
    },
  )
  await vi.waitUntil(() => isUp(openConnection()), { timeout: 10_000 })
  return child
}

const openConnection = () => ({ host: join(dataDir, 'socket'), user: 'zimmer', database: 'postgres' })

/** Starts the present version once; returns what it found and how the cluster is protected afterwards. */
async function nextStart() {
  const postgres = await startEmbeddedPostgres({ dataDir })
  const kept = await ask(postgres.connection, 'select n from kept')
  const withoutPassword = tryAs({}, postgres.connection)
  const { uid } = await stat(join(dataDir, 'postgres/base'))
  await postgres.stop()
  return { kept, withoutPassword, isOfNobody: uid === nobody.uid }
}

const upgraded = { kept: [{ n: 42 }], withoutPassword: '28P01', isOfNobody: false }

test('the next start upgrades a cluster of an earlier version, and nothing is lost [R2 S5]', async () => {
  await chmod(dataDir, 0o755)
  await leaveOldCluster()
  expect(await nextStart()).toEqual(upgraded)
})

test('the next start ends the Postgres of a killed earlier version and upgrades its cluster [R2 R4 S5]', async () => {
  await chmod(dataDir, 0o755)
  await leaveOldCluster()
  const child = await startOldPostgres()
  expect(await nextStart()).toEqual(upgraded)
  expect(isAlive(child.pid!)).toBe(false)
})

test('the next start completes an upgrade that was killed halfway [R2 S5]', async () => {
  await chmod(dataDir, 0o755)
  // The password was set but not stored, half of the files have their new owner, and a lock file was left.
  await leaveOldCluster(`'lost'`)
  const stale = join(dataDir, 'socket/.s.PGSQL.5432.lock')
  await writeFile(stale, '4194304\n')
  if (isRoot) {
    execFileSync('chown', ['-R', '60600:60600', join(dataDir, 'postgres/base')])
    execFileSync('chown', ['nobody:nogroup', stale])
  }
  expect(await nextStart()).toEqual(upgraded)
})
