import { enableCompileCache, registerHooks, type ResolveFnOutput } from 'node:module'
import { join } from 'node:path'

// The entry files import this module first and the rest dynamically, because Node resolves all static imports of a file before
// it runs the file.

// Node keeps compiled modules only where this account may write, such as not in the image.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))

/** For each import of a package, and of a file in it, Node reads and parses its package.json again. That of drizzle-orm has 179 KB. */
const resolved = new Map<string, ResolveFnOutput>()

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('drizzle-orm')) {
      const found = resolved.getOrInsertComputed(specifier, () => next(specifier, context))
      return { ...found, shortCircuit: true }
    }
    const isInside = specifier.startsWith('.') && context.parentURL?.includes('/node_modules/drizzle-orm/')
    if (!isInside) return next(specifier, context)
    return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
  },
})
