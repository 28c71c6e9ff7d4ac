import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './command.ts'

/**
 * Test files that always run on both databases (decision 29): what they prove depends most on the version and the settings of
 * Postgres. These are migrations, query plans, connections, hostile settings, backups and restores.
 */
export const onBothDatabases = [
  'server/whole/distribution.test.ts',
  'server/whole/hostile-database.test.ts',
  'server/purges.test.ts',
  'server/whole/prepared-statements.test.ts',
  'server/whole/transactions.test.ts',
  'server/features/account/hidden-texts.test.ts',
  'server/features/account/sessions-of-streams.test.ts',
  'server/features/account/suspensions.test.ts',
  'server/features/admin/audit.test.ts',
  'server/features/admin/searching-users.test.ts',
  'server/features/admin/stats.test.ts',
  'server/features/bookmarks/bookmarks.test.ts',
  'server/features/covers/backup.test.ts',
  'server/features/diary/long-diary.test.ts',
  'server/features/feed/admin-posts.test.ts',
  'server/features/feed/admin-search.test.ts',
  'server/features/feed/due-posts.test.ts',
  'server/features/feed/feed.test.ts',
  'server/features/feed/feed-day.test.ts',
  'server/features/feed/missing-words.test.ts',
  'server/features/feed/neighbours.test.ts',
  'server/features/follows/follows.test.ts',
  'server/features/friends/search.test.ts',
  'server/features/inbox/notifications.test.ts',
  'server/features/inbox/queries.test.ts',
  'server/features/magazine/backup.test.ts',
  'server/features/mails/queries.test.ts',
  'server/features/messages/last-messages.test.ts',
  'server/features/people/people.test.ts',
  'server/features/rooms/counting.test.ts',
  'server/features/rooms/finished.test.ts',
  'server/features/rooms/own-stories.test.ts',
  'server/features/rooms/table/live-turns.test.ts',
  'server/features/rooms/table/slow-list.test.ts',
  'server/features/rooms/table/turn-reminders.test.ts',
  'server/features/rooms/words.test.ts',
  'server/features/search/search.test.ts',
  'server/features/syndication/feeds.test.ts',
  'server/features/syndication/sitemap.test.ts',
  'server/platform/backup/backup.test.ts',
  'server/platform/backup/daily.test.ts',
  'server/platform/backup/hostile-backups.test.ts',
  'server/platform/backup/left-out.test.ts',
  'server/platform/backup/restore.test.ts',
  'server/platform/database/database-clock.test.ts',
  'server/platform/database/migrate.test.ts',
  'server/platform/database/pool.test.ts',
  'server/platform/time-zone.test.ts',
]

/** The database that `npm test` starts from the packages of the project, or a Postgres server of the machine. */
type TestDatabaseKind = 'embedded' | 'external'

/** The test files of the server that run on this database on a day such as `2026-01-31`. */
export function testsOn(database: TestDatabaseKind, day: string): string[] {
  const databaseTests = new Set(testsWithDatabase())
  return serverTests().filter((file) => {
    if (!databaseTests.has(file)) return database === 'embedded'
    return onBothDatabases.includes(file) || databaseOf(file, day) === database
  })
}

/** Changes every day, so that each file runs on both databases within two days. */
function databaseOf(file: string, day: string): TestDatabaseKind {
  const dayNumber = Date.parse(day) / 86_400_000
  const digest = createHash('sha256').update(file).digest()
  return (digest[0]! + dayNumber) % 2 === 0 ? 'embedded' : 'external'
}

const serverTests = () => globSync('server/**/*.test.ts', { cwd: root }).toSorted()

// Read once, because it takes half a second.
let foundWithDatabase: string[] | undefined
/** The test files that use the database of the run. The imports of each lead to the helper that takes it from vitest. */
export const testsWithDatabase = () =>
  (foundWithDatabase ??= testsThatReach((_file, text) => text.includes("inject('server')")))

/** The test files that start the whole server, which may also run as two processes. */
export const testsOfTheWholeServer = () => testsThatReach((file) => file === 'server/testing/test-app.ts')

/**
 * The tests of the server for a change of these files: those of the same part of the server, and those that import such a
 * file themselves or through a helper in `server/testing`. Imports through other code do not count: through the whole server
 * most tests import every file. So a change of `contract` may run few tests.
 */
export function testsOfChange(changed: readonly string[]): string[] {
  const parts = changed.flatMap((file) => partOf(file) ?? [])
  const isHelper = (file: string) =>
    /\.test\.ts$|^server\/testing\//.test(file) && file !== 'server/testing/test-app.ts'
  const importing = testsThatReach((file) => changed.includes(file), isHelper)
  return serverTests().filter(
    (file) => importing.includes(file) || parts.some((part) => part === partOf(file)),
  )
}

/** The feature, the part of the platform, or the files directly in `server`. Migrations belong to the database. */
const partOf = (file: string) =>
  file.startsWith('migrations/')
    ? 'server/platform/database/'
    : /^server\/(?:(?:features|platform)\/[^/]+\/|(?=[^/]+$))/.exec(file)?.[0]

/** Looks for a wanted file among a test and what it imports, and further through the files that `passes` allows. */
function testsThatReach(
  isWanted: (file: string, text: string) => boolean,
  passes: (file: string) => boolean = () => true,
): string[] {
  const reaches = (file: string, seen: Set<string>): boolean => {
    if (seen.has(file)) return false
    seen.add(file)
    const { text, imports } = read(file)
    return isWanted(file, text) || (passes(file) && imports.some((each) => reaches(each, seen)))
  }
  return serverTests().filter((file) => reaches(file, new Set()))
}

interface Source {
  text: string
  /** The files of server and contract that the file imports, by their paths from the root. */
  imports: string[]
}

/** Most files are imported by many tests. */
const sources = new Map<string, Source>()

function read(file: string): Source {
  const source = sources.get(file) ?? sourceOf(file)
  sources.set(file, source)
  return source
}

function sourceOf(file: string): Source {
  const text = readFileSync(join(root, file), 'utf8')
  const paths = [...text.matchAll(/'(#server\/|#contract\/|\.\.?\/)([^']+\.ts)'/g)].map(
    ([, start = '', rest = '']) =>
      start.startsWith('#') ? join(start.slice(1), rest) : join(dirname(file), start, rest),
  )
  return { text, imports: paths.filter((path) => /^(server|contract)\//.test(path)) }
}
