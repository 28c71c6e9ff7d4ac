import type { Failure, FileResult, Results } from './report.ts'

/** A failure of the first run that the repetition did not show. */
export type Repeated = Failure & { file: string }

/** More failed files than this are no rare race: something is broken. */
const mostFiles = 5

/**
 * Runs each failed file once more, one after the other. A file that then passes with all its tests counts as passed. A file
 * that fails again keeps its first result.
 */
export async function repeatFailedFiles(
  first: Results,
  runAlone: (file: string) => Promise<Results>,
): Promise<{ results: Results; repeated: Repeated[] }> {
  const failedFiles = first.files.filter(({ failures }) => failures.length > 0)
  // The repetition of a file says nothing about an error that belongs to no file.
  if (first.errors.length > 0 || failedFiles.length > mostFiles) return { results: first, repeated: [] }
  const passedNow = new Map<FileResult, FileResult>()
  for (const each of failedFiles) {
    const again = await runAlone(each.file)
    const result = again.files.find(({ file }) => file === each.file)
    if (result !== undefined && again.errors.length === 0 && hasPassed(each, result))
      passedNow.set(each, result)
  }
  return {
    results: { ...first, files: first.files.map((each) => passedNow.get(each) ?? each) },
    repeated: [...passedNow.keys()].flatMap(({ file, failures }) =>
      failures.map((failure) => ({ ...failure, file })),
    ),
  }
}

/** A failed test that the repetition left out has not passed. */
function hasPassed(before: FileResult, now: FileResult): boolean {
  const failedTests = before.failures.filter(({ title }) => title !== '').length
  return now.failures.length === 0 && now.passed > 0 && now.passed >= before.passed + failedTests
}
