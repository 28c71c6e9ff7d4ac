import { writeFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'
import type { FileResult, Results } from './report.ts'

/** Writes the results of a run of vitest to the file named by VITEST_RESULTS. */
export default class ResultsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]) {
    const results: Results = {
      files: modules.map(resultOf),
      errors: unhandledErrors.map(textOf),
    }
    writeFileSync(process.env.VITEST_RESULTS!, JSON.stringify(results))
  }
}

function resultOf(module: TestModule): FileResult {
  const tests = [...module.children.allTests()]
  const count = (state: string) => tests.filter((test) => test.result().state === state).length
  const failedTests = tests
    .filter((test) => test.result().state === 'failed')
    .map((test) => ({ title: test.fullName, message: messageOf(test.result().errors ?? []) }))
  // A file that could not be loaded, or whose hook failed, has failed without a test.
  const errors = [module, ...module.children.allSuites()].flatMap((each) => each.errors())
  const failedFile = errors.length > 0 || (module.state() === 'failed' && failedTests.length === 0)
  return {
    file: module.moduleId,
    passed: count('passed'),
    skipped: count('skipped') + count('pending'),
    failures: [...failedTests, ...(failedFile ? [{ title: '', message: messageOf(errors) }] : [])],
  }
}

const messageOf = (errors: readonly SerializedError[]) => errors.map(textOf).join('\n')
const textOf = (error: SerializedError) => error.stack ?? error.message
