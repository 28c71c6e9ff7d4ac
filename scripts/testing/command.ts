import { spawn } from 'node:child_process'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

const interruption = new AbortController()
/** Aborted by Ctrl-C or SIGTERM. The running suite then ends and removes its files. */
export const interrupted: AbortSignal = interruption.signal
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort())

/** A suite takes up to 15 minutes on two cores. On a loaded machine it may take twice as long. */
const limitMs = 40 * 60_000

/** Runs a program with its output in ours, unless `isSilent`. Returns whether its exit code was 0. */
export function succeeds(
  command: string,
  args: string[],
  environment: Record<string, string | undefined> = {},
  isSilent = false,
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: isSilent ? 'ignore' : ['ignore', 'inherit', 'inherit'],
      signal: AbortSignal.any([interrupted, AbortSignal.timeout(limitMs)]),
      // The signal of Ctrl-C, after which Playwright ends its browsers and servers.
      killSignal: 'SIGINT',
    })
    child.on('error', (error) => {
      console.error(error.name === 'AbortError' ? `${command} was interrupted.` : error.message)
      if (child.pid === undefined) resolve(false)
    })
    child.on('close', (code) => resolve(code === 0))
  })
}
