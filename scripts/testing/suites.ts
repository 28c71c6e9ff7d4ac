import { filesChangedSince } from './changes.ts'
import { findChromium } from './chromium.ts'
import { succeeds } from './command.ts'
import { testsOfChange, testsOfTheWholeServer, testsOn, testsWithDatabase } from './server-tests.ts'
import type { Need } from './needs.ts'
import { findServerPrograms, startThrowawayServer } from './postgres.ts'
import { failed, runPlaywright, runVitest } from './report.ts'
import type { Results } from './report.ts'

interface Suite {
  name: string
  /** Programs of the system that its tests start. */
  needs: Need[]
  /** Runs only when it is named. */
  isLong?: true
  /** Can run the tests of a change alone. */
  isOfChanges?: true
  run: (options: Options) => Promise<Results>
}

interface Options {
  rounds: number
  /** Divides the tests of the server between the two databases, in the way of this day. */
  day?: string | undefined
  /** Runs only the tests of what has changed since this commit. */
  changed?: string | undefined
  /** The only file to run, on one worker. */
  alone?: string
}

const ownServer = process.env.DATABASE_URL

/** In the order in which they run: the fastest ones come first. */
export const suites: Suite[] = [
  { name: 'check', needs: [], isOfChanges: true, run: check },
  {
    name: 'contract',
    needs: [],
    isOfChanges: true,
    run: (options) => runProject('contract', options),
  },
  {
    name: 'web',
    needs: ['pdftotext'],
    isOfChanges: true,
    run: (options) => runProject('web', options),
  },
  { name: 'server', needs: ['redis-server'], isOfChanges: true, run: server },
  {
    name: 'server-on-postgres',
    needs: ownServer ? ['redis-server'] : ['redis-server', 'postgres'],
    run: serverOnPostgres,
  },
  { name: 'e2e', needs: ['chromium', 'redis-server', 'nginx'], run: ({ alone }) => e2e({}, alone) },
  {
    name: 'faults',
    needs: ['redis-server', 'nginx', 'pgbouncer', 'postgres', 'faketime'],
    run: faults,
  },
  {
    name: 'server-over-two',
    needs: ['redis-server'],
    isLong: true,
    run: ({ alone }) =>
      runVitest(['--project', 'server', ...(alone === undefined ? testsOfTheWholeServer() : [])], {
        environment: { TEST_PROCESSES: '2' },
        alone,
      }),
  },
  {
    name: 'e2e-over-two',
    needs: ['chromium', 'redis-server', 'nginx'],
    isLong: true,
    run: ({ alone }) => e2e({ E2E_PROCESSES: '2' }, alone),
  },
]

/**
 * Types, lint, format and cited rules, at the same time: one after the other, Prettier would leave all cores but one idle. The
 * imports are a test of the server suite.
 */
async function check(): Promise<Results> {
  const results: Results = { files: [], errors: [] }
  const commands = [
    ['tsc', '-b'],
    ['oxlint', '--type-aware', '--quiet'],
    ['prettier', '--check', '--log-level=warn', '.'],
    ['node', 'scripts/requirements.mjs'],
  ] as const
  const outcomes = await Promise.all(commands.map(([command, ...args]) => succeeds(command, args)))
  for (const [at, [command]] of commands.entries()) {
    if (outcomes[at]) results.files.push({ file: command, passed: 1, skipped: 0, failures: [] })
    // No file failed, so no repetition follows.
    else results.errors.push(`${command} failed`)
  }
  return results
}

const runProject = (name: string, { changed, alone }: Options) =>
  runVitest(['--project', name, ...(changed === undefined ? [] : ['--changed', changed])], { alone })

/** The tests of the server, those with a database on the embedded one. */
async function server({ day, changed, alone }: Options): Promise<Results> {
  const some =
    changed !== undefined ? testsOfChange(filesChangedSince(changed)) : day && testsOn('embedded', day)
  // Without a name vitest would run all files.
  if (some?.length === 0) return { files: [], errors: [] }
  const files = alone === undefined ? (some ?? []) : []
  return runVitest(['--project', 'server', ...files], { environment: { DATABASE_URL: undefined }, alone })
}

/** Tests with a database, on the server of DATABASE_URL or on the machine's own Postgres. */
async function serverOnPostgres({ day, alone }: Options): Promise<Results> {
  const all = () => (day === undefined ? testsWithDatabase() : testsOn('external', day))
  const tests = ['--project', 'server', ...(alone === undefined ? all() : [])]
  if (ownServer) return runVitest(tests, { alone })
  const server = await startThrowawayServer(findServerPrograms()!)
  try {
    return await runVitest(tests, { environment: { DATABASE_URL: server.url }, alone })
  } finally {
    await server.stop()
  }
}

async function e2e(environment: Record<string, string>, alone?: string): Promise<Results> {
  // The trace of the first failure stays: Playwright empties only the folder that it writes to.
  const args = alone === undefined ? [] : ['--output=test-results/repeated', '--trace=retain-on-failure']
  return withPage(() =>
    runPlaywright(args, { environment: { CHROME_PATH: findChromium()?.path, ...environment }, alone }),
  )
}

async function faults({ rounds, alone }: Options): Promise<Results> {
  const config = ['--config', 'faults/vitest.config.ts']
  return withPage(() => runVitest(config, { environment: { ROUNDS: String(rounds) }, alone }))
}

/** Builds the page when it is stale. Without the page the suite fails. */
async function withPage(run: () => Promise<Results>): Promise<Results> {
  return (await succeeds('node', ['scripts/ready.mjs'])) ? run() : failed('the page could not be built')
}
