import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './testing/command.ts'
import { onBothDatabases, testsOfChange, testsOn, testsWithDatabase } from './testing/server-tests.ts'

const serverTests = globSync('server/**/*.test.ts', { cwd: root }).toSorted()
const days = ['2026-02-28', '2026-03-01', '2026-03-02']

test('the files that use a database are found by their imports', () => {
  const tests = testsWithDatabase()
  for (const name of [
    'live',
    'whole/fuzz',
    'features/feed/decisions',
    'platform/backup/backup',
    'platform/http/server',
  ])
    expect(tests).toContain(`server/${name}.test.ts`)
  for (const name of ['imports', 'features/account/passwords', 'platform/database/embedded'])
    expect(tests).not.toContain(`server/${name}.test.ts`)
})

test.each(days)(
  'on %s every test file of the server runs on a database, and only the named ones on both',
  (day) => {
    const [embedded, external] = [testsOn('embedded', day), testsOn('external', day)]
    expect([...new Set([...embedded, ...external])].toSorted()).toEqual(serverTests)
    expect(embedded.filter((name) => external.includes(name))).toEqual(onBothDatabases.toSorted())
    // A file without a database would run for nothing on a second one.
    expect(testsWithDatabase()).toEqual(expect.arrayContaining(external))
  },
)

test('every test file with a database meets both databases within two days', () => {
  for (const [at, day] of days.slice(1).entries())
    for (const database of ['embedded', 'external'] as const) {
      const met = new Set([...testsOn(database, days[at]!), ...testsOn(database, day)])
      expect(testsWithDatabase().filter((name) => !met.has(name))).toEqual([])
    }
})

test('every test file that asks Postgres for the plan of a query runs on both databases', () => {
  const askForPlans = testsWithDatabase().filter((name) =>
    /testing\/plan\.ts|explain/.test(readFileSync(join(root, name), 'utf8')),
  )
  expect(onBothDatabases).toEqual(expect.arrayContaining(askForPlans))
})

test.each([
  [
    'server/features/rooms/routes.ts',
    ['features/rooms/rooms', 'features/rooms/story/epub'],
    ['features/feed/feed', 'whole/permissions'],
  ],
  ['contract/rooms/endpoints.ts', ['features/rooms/rooms', 'whole/permissions'], ['platform/semaphore']],
  ['server/platform/semaphore.ts', ['platform/semaphore'], ['features/feed/feed', 'live']],
  ['server/testing/test-app.ts', ['features/feed/feed', 'live', 'whole/permissions'], ['platform/semaphore']],
  ['server/page.ts', ['page', 'public-pages'], ['features/feed/feed', 'whole/permissions']],
  ['migrations/0001_first.sql', ['platform/database/migrate'], ['features/feed/feed']],
  ['web/main.tsx', [], ['live', 'platform/semaphore']],
])('for a change of %s the tests of its part run, and those that import it', (changed, some, others) => {
  const tests = testsOfChange([changed])
  const path = (name: string) => `server/${name}.test.ts`
  expect(tests).toEqual(expect.arrayContaining(some.map(path)))
  expect(tests.filter((name) => others.map(path).includes(name))).toEqual([])
})
