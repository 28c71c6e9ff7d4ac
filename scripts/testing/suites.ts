import { provideChromium } from './chromium.ts'
import { succeeds } from './command.ts'
import { provideServerPrograms, startThrowawayServer } from './postgres.ts'
import { provide } from './programs.ts'
import { runPlaywright, runVitest } from './report.ts'
import type { Tally } from './report.ts'

interface Suite {
  name: string
  run: (options: { rounds: number }) => Promise<Tally>
}

/** In the order in which they run: what finds mistakes soonest comes first. */
export const suites: Suite[] = [
  { name: 'check', run: check },
  { name: 'contract', run: () => runVitest(['--project', 'contract']) },
  { name: 'web', run: web },
  { name: 'server', run: server },
  { name: 'server-on-postgres', run: serverOnPostgres },
  { name: 'e2e', run: () => withPage(e2e) },
  { name: 'faults', run: ({ rounds }) => withPage(() => faults(rounds)) },
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

async function web(): Promise<Tally> {
  await provide('pdftotext')
  return runVitest(['--project', 'web'])
}

async function server(): Promise<Tally> {
  await provide('redis-server')
  return runVitest(['--project', 'server'], { DATABASE_URL: undefined })
}

/** The server suite once more, on the server of DATABASE_URL or on the machine's own Postgres. */
async function serverOnPostgres(): Promise<Tally> {
  if (process.env.DATABASE_URL) return runVitest(['--project', 'server'])
  const programs = await provideServerPrograms()
  if (programs === undefined) {
    const note = 'no Postgres server on this machine: install PostgreSQL 15 or newer, or set DATABASE_URL'
    console.log(`Skipped, ${note}.`)
    return { passed: 0, failed: 0, skipped: 1, note }
  }
  const server = await startThrowawayServer(programs)
  try {
    return await runVitest(['--project', 'server'], { DATABASE_URL: server.url })
  } finally {
    await server.stop()
  }
}

/** Builds the page when it is stale; without it there is nothing to test. */
async function withPage(run: () => Promise<Tally>): Promise<Tally> {
  if (await succeeds('node', ['scripts/ready.mjs'])) return run()
  return { passed: 0, failed: 1, skipped: 0, note: 'the page could not be built' }
}

async function e2e(): Promise<Tally> {
  const chromium = await provideChromium()
  if ('missing' in chromium) {
    console.error(chromium.missing)
    return { passed: 0, failed: 1, skipped: 0, note: chromium.missing }
  }
  return runPlaywright({ CHROME_PATH: chromium.path })
}

async function faults(rounds: number): Promise<Tally> {
  await provide('redis-server', 'nginx', 'faketime')
  return runVitest(['--config', 'faults/vitest.config.ts'], { ROUNDS: String(rounds) })
}
