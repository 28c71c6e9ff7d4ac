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

/** The command line, as an operator uses it. */
export async function zimmer(dataDir: string, words: string[], settings: Settings = {}) {
  const options = { cwd: root, env: environment(dataDir, settings) }
  try {
    const { stdout, stderr } = await promisify(execFile)('node', ['server/zimmer.ts', ...words], options)
    return { code: 0, said: stdout, complaint: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, said: stdout, complaint: stderr }
  }
}

/** A command that is still running. */
export function startZimmer(dataDir: string, words: string[], settings: Settings = {}) {
  const options = { cwd: root, env: environment(dataDir, settings), stdio: 'ignore' as const }
  const child = spawn('node', ['server/zimmer.ts', ...words], options)
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
