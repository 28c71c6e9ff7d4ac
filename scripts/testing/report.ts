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
  /** What a reader of the table should know of this suite. */
  note?: string
  /** Each failed test and what it said, to be told again at the end of a long log. */
  failures?: string[]
}

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
  /** Of no test, such as a file that could not be loaded. */
  errors: { message?: string }[]
}

export async function runPlaywright(environment = {}): Promise<Tally> {
  const file = reportFile()
  const isContent = await succeeds('playwright', ['test', '--reporter=line,json'], {
    ...environment,
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  })
  return tallyOf<PlaywrightReport>(file, isContent, ({ stats, suites, errors }) => ({
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

/** What ended badly has a failure, even where no test says so. */
async function tallyOf<Report>(file: string, isContent: boolean, read: (report: Report) => Tally) {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  await rm(file, { force: true })
  const tally = text === undefined ? { passed: 0, failed: 0, skipped: 0 } : read(JSON.parse(text) as Report)
  return isContent || tally.failed > 0 ? tally : { ...tally, failed: 1 }
}
