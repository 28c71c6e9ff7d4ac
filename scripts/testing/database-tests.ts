import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './command.ts'

/**
 * Tests that use a database, but whose outcome no database can change (decision 19): what they prove happens on
 * connections and in memory, before a statement is sent or after it has answered.
 */
export const sameOnEveryDatabase = [
  'server/addresses.test.ts',
  'server/hostile-inputs.test.ts',
  'server/prepared-memory.test.ts',
  'server/platform/http/load.test.ts',
  'server/platform/http/origin.test.ts',
  'server/platform/http/traffic.test.ts',
  'server/platform/http/uploads.test.ts',
  'server/platform/live/slow-clients.test.ts',
]

/** The test files of the server whose outcome the database of the run can change. */
export function databaseTests(): string[] {
  return testsWithDatabase().filter((file) => !sameOnEveryDatabase.includes(file))
}

/** The test files that use the database of the run. The imports of each lead to the helper that takes it from vitest. */
export const testsWithDatabase = () => testsThatReach((_file, text) => text.includes("inject('server')"))

/** The test files that start the whole server, which may also run as two processes. */
export const testsOfTheWholeServer = () => testsThatReach((file) => file === 'server/testing/test-app.ts')

function testsThatReach(isWanted: (file: string, text: string) => boolean): string[] {
  const reaches = (file: string, seen: Set<string>): boolean => {
    if (seen.has(file)) return false
    seen.add(file)
    const text = readFileSync(join(root, file), 'utf8')
    return isWanted(file, text) || importsOf(file, text).some((each) => reaches(each, seen))
  }
  return globSync('server/**/*.test.ts', { cwd: root }).filter((file) => reaches(file, new Set()))
}

/** The files of the server that a file imports, by their paths from the root. */
const importsOf = (file: string, text: string) =>
  [...text.matchAll(/'(#server\/|\.\.?\/)([^']+\.ts)'/g)]
    .map(([, start = '', rest = '']) =>
      start === '#server/' ? join('server', rest) : join(dirname(file), start, rest),
    )
    .filter((path) => path.startsWith('server/'))
