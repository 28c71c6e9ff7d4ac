// Plain JavaScript: Node loads its compiler of TypeScript, which takes 13 MB, for a file of TypeScript that it has not kept
// compiled. Processes load this module before any other, by `--import`, or an entry file imports it first and all else
// dynamically, because Node resolves the static imports of a file before it runs the file.
import { enableCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'

// Node keeps compiled modules only where this account may write, such as not in the image.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))

const root = new URL('../', import.meta.url).href
const ownFolder = /^#(contract|server|web)\//

/**
 * For each import of a package, and of a file in it, Node reads and parses its package.json again. That of drizzle-orm has 179 KB.
 * @type {Map<string, import('node:module').ResolveFnOutput>}
 */
const resolved = new Map()

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context
    if (specifier.startsWith('drizzle-orm')) {
      const found = resolved.getOrInsertComputed(specifier, () => next(specifier, context))
      return { ...found, shortCircuit: true }
    }
    if (ownFolder.test(specifier)) return ownFile(root + specifier.slice(1))
    if (specifier.startsWith('.') && parentURL !== undefined) {
      if (parentURL.includes('/node_modules/drizzle-orm/'))
        return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
      if (specifier.endsWith('.ts')) return ownFile(new URL(specifier, parentURL).href)
    }
    return next(specifier, context)
  },
})

/** @param {string} url */
function ownFile(url) {
  return { url, format: 'module-typescript', shortCircuit: true }
}
