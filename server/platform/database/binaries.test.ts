import { spawnSync } from 'node:child_process'
import { chmod, cp, lstat, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EmbeddedPostgresUnavailable, findNativeFolder, runnableBinaries } from './binaries.ts'

const isRoot = process.getuid?.() === 0
const account = isRoot ? { uid: 65534, gid: 65534 } : {}

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zimmer-binaries-'))
  await chmod(folder, 0o755)
})
afterEach(async () => {
  await chmod(join(folder, 'package/native/lib'), 0o755).catch(() => {})
  await rm(folder, { recursive: true })
})

/** Makes the package as npm installs it when install scripts are blocked: without links. */
async function packageWithoutLinks() {
  const native = join(folder, 'package/native')
  await cp(join(findNativeFolder(), '..'), join(folder, 'package'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  const list = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as { target: string }[]
  for (const { target } of list) await rm(join(folder, 'package', target))
  return { native, aLink: list[0]?.target ?? '' }
}

const version = (bin: string) =>
  spawnSync(join(bin, 'postgres'), ['--version'], { ...account, encoding: 'utf8' })

test('with install scripts blocked the missing links are made', async () => {
  const { native, aLink } = await packageWithoutLinks()
  const bin = await runnableBinaries(native, folder, account)
  expect(bin).toBe(join(native, 'bin'))
  expect(version(bin).stdout).toContain('PostgreSQL')
  expect((await lstat(join(folder, 'package', aLink))).isSymbolicLink()).toBe(true)
})

test.runIf(isRoot)('files that only root may reach are copied, once (needs root)', async () => {
  const { native } = await packageWithoutLinks()
  await chmod(join(folder, 'package'), 0o700)
  const home = join(folder, 'home')
  await mkdir(home)
  await chmod(home, 0o755)
  const bin = await runnableBinaries(native, home, account)
  expect(bin.startsWith(home)).toBe(true)
  expect(version(bin).stdout).toContain('PostgreSQL')
  const { ino } = await lstat(join(bin, 'postgres'))
  expect(await runnableBinaries(native, home, account)).toBe(bin)
  expect((await lstat(join(bin, 'postgres'))).ino).toBe(ino)
})

test.skipIf(isRoot)('a read-only package is copied and completed there (not as root)', async () => {
  const { native } = await packageWithoutLinks()
  await chmod(join(native, 'lib'), 0o555)
  const bin = await runnableBinaries(native, folder, account)
  expect(bin.startsWith(native)).toBe(false)
  expect(version(bin).stdout).toContain('PostgreSQL')
})

test.each([
  { os: 'linux', arch: 'x64', isMusl: true, called: 'linux-x64 with musl' },
  { os: 'win32', arch: 'arm64', isMusl: false, called: 'win32-arm64' },
  { os: 'freebsd', arch: 'x64', isMusl: false, called: 'freebsd-x64' },
])('on $called people are asked for DATABASE_URL, in one sentence', ({ called, ...platform }) => {
  expect(() => findNativeFolder(platform)).toThrow(EmbeddedPostgresUnavailable)
  expect(() => findNativeFolder(platform)).toThrow(
    `There is no embedded Postgres for ${called}: set DATABASE_URL to a Postgres server (15 or newer).`,
  )
})
