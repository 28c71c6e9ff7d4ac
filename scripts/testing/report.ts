import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root, succeeds } from './command.ts'

export interface Failure {
  /** Empty when the file failed without a test. */
  title: string
  message: string
}

export interface FileResult {
  file: string
  passed: number
  skipped: number
  failures: Failure[]
}

export interface Results {
  files: FileResult[]
  /** Errors that belong to no file. */
  errors: string[]
  /** A remark that is printed beside the suite. */
  note?: string
}

/** A suite that could not run. */
export const failed = (note: string): Results => ({ files: [], errors: [note], note })

export const passedIn = ({ files }: Results) => files.reduce((sum, { passed }) => sum + passed, 0)
export const skippedIn = ({ files }: Results) => files.reduce((sum, { skipped }) => sum + skipped, 0)
export const failedIn = ({ files, errors }: Results) =>
  errors.length + files.reduce((sum, { failures }) => sum + failures.length, 0)

/** Each failed test with its message, which is printed again at the end of a long log. */
export const failuresOf = ({ files, errors }: Results) => [
  ...errors.map(shorten),
  ...files.flatMap(({ file, failures }) => failures.map((failure) => describe(file, failure))),
]

export const describe = (file: string, { title, message }: Failure) =>
  `${relative(root, file)}${title === '' ? '' : ` › ${title}`}\n${shorten(message)}`

const shorten = (message: string) => stripVTControlCharacters(message).slice(0, 1_500)

interface RunOptions {
  environment?: Record<string, string | undefined>
  /** The only file to run, on one worker. */
  alone?: string | undefined
  isSilent?: boolean
}

export async function runVitest(
  args: string[],
  { environment = {}, alone, isSilent = false }: RunOptions = {},
): Promise<Results> {
  const file = reportFile()
  const reporters = ['--reporter=default', `--reporter=${join(import.meta.dirname, 'vitest-reporter.ts')}`]
  const only = alone === undefined ? [] : ['--maxWorkers=1', '--no-file-parallelism', alone]
  const settings = { ...environment, VITEST_RESULTS: file }
  const isSuccess = await succeeds('vitest', ['run', ...args, ...reporters, ...only], settings, isSilent)
  return resultsOf<Results>(file, isSuccess, (results) => results)
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs: {
    title: string
    file: string
    tests: { status: string; results: { errors: { message?: string }[] }[] }[]
  }[]
}

interface PlaywrightReport {
  config: { rootDir: string }
  suites: PlaywrightSuite[]
  /** Errors that belong to no test, such as a file that could not be loaded. */
  errors: { message?: string }[]
}

export async function runPlaywright(
  args: string[],
  { environment = {}, alone, isSilent = false }: RunOptions = {},
): Promise<Results> {
  const file = reportFile()
  const only = alone === undefined ? [] : ['--workers=1', RegExp.escape(alone)]
  const all = ['test', '--reporter=line,json', ...args, ...only]
  const settings = { ...environment, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  const isSuccess = await succeeds('playwright', all, settings, isSilent)
  return resultsOf<PlaywrightReport>(file, isSuccess, ({ config, suites, errors }) => {
    const byFile = Map.groupBy(suites.flatMap(specsOf), (spec) => join(config.rootDir, spec.file))
    return {
      files: [...byFile].map(([path, specs]) => resultOfSpecs(path, specs)),
      errors: errors.map(({ message = '' }) => message),
    }
  })
}

const specsOf = ({ suites = [], specs }: PlaywrightSuite): PlaywrightSuite['specs'] => [
  ...specs,
  ...suites.flatMap(specsOf),
]

function resultOfSpecs(file: string, specs: PlaywrightSuite['specs']): FileResult {
  const tests = specs.flatMap(({ title, tests }) => tests.map((test) => ({ ...test, title })))
  const failedTests = tests.filter(({ status }) => status !== 'expected' && status !== 'skipped')
  return {
    file,
    passed: tests.filter(({ status }) => status === 'expected').length,
    skipped: tests.filter(({ status }) => status === 'skipped').length,
    failures: failedTests.map(({ title, results }) => {
      const errors = results.flatMap((result) => result.errors)
      return { title, message: errors.map(({ message = '' }) => message).join('\n') }
    }),
  }
}

const reportFile = () => join(tmpdir(), `zimmer-report-${randomUUID()}.json`)

/** A program that failed counts as a failure, even when all tests passed. */
async function resultsOf<Report>(file: string, isSuccess: boolean, read: (report: Report) => Results) {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  await rm(file, { force: true })
  const results = text === undefined ? { files: [], errors: [] } : read(JSON.parse(text) as Report)
  if (isSuccess || failedIn(results) > 0) return results
  return { ...results, errors: ['The program ended with an error.'] }
}
