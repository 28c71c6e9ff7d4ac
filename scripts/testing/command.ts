import { spawn } from 'node:child_process'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

const interruption = new AbortController()
/** Aborted by Ctrl-C or SIGTERM: what runs is ended, and what it needed is cleared away. */
export const interrupted: AbortSignal = interruption.signal
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort())

const limitMs = 20 * 60_000

/** Runs a program to its end, its output in ours, and says whether it was content. */
export function succeeds(
  command: string,
  args: string[],
  environment: Record<string, string | undefined> = {},
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'inherit', 'inherit'],
      signal: AbortSignal.any([interrupted, AbortSignal.timeout(limitMs)]),
      // As Ctrl-C does: Playwright then ends its browsers and servers.
      killSignal: 'SIGINT',
    })
    child.on('error', (error) => {
      console.error(error.name === 'AbortError' ? `${command} was ended before it was done.` : error.message)
      if (child.pid === undefined) resolve(false)
    })
    child.on('close', (code) => resolve(code === 0))
  })
}
