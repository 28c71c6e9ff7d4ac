import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { succeeds } from './command.ts'

export interface Tally {
  passed: number
  failed: number
  skipped: number
  /** A remark that is printed beside the suite. */
  note?: string
  /** Each failed test with its message, which is repeated at the end of a long log. */
  failures?: string[]
}

/** A suite that could not run. */
export const failed = (note: string): Tally => ({ passed: 0, failed: 1, skipped: 0, note })

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

export async function runVitest(args: string[], environment = {}): Promise<Tally> {
  const file = reportFile()
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const isSuccess = await succeeds('vitest', ['run', ...args, ...reporters], environment)
  return tallyOf<VitestReport>(file, isSuccess, (report) => ({
    passed: report.numPassedTests,
    failed:
      report.numFailedTests +
      // A file that could not be loaded has failed without a test.
      report.testResults.filter(
        ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
      ).length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap(({ name, status, message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed')
      if (failed.length === 0 && status === 'failed') return [failure(name, message)]
      return failed.map((test) => failure(`${name} › ${test.fullName}`, ...test.failureMessages))
    }),
  }))
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs: {
    title: string
    file: string
    ok: boolean
    tests: { results: { errors: { message?: string }[] }[] }[]
  }[]
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  suites: PlaywrightSuite[]
  /** Errors that belong to no test, such as a file that could not be loaded. */
  errors: { message?: string }[]
}

export async function runPlaywright(environment = {}): Promise<Tally> {
  const file = reportFile()
  const isSuccess = await succeeds('playwright', ['test', '--reporter=line,json'], {
    ...environment,
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  })
  return tallyOf<PlaywrightReport>(file, isSuccess, ({ stats, suites, errors }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    failures: [
      ...errors.map(({ message = '' }) => failure('', message)),
      ...suites.flatMap(playwrightFailures),
    ],
  }))
}

function playwrightFailures({ suites = [], specs }: PlaywrightSuite): string[] {
  const failed = specs.filter(({ ok }) => !ok)
  const own = failed.map(({ title, file, tests }) => {
    const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
    return failure(`${file} › ${title}`, ...errors.map(({ message = '' }) => message))
  })
  return [...own, ...suites.flatMap(playwrightFailures)]
}

const failure = (title: string, ...messages: string[]) =>
  [title, ...messages.map((message) => stripVTControlCharacters(message).slice(0, 1_500))].join('\n')

const reportFile = () => join(tmpdir(), `zimmer-report-${randomUUID()}.json`)

/** A program that failed counts as a failure, even when all tests passed. */
async function tallyOf<Report>(file: string, isSuccess: boolean, read: (report: Report) => Tally) {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  await rm(file, { force: true })
  const tally = text === undefined ? { passed: 0, failed: 0, skipped: 0 } : read(JSON.parse(text) as Report)
  return isSuccess || tally.failed > 0 ? tally : { ...tally, failed: 1 }
}
