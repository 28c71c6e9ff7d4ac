import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { succeeds } from './command.ts'

export interface Tally {
  passed: number
  failed: number
  skipped: number
  /** What a reader of the table should know of this suite. */
  note?: string
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

export async function runVitest(args: string[], environment = {}): Promise<Tally> {
  const file = reportFile()
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const isContent = await succeeds('vitest', ['run', ...args, ...reporters], environment)
  return tallyOf<VitestReport>(file, isContent, (report) => ({
    passed: report.numPassedTests,
    failed:
      report.numFailedTests +
      // A file that could not be loaded has failed without a test.
      report.testResults.filter(
        ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
      ).length,
    skipped: report.numPendingTests + report.numTodoTests,
  }))
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}

export async function runPlaywright(environment = {}): Promise<Tally> {
  const file = reportFile()
  const isContent = await succeeds('playwright', ['test', '--reporter=line,json'], {
    ...environment,
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  })
  return tallyOf<PlaywrightReport>(file, isContent, ({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  }))
}

const reportFile = () => join(tmpdir(), `zimmer-report-${randomUUID()}.json`)

/** What ended badly has a failure, even where no test says so. */
async function tallyOf<Report>(file: string, isContent: boolean, read: (report: Report) => Tally) {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  await rm(file, { force: true })
  const tally = text === undefined ? { passed: 0, failed: 0, skipped: 0 } : read(JSON.parse(text) as Report)
  return isContent || tally.failed > 0 ? tally : { ...tally, failed: 1 }
}
