import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '..')

type Settings = Record<string, string>

const environment = (dataDir: string, settings: Settings) => {
  const { PATH = '' } = process.env
  return { PATH, DATA_DIR: dataDir, ...settings }
}

/** Runs a command of the operator and returns its exit code and its output. `launcher` starts it, as in a container; `typed` is its standard input. */
export async function zimmer(
  dataDir: string,
  words: string[],
  settings: Settings = {},
  launcher: readonly string[] = [],
  typed = '',
) {
  const options = { cwd: root, env: environment(dataDir, settings) }
  const [program, ...rest] = [...launcher, 'node', 'server/zimmer.ts', ...words] as [string, ...string[]]
  try {
    const running = promisify(execFile)(program, rest, options)
    running.child.stdin?.end(typed)
    const { stdout, stderr } = await running
    return { code: 0, said: stdout, complaint: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, said: stdout, complaint: stderr }
  }
}

/** Starts a command and returns while it runs. */
export function startZimmer(dataDir: string, words: string[], settings: Settings = {}) {
  const options = { cwd: root, env: environment(dataDir, settings), stdio: 'ignore' as const }
  const child = spawn('node', ['server/zimmer.ts', ...words], options)
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
