import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const built = join(import.meta.dirname, '../dist/web')

/** The bytes of these files of the built page, compressed. */
export function weightOf(paths: Iterable<string>): number {
  const sizes = [...paths].map((path) => gzipSync(readFileSync(join(built, path)), { level: 9 }).length)
  return sizes.reduce((sum, size) => sum + size, 0)
}
