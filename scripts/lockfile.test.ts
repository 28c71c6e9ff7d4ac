import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Entry {
  version?: string
  link?: boolean
  dev?: boolean
  license?: string
  integrity?: string
  optionalDependencies?: Record<string, string>
}

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Entry>
}

type Versions = Record<string, string>
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  dependencies: Versions
  devDependencies: Versions
  optionalDependencies: Versions
}

/** Finds a package as Node does: first in the folder of the package that depends on it, then in the outer folders. */
function entryOf(dependent: string, name: string): Entry | undefined {
  for (let place = dependent; ; place = place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1))) {
    const entry = packages[`${place === '' ? '' : `${place}/`}node_modules/${name}`]
    if (entry || place === '') return entry
  }
}

/** Packages of platforms are required in an exact version. */
const fits = (wanted: string, version: string | undefined) =>
  version !== undefined && (!/^\d/.test(wanted) || wanted === version)

test('the lock file serves every platform: each optional package named in it has an entry', () => {
  const missing = Object.entries(packages).flatMap(([dependent, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, wanted]) => !fits(wanted, entryOf(dependent, name)?.version))
      .map(([name, wanted]) => `${dependent || 'package.json'} requires ${name} ${wanted}`),
  )
  expect(missing).toEqual([])
})

test('every package is locked to a version and its content [S50]', () => {
  const loose = Object.entries(packages).filter(
    ([path, entry]) => path !== '' && !entry.link && (!entry.version || !entry.integrity),
  )
  expect(loose.map(([path]) => path)).toEqual([])
})

test('package.json names an exact version of each package [S50]', () => {
  const wanted = [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies]
  const loose = wanted
    .flatMap((each) => Object.entries(each))
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
  expect(loose).toEqual([])
})

const freeLicences = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  '0BSD',
  'Unlicense',
]
/** Libraries that `sharp` loads, and `web-push`: files of their own that can be replaced. They are installed and not shipped. */
const replaceable = /^node_modules\/(@img\/sharp-|web-push$)/
const replaceableLicences = [
  'MPL-2.0',
  'LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
]
/** Licences of fonts, which allow giving them away with a program. */
const fontLicences = ['OFL-1.1', 'MIT AND OFL-1.1']
/** Licence of two tools of the build and the tests, which are not shipped. */
const toolLicences = ['MPL-2.0']

test('each package that the server needs, and each in package.json, has a licence that allows giving it away', () => {
  const named = new Set(Object.keys(manifest.devDependencies).map((name) => `node_modules/${name}`))
  const restricted = Object.entries(packages).filter(([path, { dev, license = 'none' }]) => {
    if (path === '') return false
    if (!dev && replaceable.test(path) && replaceableLicences.includes(license)) return false
    const allowed = [...freeLicences, ...fontLicences]
    if (!dev) return !allowed.includes(license)
    return named.has(path) && ![...allowed, ...toolLicences].includes(license)
  })
  expect(restricted.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
})
