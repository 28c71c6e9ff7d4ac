import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const built = join(import.meta.dirname, '../dist/web')

/** The bytes of these files of the built page, compressed. */
export function weightOf(paths: Iterable<string>): number {
  return [...paths].reduce((sum, path) => sum + sizeOf(path), 0)
}

const sizes = new Map<string, number>()

function sizeOf(path: string): number {
  const size = sizes.get(path) ?? gzipSync(readFileSync(join(built, path)), { level: 9 }).length
  sizes.set(path, size)
  return size
}
