import { findChromium } from './chromium.ts'
import { succeeds } from './command.ts'
import { databaseTests, testsOfTheWholeServer } from './database-tests.ts'
import type { Need } from './needs.ts'
import { findServerPrograms, startThrowawayServer } from './postgres.ts'
import { failed, runPlaywright, runVitest } from './report.ts'
import type { Tally } from './report.ts'

interface Suite {
  name: string
  /** Programs of the system that its tests start. */
  needs: Need[]
  /** Runs only when it is named. */
  isLong?: true
  run: (options: { rounds: number }) => Promise<Tally>
}

const ownServer = process.env.DATABASE_URL

/** In the order in which they run: the fastest ones come first. */
export const suites: Suite[] = [
  { name: 'check', needs: [], run: check },
  { name: 'contract', needs: [], run: () => runVitest(['--project', 'contract']) },
  { name: 'web', needs: ['pdftotext'], run: () => runVitest(['--project', 'web']) },
  {
    name: 'server',
    needs: ['redis-server'],
    run: () => runVitest(['--project', 'server'], { DATABASE_URL: undefined }),
  },
  {
    name: 'server-on-postgres',
    needs: ownServer ? ['redis-server'] : ['redis-server', 'postgres'],
    run: serverOnPostgres,
  },
  { name: 'e2e', needs: ['chromium', 'redis-server', 'nginx'], run: () => e2e() },
  {
    name: 'faults',
    needs: ['redis-server', 'nginx', 'pgbouncer', 'postgres', 'faketime'],
    run: ({ rounds }) => faults(rounds),
  },
  {
    name: 'server-over-two',
    needs: ['redis-server'],
    isLong: true,
    run: () => runVitest(['--project', 'server', ...testsOfTheWholeServer()], { TEST_PROCESSES: '2' }),
  },
  {
    name: 'e2e-over-two',
    needs: ['chromium', 'redis-server', 'nginx'],
    isLong: true,
    run: () => e2e({ E2E_PROCESSES: '2' }),
  },
]

/** Types, lint, format and cited rules; the imports are a test of the server suite. */
async function check(): Promise<Tally> {
  const tally = { passed: 0, failed: 0, skipped: 0 }
  for (const [command, ...args] of [
    ['tsc', '-b'],
    ['oxlint', '--type-aware', '--quiet'],
    ['prettier', '--check', '--log-level=warn', '.'],
    ['node', 'scripts/requirements.mjs'],
  ] as const) {
    tally[(await succeeds(command, args)) ? 'passed' : 'failed']++
  }
  return tally
}

/** The tests with a database once more, on the server of DATABASE_URL or on the machine's own Postgres. */
async function serverOnPostgres(): Promise<Tally> {
  const tests = ['--project', 'server', ...databaseTests()]
  if (ownServer) return runVitest(tests)
  const server = await startThrowawayServer(findServerPrograms()!)
  try {
    return await runVitest(tests, { DATABASE_URL: server.url })
  } finally {
    await server.stop()
  }
}

async function e2e(environment = {}): Promise<Tally> {
  return withPage(() => runPlaywright({ CHROME_PATH: findChromium()?.path, ...environment }))
}

async function faults(rounds: number): Promise<Tally> {
  return withPage(() => runVitest(['--config', 'faults/vitest.config.ts'], { ROUNDS: String(rounds) }))
}

/** Builds the page when it is stale. Without the page the suite fails. */
async function withPage(run: () => Promise<Tally>): Promise<Tally> {
  return (await succeeds('node', ['scripts/ready.mjs'])) ? run() : failed('the page could not be built')
}
