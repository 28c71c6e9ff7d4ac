// Makes a clone ready to start: installs the packages and builds the page, each only after a change.
// Plain JavaScript that runs on an old Node, because a fresh clone has no other.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { linkNode } from './link-node.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const inRoot = (/** @type {string[]} */ ...parts) => join(root, ...parts)

const neededNode = 26

/** @param {{ build?: boolean }} options */
export function ready({ build = false } = {}) {
  install()
  linkNode()
  refuseOldNode()
  if (build) buildPage()
}

function install() {
  const stamp = inRoot('node_modules/.cache/installed')
  const hash = hashOf(['package-lock.json'])
  if (read(stamp) === hash) return
  if (!isInstalled()) {
    console.log('Installing packages …')
    // The build needs the development packages, whatever the value of NODE_ENV.
    run('npm', ['ci', '--include=dev', '--include=optional'], { PATH: pathOutside(inRoot('node_modules')) })
  }
  write(stamp, hash)
}

/** Compares the lock file with the one that npm wrote after its last installation. */
function isInstalled() {
  const noted = read(inRoot('node_modules/.package-lock.json'))
  if (noted === '') return false
  const installed = JSON.parse(noted).packages
  const { '': _project, ...wanted } = JSON.parse(read(inRoot('package-lock.json'))).packages
  const same = (path) => installed[path]?.version === wanted[path]?.version
  return (
    Object.keys(installed).every(same) &&
    Object.keys(wanted).every((path) => wanted[path].optional || same(path))
  )
}

/** npm must not run on the Node that it is about to replace. */
function pathOutside(folder) {
  const places = (process.env.PATH ?? '').split(delimiter)
  return places.filter((place) => !place.startsWith(folder)).join(delimiter)
}

function refuseOldNode() {
  const version = spawnSync(nodePath(), ['--version'], { encoding: 'utf8' }).stdout.trim()
  if (Number.parseInt(version.slice(1), 10) >= neededNode) return
  throw new Error(
    `Node ${neededNode} or newer is needed and this is ${version}: npm brings it for Linux (glibc), macOS and Windows; elsewhere, or after --omit=optional, install it from nodejs.org.`,
  )
}

function nodePath() {
  const own = inRoot('node_modules/.bin/node')
  return existsSync(own) ? own : process.execPath
}

function buildPage() {
  const stamp = inRoot('dist/.built-from')
  const configs = readdirSync(root).filter((name) => /^(vite\..*config\.|index\.html$)/.test(name))
  const hash = hashOf(['web', 'contract', 'package-lock.json', ...configs])
  if (read(stamp) === hash) return
  console.log('Building the page …')
  const vite = inRoot('node_modules/vite/bin/vite.js')
  run(nodePath(), [vite, 'build'], {})
  run(nodePath(), [vite, 'build', '--config', 'vite.render.config.ts'], {})
  write(stamp, hash)
}

/** The hash of these files and folders, without tests. */
function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesIn)) {
    hash.update(`${path}\0`).update(
      createHash('sha256')
        .update(readFileSync(inRoot(path)))
        .digest(),
    )
  }
  return hash.digest('hex')
}

function filesIn(path) {
  if (!statSync(inRoot(path)).isDirectory()) return /\.test\.tsx?$/.test(path) ? [] : [path]
  const names = readdirSync(inRoot(path)).toSorted()
  return names.flatMap((name) => filesIn(`${path}/${name}`))
}

/** Runs a program and prints its output only when it fails. */
function run(command, args, environment) {
  const options = { cwd: root, env: { ...process.env, ...environment }, shell: process.platform === 'win32' }
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    ...options,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status === 0) return
  console.error(`${stdout ?? ''}${stderr ?? ''}`)
  throw new Error(`${[command, ...args].join(' ')} failed${error ? `: ${error.message}` : ''}`)
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const started = process.argv[1] ?? ''
if (existsSync(started) && realpathSync(started) === fileURLToPath(import.meta.url)) {
  try {
    ready({ build: true })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
