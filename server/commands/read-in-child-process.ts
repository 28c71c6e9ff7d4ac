import type { ImportedFile } from '#contract/imports/entry.ts'
import { endOf, startChild } from '#server/platform/child-process.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import type { FromImportProcess } from './read-import-process.ts'

const usualHeapMb = 104

/** Reads a file in a child process. Its heap has a limit. V8 aborts a process that exceeds it, and the command goes on (S58). */
export async function readInChildProcess(
  path: string,
  signal: AbortSignal,
  heapMb = usualHeapMb,
): Promise<ImportedFile> {
  const child = startChild(new URL('./read-import-process.ts', import.meta.url), { heapMb, args: [path] })
  // The command waits for it.
  child.ref()
  const end = endOf(child)
  const kill = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  try {
    const answer = await Promise.race([
      new Promise<FromImportProcess>((resolve) => child.once('message', resolve)),
      end,
    ])
    if (typeof answer === 'string')
      throw new OperatorError(`${path} could not be read: it may need more memory than an import has.`)
    if ('refused' in answer) throw new OperatorError(answer.refused)
    return answer.file
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
  }
}
