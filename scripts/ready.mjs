// Makes a clone ready to start: installs the packages and builds the page, each only after a change.
// Plain JavaScript that runs on an old Node, because a fresh clone has no other.
import { spawn, spawnSync } from 'node:child_process'
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
import { connect } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { linkNode } from './link-node.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const inRoot = (/** @type {string[]} */ ...parts) => join(root, ...parts)

const neededNode = 26

/** @param {{ build?: boolean, settings?: boolean }} options */
export async function ready({ build = false, settings = false } = {}) {
  await install()
  linkNode()
  refuseOldNode()
  if (build) await buildPage(settings)
}

async function install() {
  const stamp = inRoot('node_modules/.cache/installed')
  const hash = hashOf(['package-lock.json'])
  if (read(stamp) === hash) return
  if (!isInstalled()) await installPackages()
  write(stamp, hash)
}

/** What a fresh clone fetches for Linux, and what it takes on the disk. */
const weight = 'about 320 MB to download, 1.1 GB on the disk'

async function installPackages() {
  const wanted = packagesOfPlatform()
  const environment = { PATH: pathOutside(inRoot('node_modules')) }
  // The build needs the development packages, whatever the value of NODE_ENV.
  const args = ['ci', '--include=dev', '--include=optional']
  console.log(`Installing ${wanted.length} packages (${weight}) …`)
  const problem = await problemOfRegistry(environment)
  if (problem === undefined) {
    const stop = showProgress(wanted)
    await run('npm', args, environment).finally(stop)
  } else if ((await outcomeOf('npm', [...args, '--offline'], environment)).status !== 0) {
    // Everything that npm needs may be in its cache. Asking the registry, npm would retry for minutes.
    throw new Error(`The packages cannot be downloaded: ${problem}. Check the network, then start again.`)
  }
}

/** The folders of the packages that npm installs here. The lock file lists those of all platforms. */
function packagesOfPlatform() {
  const fits = (list, here) => !list || list.includes(here)
  return Object.entries(JSON.parse(read(inRoot('package-lock.json'))).packages)
    .filter(
      ([path, { os, cpu, libc }]) =>
        path.startsWith('node_modules/') &&
        fits(os, process.platform) &&
        fits(cpu, process.arch) &&
        fits(libc, 'glibc'),
    )
    .map(([path]) => path)
}

/** Says how many packages are there already: on a terminal in one line that changes, elsewhere now and then in a new line. */
function showProgress(paths) {
  const { stdout } = process
  const show = () => {
    const count = paths.filter((path) => existsSync(inRoot(path, 'package.json'))).length
    const line = `${count} of ${paths.length} packages`
    stdout.write(stdout.isTTY ? `\r${line}` : `${line}\n`)
  }
  const timer = setInterval(show, stdout.isTTY ? 500 : 5000)
  return () => {
    clearInterval(timer)
    if (stdout.isTTY) stdout.write('\r\u001b[K')
  }
}

/** Connects to the registry, and to the proxies of the settings: one that answers is enough. Returns why none does. */
async function problemOfRegistry(environment) {
  const { stdout } = await outcomeOf(
    'npm',
    ['config', 'get', 'registry', 'https-proxy', 'proxy'],
    environment,
  )
  const settings = stdout.split('\n').map((line) => line.slice(line.indexOf('=') + 1))
  const ofSystem = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY', 'PROXY', 'proxy']
  const places = [...settings, ...ofSystem.map((name) => process.env[name])].filter(isAddress)
  const problems = await Promise.all(places.map((place) => problemOf(new URL(place))))
  return problems.includes(undefined) ? undefined : problems[0]
}

const isAddress = (text) => /^https?:\/\/[^/]/.test(text)

/** @returns {Promise<string | undefined>} */
function problemOf({ host, hostname, port, protocol }) {
  return new Promise((resolve) => {
    const standardPort = protocol === 'https:' ? 443 : 80
    // The name of an address of IPv6 stands in brackets.
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || standardPort })
    const end = (problem) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(problem)
    }
    const timer = setTimeout(() => end(`${host} does not answer`), 5000)
    socket.on('connect', () => end(undefined))
    socket.on('error', ({ code }) => end(`${host} cannot be reached (${code})`))
  })
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

/** Builds the page when it is stale. With `settings` it checks the settings first, so that nobody waits to read of a wrong one. */
async function buildPage(settings) {
  const stamp = inRoot('dist/.built-from')
  const configs = readdirSync(root).filter((name) => /^(vite\..*config\.|index\.html$)/.test(name))
  const hash = hashOf(['web', 'contract', 'package-lock.json', ...configs])
  if (read(stamp) === hash) return
  if (settings) await checkSettings()
  console.log('Building the page …')
  const vite = inRoot('node_modules/vite/bin/vite.js')
  await run(nodePath(), [vite, 'build'], {})
  await run(nodePath(), [vite, 'build', '--config', 'vite.render.config.ts'], {})
  write(stamp, hash)
}

async function checkSettings() {
  const { status, error, stderr } = await outcomeOf(nodePath(), [inRoot('server/check-settings.ts')], {})
  if (status !== 0) throw error ?? new Error(stderr.trimEnd())
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
async function run(command, args, environment) {
  const { status, error, stdout, stderr } = await outcomeOf(command, args, environment)
  if (status === 0) return
  console.error(`${stdout}${stderr}`)
  throw new Error(`${[command, ...args].join(' ')} failed${error ? `: ${error.message}` : ''}`)
}

/** Runs a program to its end. */
function outcomeOf(command, args, environment) {
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment }
    const child = spawn(command, args, { cwd: root, env, shell: process.platform === 'win32' })
    const said = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        said[name] += text
      })
    }
    child.on('error', (error) => resolve({ ...said, status: null, error }))
    child.on('close', (status) => resolve({ ...said, status, error: undefined }))
  })
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
  const options = process.argv.slice(2)
  ready({ build: !options.includes('--no-build'), settings: options.includes('--settings') }).catch(
    (error) => {
      console.error(error instanceof Error ? error.message : error)
      process.exitCode = 1
    },
  )
}
