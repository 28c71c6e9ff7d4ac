import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Entry {
  version?: string
  link?: boolean
  integrity?: string
  optionalDependencies?: Record<string, string>
}

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Entry>
}

/** As Node looks for a package: in the asker's own folder first, then outwards. */
function entryOf(asker: string, name: string): Entry | undefined {
  for (let place = asker; ; place = place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1))) {
    const entry = packages[`${place === '' ? '' : `${place}/`}node_modules/${name}`]
    if (entry || place === '') return entry
  }
}

/** Platform packages are asked for by their exact version: another one of that name will not do. */
const fits = (wanted: string, version: string | undefined) =>
  version !== undefined && (!/^\d/.test(wanted) || wanted === version)

test('the lock file serves every platform: each optional package named in it has an entry', () => {
  const missing = Object.entries(packages).flatMap(([asker, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, wanted]) => !fits(wanted, entryOf(asker, name)?.version))
      .map(([name, wanted]) => `${asker || 'package.json'} asks for ${name} ${wanted}`),
  )
  expect(missing).toEqual([])
})

test('every package is locked to a version and its content [S50]', () => {
  const loose = Object.entries(packages).filter(
    ([path, entry]) => path !== '' && !entry.link && (!entry.version || !entry.integrity),
  )
  expect(loose.map(([path]) => path)).toEqual([])
})
