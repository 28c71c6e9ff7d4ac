import { expect, test } from 'vitest'
import { databaseTests, sameOnEveryDatabase, testsWithDatabase } from './testing/database-tests.ts'

test('every test whose outcome a database can change runs on a Postgres server too, and no other test runs twice', () => {
  const tests = databaseTests()
  for (const name of [
    'live',
    'hostile-database',
    'features/feed/feed',
    'platform/backup/backup',
    'platform/http/server',
  ])
    expect(tests).toContain(`server/${name}.test.ts`)
  for (const name of ['imports', 'features/account/passwords', 'platform/database/embedded'])
    expect(tests).not.toContain(`server/${name}.test.ts`)
  expect(testsWithDatabase()).toEqual(expect.arrayContaining(sameOnEveryDatabase))
  expect(tests.toSorted()).toEqual(
    testsWithDatabase()
      .filter((name) => !sameOnEveryDatabase.includes(name))
      .toSorted(),
  )
})
